import { asDocument } from "../../report/documents/as-document.ts";
import type { DocumentKind } from "../../report/documents/document-schemas.ts";

/** A document for other programs, as `--json` prints it. */
export function jsonDocument(kind: DocumentKind, body: object): string {
  return JSON.stringify(asDocument(kind, body), null, 2);
}
