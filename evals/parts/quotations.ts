import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Random, randomInteger, seededRandom } from "../../src/core/random.ts";
import { QuotationIndex } from "../../src/judge/evidence/quotation-index.ts";
import { findSuspicions } from "../../src/judge/suspicion/find-suspicions.ts";
import { wilsonInterval } from "../../src/stats/distribution.ts";
import type { Book } from "../../src/text/book.ts";
import { readBook } from "../../src/text/read-book.ts";
import { defineEval, type Figure } from "../part.ts";

const SEED = 5;
const BOOKS = 12;
const QUOTATIONS = 40;

/** What a judge does to a passage when it quotes it. */
const SLIPS: Readonly<Record<string, (quote: string, random: Random) => string>> = {
  plain: (quote) => quote,
  punctuation: (quote) => quote.replace(/[“”]/g, '"').replace(/[‘’]/g, "'").replace(/—/g, " - ").replace(/\s+/g, " "),
  omission: (quote, random) => {
    const words = quote.split(" ");
    const at = 4 + randomInteger(random, Math.max(1, words.length - 10));
    return [...words.slice(0, at), "…", ...words.slice(at + 2)].join(" ");
  },
  word: (quote, random) => {
    const words = quote.split(" ");
    words[1 + randomInteger(random, words.length - 2)] = "something";
    return words.join(" ");
  },
};

const SLIP_NAMES: Readonly<Record<string, string>> = {
  plain: "as written",
  punctuation: "with other punctuation",
  omission: "with two words left out",
  word: "with one word changed",
};

/** Quotations as judges write them, searched in the book they are from and in another; and how often honest prose is suspected. */
export default defineEval({
  id: "quotations",
  title: "Checking quotations",
  data: { "epub-books": "a folder of novels as EPUB" },
  async run(paths, onProgress) {
    const files = readdirSync(paths["epub-books"])
      .filter((file) => file.endsWith(".epub"))
      .sort();
    const chosen = files.filter((_, at) => at % Math.max(1, Math.floor(files.length / BOOKS)) === 0).slice(0, BOOKS);
    const books: Book[] = [];
    for (const [at, file] of chosen.entries()) {
      books.push(await readBook(join(paths["epub-books"], file)));
      onProgress({ stage: "Reading novels", done: at + 1, total: chosen.length });
    }
    const random = seededRandom(SEED);
    const counts = Object.fromEntries(Object.keys(SLIPS).map((slip) => [slip, { found: 0, of: 0 }]));
    const otherBooks = { found: 0, of: 0 };
    books.forEach((book, at) => {
      const own = new QuotationIndex(book.chapters);
      const other = new QuotationIndex(books[(at + 1) % books.length]!.chapters);
      for (let round = 0; round < QUOTATIONS; round++) {
        const { chapter, quote, start } = draw(book, random);
        for (const [slip, change] of Object.entries(SLIPS)) {
          const found = own.find(change(quote, random), chapter);
          const count = counts[slip]!;
          count.of++;
          // A short phrase may stand twice; what counts is a passage that begins where the quotation began, or says the same.
          const hit = found && (Math.abs(found.start - start) < 60 || found.match !== "fuzzy");
          if (hit) count.found++;
        }
        otherBooks.of++;
        if (other.find(quote)) otherBooks.found++;
      }
      onProgress({ stage: "Searching quotations", done: at + 1, total: books.length });
    });
    const words = books.reduce((sum, book) => sum + book.words, 0);
    const suspected = books.reduce((sum, book) => sum + findSuspicions(book).length, 0);
    return [
      ...Object.entries(counts).map(([slip, { found, of }]) =>
        shareOf(`found-${slip}`, `Quotations found again: ${SLIP_NAMES[slip]!}`, found, of, "higher"),
      ),
      shareOf("found-elsewhere", "Quotations “found” in another novel", otherBooks.found, otherBooks.of, "lower"),
      {
        id: "suspected-prose",
        name: "Passages of honest novels suspected of speaking to a judge, per million words",
        value: (1e6 * suspected) / words,
        interval: null,
        n: words,
        better: "lower",
      },
    ];
  },
});

/** A run of ten to thirty words from somewhere in the book. */
function draw({ chapters }: Book, random: Random): { chapter: number; quote: string; start: number } {
  for (;;) {
    const { index, text } = chapters[randomInteger(random, chapters.length)]!;
    if (text.length < 400) continue;
    const from = text.indexOf(" ", randomInteger(random, text.length - 300)) + 1;
    const quote = text
      .slice(from)
      .split(" ", 10 + randomInteger(random, 20))
      .join(" ");
    if (from > 0 && quote.split(" ").length >= 10 && !quote.includes("\n"))
      return { chapter: index, quote, start: from };
  }
}

function shareOf(id: string, name: string, found: number, of: number, better: Figure["better"]): Figure {
  return { id, name, value: found / of, interval: wilsonInterval(found, of, 0.95), n: of, better };
}
