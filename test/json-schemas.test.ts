import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { jsonSchemas } from "../scripts/from-tasks.ts";

const FOLDER = join("assets", "schemas");

it("the JSON Schemas that ship are those of the code: `npm run schemas` writes them", () => {
  const shipped = readdirSync(FOLDER).sort();
  expect(shipped).toEqual([...jsonSchemas().keys()].sort());
  for (const [name, text] of jsonSchemas()) expect(readFileSync(join(FOLDER, name), "utf8"), name).toBe(text);
});
