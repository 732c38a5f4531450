/**
 * How fast the grader reads and how its cost grows: one novel, the same four and sixteen times as long, and a stream
 * of texts whose number must not show in the memory.
 *
 *   npx tsx benchmarks/grader.ts NOVEL.epub [--items 20000]
 */
import { parseArgs } from "node:util";
import { loadGrader } from "../src/jury/grader.ts";
import { readBook } from "../src/text/read-book.ts";

const { values, positionals } = parseArgs({
  options: { items: { type: "string", default: "20000" } },
  allowPositionals: true,
});
const [file] = positionals;
if (!file) throw new Error("Usage: npx tsx benchmarks/grader.ts NOVEL.epub [--items 20000]");

const started = performance.now();
const judge = await loadGrader();
console.log(`weights read in ${(performance.now() - started).toFixed(0)} ms`);

const book = await readBook(file);
const text = book.chapters.map((chapter) => chapter.text).join("\n\n");
// The compiler of the engine needs a few rounds; a benchmark of growth is not about them.
for (let round = 0; round < 4; round++) judge.examine(text);
let once = 0;
for (const times of [1, 4, 16]) {
  const longer = Array.from({ length: times }, () => text).join("\n\n");
  const { seconds } = timed(() => judge.examine(longer));
  once ||= seconds;
  console.log(
    `${times} × ${book.words} words, scores and shares of every sentence: ${seconds.toFixed(2)} s of processor time, ${(seconds / once).toFixed(1)} × the first`,
  );
}

const items = Number(values.items);
const passage = text.slice(0, 6000);
let middle = 0;
const { seconds } = timed(() => {
  for (let item = 0; item < items; item++) {
    judge.score(passage);
    if (item === Math.floor(items / 10)) middle = process.memoryUsage.rss();
  }
});
const growth = (process.memoryUsage.rss() - middle) / 1e6;
console.log(
  `${items} texts of about ${judge.score(passage).words} words: ${(items / seconds).toFixed(0)} a second, memory ${growth.toFixed(0)} MB more at the end than after a tenth`,
);

/** Processor time, not the clock's: other work on the machine does not count. */
function timed(work: () => void): { seconds: number } {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return { seconds: (user + system) / 1e6 };
}
