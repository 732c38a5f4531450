/**
 * How long one `fabula read` takes over many EPUBs, start-up and token counts included; and how much processor time their parsing takes
 * beside what no reader of EPUBs can save: unpacking the same files and decoding their pages.
 *
 *   npm run build && npx tsx benchmarks/reading/read-epubs.ts FILE.epub...
 *
 * The ratio is measured book by book in one process, the two in turn, so that a busy machine slows both alike.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { unzipSync } from "fflate";
import { summariseBook } from "../../src/text/book-summary.ts";
import { readBookFromBytes } from "../../src/text/read-book.ts";
import { processorSeconds } from "../support/processor-seconds.ts";

const files = process.argv.slice(2);
if (files.length === 0) throw new Error("Usage: npx tsx benchmarks/reading/read-epubs.ts FILE.epub...");
const started = performance.now();
const { stdout, status } = spawnSync(process.execPath, ["dist/cli/main.js", "read", "--json", ...files], {
  encoding: "utf8",
  maxBuffer: 1e9,
});
const seconds = (performance.now() - started) / 1000;
const { books }: { books: { words: number; tokens: number; chapters: unknown[] }[] } = JSON.parse(stdout);
const sum = (of: (book: (typeof books)[number]) => number) => books.reduce((total, book) => total + of(book), 0);
console.log(
  `${books.length} books, ${sum(({ chapters }) => chapters.length)} chapters, ${sum(({ words }) => words)} words, ${sum(({ tokens }) => tokens)} tokens: ${seconds.toFixed(2)} s (exit ${status})`,
);

let [reading, unpacking] = [0, 0];
for (const file of files) {
  const bytes = readFileSync(file);
  reading += await processorSeconds(async () => summariseBook(await readBookFromBytes(bytes, file)));
  unpacking += await processorSeconds(() => {
    const decoder = new TextDecoder();
    for (const [name, content] of Object.entries(unzipSync(bytes)))
      if (/\.x?html?$/.test(name)) decoder.decode(content);
  });
}
console.log(
  `parsing ${reading.toFixed(2)} s of processor time, unpacking and decoding alone ${unpacking.toFixed(2)} s: ${(reading / unpacking).toFixed(1)} times`,
);
