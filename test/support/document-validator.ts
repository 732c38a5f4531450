import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";

const FOLDER = join("assets", "schemas");

let validator: Ajv2020 | null = null;

/** What is wrong with a JSON document by the JSON Schema that ships for it; null when nothing is. */
export function documentProblem(text: string): string | null {
  validator ??= withSchemas();
  const document: unknown = JSON.parse(text);
  const name = typeof document === "object" && document !== null && "schema" in document ? document.schema : null;
  const validate = typeof name === "string" ? validator.getSchema(`${name}.json`) : undefined;
  if (!validate) return `the document names no schema that ships: ${JSON.stringify(name)}`;
  return validate(document) ? null : `${name}: ${validator.errorsText(validate.errors)}`;
}

function withSchemas(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  for (const name of readdirSync(FOLDER).filter((file) => file.startsWith("fabula."))) {
    ajv.addSchema(JSON.parse(readFileSync(join(FOLDER, name), "utf8")));
  }
  return ajv;
}
