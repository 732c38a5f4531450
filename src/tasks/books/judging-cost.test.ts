import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hurriedClock } from "../../../test/support/hurried-clock.ts";
import { assetPath } from "../../core/assets.ts";
import { seededRandom } from "../../core/random.ts";
import { readBookFromBytes } from "../../text/read-book.ts";
import { judgeBooks } from "./judge-books.ts";
import { estimateJudgingCost } from "./jury/evaluate-with-jury.ts";

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
  const book = await readBookFromBytes(await readFile(file), file);
  const named = await estimateJudgingCost(book);
  const { plan } = await judgeBooks(
    { kind: "books", files: [file] },
    {
      judges: [named!.judge],
      method: "summary",
      protocol: "rubric",
      runs: 5,
      settings: {
        store: ":memory:",
        dryRun: true,
        command: [],
        folder,
        connections: { openai: { key: "not-used" } },
      },
      services: { signal: new AbortController().signal, clock: hurriedClock, random: seededRandom(3) },
    },
  );
  const share = named!.dollars / plan!.expectedCost!;
  expect(share).toBeGreaterThan(0.9);
  expect(share).toBeLessThan(1.1);
});
