/**
 * Agreement with a list of EPUBs whose number of chapter files is known.
 *
 *   npx tsx evals/epub-chapters.ts TABLE.tsv    (columns file, title, author, chapter_files; files relative to the table)
 *
 * A chapter file is a page of the spine that the EPUB itself declares to be a chapter, or a part or division that holds
 * chapters: the list counts the title pages of parts and books too. `chapters` are what Fabula judges: title pages of parts
 * hold no text and are left out, prologues and epilogues are story and are in.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readBook } from "../src/text/read-book.ts";

const [table] = process.argv.slice(2);
if (!table) throw new Error("Usage: npx tsx evals/epub-chapters.ts TABLE.tsv");

const rows = readFileSync(table, "utf8")
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => line.split("\t"));
const CHAPTER_PAGES = ["chapter", "part", "division"];

let agreed = 0;
let titles = 0;
let authors = 0;
let withoutText = 0;
for (const [file = "", title = "", author = "", expected = ""] of rows) {
  const book = await readBook(join(dirname(table), file));
  const pages = book.source.pages ?? {};
  const chapterFiles = CHAPTER_PAGES.reduce((sum, type) => sum + (pages[type] ?? 0), 0);
  if (book.title === title) titles++;
  if (book.author === author) authors++;
  if (book.chapters.some(({ words }) => words < 20)) withoutText++;
  if (chapterFiles === Number(expected)) agreed++;
  else {
    const declared = Object.entries(pages).map(([type, count]) => `${count} ${type}`);
    console.log(
      `${title}: ${chapterFiles} against ${expected} (declares ${declared.join(", ")}; ${book.chapters.length} chapters judged)`,
    );
  }
}
console.log(`chapter files: ${agreed} of ${rows.length} agree`);
console.log(
  `titles: ${titles} of ${rows.length}, authors: ${authors} of ${rows.length}, books with a chapter under 20 words: ${withoutText}`,
);
