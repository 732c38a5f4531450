import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { apiReference } from "../scripts/api-reference.ts";

it("docs/api is what the code says: `npm run docs:api` writes it", () => {
  const pages = apiReference();
  expect(pages.get("README.md")).toContain("### evaluateBook");
  for (const [page, text] of pages) expect(readFileSync(join("docs", "api", page), "utf8"), page).toBe(text);
});
