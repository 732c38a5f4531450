import { asDocument, type DocumentKind } from "../../report/documents.ts";

/** A document for other programs, as `--json` prints it. */
export function jsonDocument(kind: DocumentKind, body: object): string {
  return JSON.stringify(asDocument(kind, body), null, 2);
}
