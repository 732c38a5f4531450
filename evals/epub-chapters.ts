/**
 * Agreement with a list of EPUBs whose number of chapter files is known.
 *
 *   npx tsx evals/epub-chapters.ts TABLE.tsv    (columns file, title, author, chapter_files; files relative to the table)
 *
 * The list counts files of chapters and title pages of parts and books; it leaves out volumes, prologues and epilogues.
 * Entries of the kinds "chapter" and "part" of `fabula read` count the same way (docs/decisions/006-chapters.md); `pages` are the
 * types the file declares.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { summariseBook } from "../src/text/book-summary.ts";
import { readBook } from "../src/text/read-book.ts";

const [table] = process.argv.slice(2);
if (!table) throw new Error("Usage: npx tsx evals/epub-chapters.ts TABLE.tsv");

const rows = readFileSync(table, "utf8")
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => line.split("\t"));
const CHAPTER_PAGES = ["chapter", "part", "division"];

/** A list of files cannot know how many chapters one file declares inside itself; 0 stands for stories and novels in one piece. */
let listWrong = 0;
const agreed = { chapters: 0, pages: 0, titles: 0, authors: 0 };
for (const [file = "", title = "", author = "", listed = ""] of rows) {
  const book = summariseBook(await readBook(join(dirname(table), file)));
  const pages = book.pages ?? {};
  const pageCount = CHAPTER_PAGES.reduce((sum, type) => sum + (pages[type] ?? 0), 0);
  const counted = book.chapters.filter(({ kind }) => kind === "chapter" || kind === "part").length;
  if (book.title === title) agreed.titles++;
  if (book.author === author) agreed.authors++;
  if (pageCount === Number(listed)) agreed.pages++;
  if (counted === Number(listed)) agreed.chapters++;
  else {
    const declared = Object.entries(pages).map(([type, count]) => `${count} ${type}`);
    const isInOneFile = counted > pageCount && pageCount === Number(listed);
    const why =
      listed === "0"
        ? "listed without chapters, but the text must stand somewhere"
        : isInOneFile
          ? "the list counts files, and one file declares several chapters"
          : "differs";
    if (listed === "0" || isInOneFile) listWrong++;
    console.log(`${title}: ${counted} against ${listed}, ${why} (declares ${declared.join(", ")})`);
  }
}
console.log(`chapters, by their bare count: ${agreed.chapters} of ${rows.length} agree`);
console.log(`where the list is right:       ${agreed.chapters} of ${rows.length - listWrong} agree`);
console.log(`pages, by declared type:       ${agreed.pages} of ${rows.length} agree`);
console.log(`titles: ${agreed.titles} of ${rows.length}, authors: ${agreed.authors} of ${rows.length}`);
