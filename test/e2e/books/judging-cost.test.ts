import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { assetPath } from "../../../src/core/assets.ts";
import { estimateJudgingCost } from "../../../src/tasks/books/evaluate-book.ts";
import { readBookFromBytes } from "../../../src/text/read-book.ts";
import { runFabula } from "../run-fabula.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-estimate-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The bundled story is short; a book has many chapters like its own. */
async function bookOf(example: string, copies: number): Promise<string> {
  const story = await readFile(assetPath("examples", example), "utf8");
  const file = join(folder, `${copies}-${example}`);
  const chapters = Array.from({ length: copies }, (_, copy) => `## ${copy + 1}\n\n${story.replaceAll(/^#.*$/gm, "")}`);
  await writeFile(file, chapters.join("\n\n"));
  return file;
}

it.each([
  ["the-inspector-of-weights.md", 1],
  ["the-inspector-of-weights.md", 12],
  ["the-lamp-at-mist-harbour.zh.md", 40],
])("the cost named in the letter is near the one --dry-run names: %s, %i times", async (example, copies) => {
  const file = await bookOf(example, copies);
  const named = await estimateJudgingCost(await readBookFromBytes(await readFile(file), file));
  const { stdout } = await runFabula(["evaluate", file, "--judge", named!.judge, "--dry-run", "--json"], {
    environment: { OPENAI_API_KEY: "not-used", FABULA_STORE: join(folder, "calls.db") },
  });
  const share = named!.dollars / JSON.parse(stdout).plan.expectedCost;
  expect(share).toBeGreaterThan(0.85);
  expect(share).toBeLessThan(1.2);
});
