/**
 * Plain text and HTML of one Project Gutenberg book must give one book: the same chapters under the same titles, with
 * words within half a per cent, and the same last paragraph.
 *
 *   npx tsx evals/text-formats.ts FOLDER    (a folder per book, each with its .txt and .htm files)
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Book } from "../src/text/book.ts";
import { headingKey } from "../src/text/chapters/titles.ts";
import { lastParagraph } from "../src/text/editions.ts";
import { readBook } from "../src/text/read-book.ts";

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("Usage: npx tsx evals/text-formats.ts FOLDER");

const TOLERANCE = 0.005;

function differences(text: Book, html: Book): string[] {
  const found: string[] = [];
  if (text.chapters.length !== html.chapters.length)
    found.push(`${text.chapters.length} chapters against ${html.chapters.length}`);
  for (const [index, chapter] of text.chapters.entries()) {
    const other = html.chapters[index];
    if (!other) break;
    if (headingKey(chapter.title ?? "") !== headingKey(other.title ?? "")) {
      found.push(`chapter ${chapter.index}: “${chapter.title}” against “${other.title}”`);
    } else if (Math.abs(chapter.words - other.words) > Math.max(10, TOLERANCE * other.words)) {
      found.push(`chapter ${chapter.index}: ${chapter.words} words against ${other.words}`);
    }
  }
  if (Math.abs(text.words - html.words) > TOLERANCE * html.words)
    found.push(`${text.words} words against ${html.words}`);
  return found;
}

function isSameBook(text: Book, html: Book): boolean {
  const titles = ({ chapters }: Book) => chapters.map(({ title }) => headingKey(title ?? "")).join("\n");
  return titles(text) === titles(html) && Math.abs(text.words - html.words) <= TOLERANCE * html.words;
}

let pairs = 0;
let equal = 0;
let equalWhole = 0;
let equalCounts = 0;
let equalEndings = 0;
for (const entry of readdirSync(folder, { withFileTypes: true }).filter((item) => item.isDirectory())) {
  const files = readdirSync(join(folder, entry.name)).filter((file) => !file.startsWith("@"));
  const page = files.find((file) => /\.html?$/i.test(file));
  if (!page) continue;
  const html = await readBook(join(folder, entry.name, page));
  for (const file of files.filter((name) => /\.txt$/i.test(name)).sort()) {
    const text = await readBook(join(folder, entry.name, file));
    const found = differences(text, html);
    pairs++;
    if (found.length === 0) equal++;
    if (isSameBook(text, html)) equalWhole++;
    if (text.chapters.length === html.chapters.length) equalCounts++;
    if (lastParagraph(text) === lastParagraph(html)) equalEndings++;
    console.log(
      `${found.length === 0 ? "same" : "DIFFERENT"}  ${entry.name}/${file}: ${text.chapters.length} chapters, ${text.words} words`,
    );
    for (const line of found.slice(0, 8)) console.log(`    ${line}`);
  }
}
console.log(`${equal} of ${pairs} plain texts agree with the HTML in every title and in the words of every chapter`);
console.log(`${equalWhole} of ${pairs} agree in every title and in the words of the book`);
console.log(
  `${equalCounts} of ${pairs} have as many chapters; ${equalEndings} of ${pairs} end with the same paragraph`,
);
