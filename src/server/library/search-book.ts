import type { SearchHit } from "../../api/books.ts";
import { readTexts } from "./book-files.ts";
import type { BookLibrary } from "./book-library.ts";

const MOST = 200;
const AROUND = 80;

/** Finds words in a book, ignoring case, the kind of quotation marks and white space. */
export async function searchBook(books: BookLibrary, id: string, words: string): Promise<SearchHit[]> {
  const { chapters } = await books.contents(id);
  const pattern = patternFor(words);
  if (!pattern) return [];
  const texts = await readTexts(books.folderOf(id), chapters);
  const hits: SearchHit[] = [];
  for (const [position, text] of texts.entries()) {
    for (const match of text.matchAll(pattern)) {
      const start = match.index;
      const end = start + match[0].length;
      hits.push({
        chapter: chapters[position]!.index,
        start,
        end,
        before: text.slice(Math.max(0, start - AROUND), start),
        after: text.slice(end, end + AROUND),
      });
      if (hits.length === MOST) return hits;
    }
  }
  return hits;
}

function patternFor(words: string): RegExp | null {
  const wanted = words.trim();
  if (wanted === "") return null;
  const source = wanted
    .replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
    .replace(/\s+/g, "\\s+")
    .replace(/['‘’]/g, "['‘’]")
    .replace(/["“”„«»]/g, '["“”„«»]');
  return new RegExp(source, "giu");
}
