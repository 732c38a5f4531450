import { readdir } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { FabulaError } from "../../core/errors.ts";
import type { ProgressListener } from "../../core/progress.ts";
import type { Story } from "../../reader/predictor/story.ts";
import { readBook } from "../../text/read-book.ts";
import { bookStory, missingFrom, withGivenDetails } from "../books/reading/book-story.ts";
import { readStoryFile } from "../books/reading/read-story.ts";

export interface BookToRank {
  readonly file: string;
  readonly title: string;
  readonly story: Story;
  /** What the description lacks. */
  readonly missing: readonly string[];
}

export interface UnrankedBook {
  readonly file: string;
  readonly reason: string;
}

const BOOKS = new Set([".epub", ".txt", ".md", ".html", ".htm", ".docx", ".pdf"]);

/**
 * The books of a folder. A book is known by what its file says about it; a JSON file of the same name beside it (`novel.epub`,
 * `novel.json`) adds a plot summary, characters, genres. A JSON file without a book is a story of its own.
 */
export async function booksToRank(
  folder: string,
  onProgress?: ProgressListener,
): Promise<{ books: BookToRank[]; unranked: UnrankedBook[] }> {
  const books: BookToRank[] = [];
  const unranked: UnrankedBook[] = [];
  const files = await filesOf(folder);
  for (const [done, { file, details }] of files.entries()) {
    onProgress?.({ stage: "Reading", done, total: files.length });
    try {
      const story = await storyOf(file, details);
      books.push({ file, title: story.title ?? basename(file), story, missing: missingFrom(story) });
    } catch (cause) {
      if (!(cause instanceof FabulaError)) throw cause;
      unranked.push({ file, reason: cause.message });
    }
  }
  if (books.length + unranked.length === 0) {
    throw new FabulaError("E_BOOKS_MISSING", `"${folder}" holds no books: put EPUB, text or JSON files into it.`);
  }
  return { books, unranked };
}

async function filesOf(folder: string): Promise<{ file: string; details: string | null }[]> {
  let names: string[];
  try {
    names = (await readdir(folder)).sort();
  } catch (cause) {
    throw new FabulaError("E_FILE_READ", `"${folder}" is not a folder that can be read: check the path.`, { cause });
  }
  const stem = (name: string) => name.slice(0, name.length - extname(name).length);
  const endingOf = (name: string) => extname(name).toLowerCase();
  const books = names.filter((name) => BOOKS.has(endingOf(name)));
  const stems = new Set(books.map(stem));
  const descriptions = names.filter((name) => endingOf(name) === ".json");
  return [
    ...books.map((name) => {
      const details = descriptions.find((description) => stem(description) === stem(name));
      return { file: join(folder, name), details: details === undefined ? null : join(folder, details) };
    }),
    ...descriptions
      .filter((name) => !stems.has(stem(name)))
      .map((name) => ({ file: join(folder, name), details: null })),
  ];
}

async function storyOf(file: string, details: string | null): Promise<Story> {
  if (extname(file).toLowerCase() === ".json") return readStoryFile(file);
  const story = bookStory(await readBook(file));
  return details === null ? story : withGivenDetails(story, await readStoryFile(details));
}
