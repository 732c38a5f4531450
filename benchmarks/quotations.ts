/**
 * How long it takes to look a quotation up in a book of 100,000 and of 400,000 words: one that stands there, one that was
 * misquoted, and one that stands nowhere (a sentence of another book), which is the dearest.
 *
 *   npx tsx benchmarks/quotations.ts NOVEL.epub NOVEL.epub... [--quotations 500]
 */
import { parseArgs } from "node:util";
import { randomInteger, seededRandom } from "../src/core/random.ts";
import { QuotationIndex } from "../src/judge/evidence/quotation-index.ts";
import type { Chapter } from "../src/text/book.ts";
import { readBook } from "../src/text/read-book.ts";

const { values, positionals } = parseArgs({
  options: { quotations: { type: "string", default: "500" } },
  allowPositionals: true,
});
const books = await Promise.all(positionals.map((file) => readBook(file)));
const chapters = books.slice(1).flatMap((book) => book.chapters);
const [foreign] = books;
if (!foreign || chapters.length === 0)
  throw new Error("Name two novels or more: the first is where foreign sentences come from.");

const random = seededRandom(7);
for (const wanted of [100_000, 400_000]) {
  const book = longEnough(chapters, wanted);
  const words = book.reduce((sum, chapter) => sum + chapter.words, 0);
  const index = new QuotationIndex(book);
  const opening = seconds(() => index.find("a first search lays the index, whatever it is that it looks for"));
  const kinds = {
    "as it stands": () => passage(book),
    misquoted: () => passage(book).replace(/ (\w+) (\w+) /, " $2 $1 oddly "),
    "of another book": () => passage(foreign.chapters),
  };
  console.log(`${words.toLocaleString("en-GB")} words: the index in ${(1000 * opening).toFixed(0)} ms`);
  for (const [kind, make] of Object.entries(kinds)) {
    const quotations = Array.from({ length: Number(values.quotations) }, make);
    let found = 0;
    const taken = seconds(() => {
      for (const quotation of quotations) if (index.find(quotation)) found += 1;
    });
    const each = (1e6 * taken) / quotations.length;
    console.log(`  ${kind}: ${each.toFixed(0)} µs each, ${found} of ${quotations.length} found`);
  }
}

/** Chapters until there are so many words; a shelf that is too small is read again. */
function longEnough(shelf: readonly Chapter[], words: number): Chapter[] {
  const taken: Chapter[] = [];
  for (let count = 0, at = 0; count < words; at++) {
    const chapter = shelf[at % shelf.length]!;
    taken.push({ ...chapter, index: at + 1 });
    count += Math.max(1, chapter.words);
  }
  return taken;
}

function passage(shelf: readonly Chapter[]): string {
  const long = shelf.filter(({ text }) => text.length > 400);
  const { text } = long[randomInteger(random, long.length)]!;
  const start = randomInteger(random, text.length - 200);
  return text.slice(start, start + 40 + randomInteger(random, 120));
}

/** Processor time, not the clock's: other work on the machine does not count. */
function seconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
