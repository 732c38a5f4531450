/**
 * How long one `fabula read` takes over many EPUBs, start-up and token counts included.
 *
 *   npm run build && npx tsx benchmarks/reading/read-epubs.ts FILE.epub...
 */
import { spawnSync } from "node:child_process";

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
