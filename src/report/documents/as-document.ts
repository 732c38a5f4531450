import { fabulaVersion } from "../../core/version.ts";
import type { DocumentKind } from "./document-schemas.ts";

/** The name and version of a document's shape: within a version fields may be added, never renamed. */
export function schemaName(kind: DocumentKind): `fabula.${DocumentKind}.v1` {
  return `fabula.${kind}.v1`;
}

/** What every JSON document of Fabula carries: which shape it has, and which version wrote it. */
export function asDocument<Body extends object>(kind: DocumentKind, body: Body) {
  return { schema: schemaName(kind), fabula: fabulaVersion(), ...body };
}
