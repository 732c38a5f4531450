/**
 * What the methods cost on LongStoryEval's setting: a book of 121,000 tokens, five runs, GPT-4o at the prices of the table,
 * beside what the paper paid per book (Table 8: $94, $416 and $499 for 150 books). Planned by a dry run; nothing is sent.
 *
 *   npx tsx benchmarks/judging-cost.ts [--runs 5] [--judge openai:gpt-4o]
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type MethodName, PUBLISHED_METHODS } from "../src/judge/methods/method.ts";
import { plannedCalls } from "../src/judge/methods/registry.ts";
import { readBook } from "../src/text/read-book.ts";
import { segmentBook } from "../src/text/segments.ts";
import { judgeBooks } from "../src/workflows/books/judge-books.ts";
import { madeNovel } from "./support/made-library.ts";

const { values } = parseArgs({
  options: { runs: { type: "string", default: "5" }, judge: { type: "string", default: "openai:gpt-4o" } },
});
const PAPER: Readonly<Partial<Record<MethodName, number>>> = {
  summary: 94 / 150,
  aggregate: 416 / 150,
  incremental: 499 / 150,
};
/** English prose has about four words for five of GPT-4o's tokens: 121,000 tokens are some 93,000 words. */
const CHAPTERS = 31;
const WORDS_PER_CHAPTER = 3000;

const folder = await mkdtemp(join(tmpdir(), "fabula-cost-"));
try {
  const file = join(folder, "novel.md");
  await writeFile(file, madeNovel(CHAPTERS, WORDS_PER_CHAPTER));
  const book = await readBook(file);
  const segments = segmentBook(book).length;
  const runs = Number(values.runs);
  console.log(`${book.words.toLocaleString("en-GB")} words in ${segments} segments, ${runs} runs, ${values.judge}\n`);
  console.log("method        calls   input tokens   planned   with prefix cache   paper");
  for (const method of PUBLISHED_METHODS) {
    const { plan } = await judgeBooks(
      { kind: "books", files: [file] },
      {
        judges: [values.judge],
        method,
        runs,
        settings: {
          store: join(folder, `${method}.db`),
          command: [],
          folder,
          connections: { openai: { key: "unused" }, anthropic: { key: "unused" }, google: { key: "unused" } },
          dryRun: true,
        },
        services: { signal: new AbortController().signal },
      },
    );
    if (!plan) throw new Error("a dry run gives a plan");
    const dollars = (amount: number | null | undefined) =>
      amount === null || amount === undefined ? "–" : `$${amount.toFixed(2)}`;
    const expected = plannedCalls(method, segments, runs);
    const refused = plan.calls === 0 ? "  (refused: it does not fit the model's context)" : "";
    if (!refused && plan.calls !== expected)
      throw new Error(`${method}: ${plan.calls} calls planned, ${expected} expected`);
    console.log(
      `${method.padEnd(12)} ${String(plan.calls).padStart(6)} ${plan.inputTokens.toLocaleString("en-GB").padStart(14)} ${dollars(plan.expectedCost).padStart(9)} ${dollars(plan.expectedCostCached).padStart(19)} ${dollars(PAPER[method]).padStart(7)}${refused}`,
    );
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
