// Writes the JSON Schemas that ship in assets/schemas: one for each JSON document that Fabula prints, one for rubrics, one for the
// config file. `npm run schemas`; a test fails when they differ from the code.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { configSchema } from "../src/cli/config/config-schema.ts";
import { rubricSchema } from "../src/criteria/rubric.ts";
import { DOCUMENT_SCHEMAS, type DocumentKind, schemaName } from "../src/report/documents.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const FOLDER = join("assets", "schemas");

/** File name → what it holds. */
export function jsonSchemas(): ReadonlyMap<string, string> {
  const documents = (Object.keys(DOCUMENT_SCHEMAS) as DocumentKind[]).map((kind): [string, object] => {
    const name = schemaName(kind);
    return [`${name}.json`, { $schema: DIALECT, $id: `${name}.json`, title: name, ...documentSchema(kind) }];
  });
  const files: [string, object][] = [
    ...documents,
    ["rubric.json", { $id: "rubric.json", title: "a rubric file for Fabula", ...converted(rubricSchema) }],
    ["config.json", { $id: "config.json", title: "fabula.config.yaml", ...converted(configSchema) }],
  ];
  return new Map(files.map(([name, schema]) => [name, `${JSON.stringify(schema, null, 1)}\n`]));
}

/** The JSON Schema of a document, with what every document carries. */
export function documentSchema(kind: DocumentKind): object {
  const { $schema, ...body } = converted(DOCUMENT_SCHEMAS[kind]);
  return {
    type: "object",
    required: ["schema", "fabula"],
    properties: {
      schema: { const: schemaName(kind) },
      fabula: { type: "string", description: "the version of Fabula that wrote the document" },
    },
    allOf: [body],
  };
}

function converted(schema: z.ZodType) {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  for (const [name, text] of jsonSchemas()) await writeFile(join(FOLDER, name), text);
}
