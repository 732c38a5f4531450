import { readdir, readFile } from "node:fs/promises";
import { join, parse } from "node:path";
import { FabulaError } from "../../core/errors.ts";
import { chooseExcerpts } from "../../judge/material/excerpts.ts";
import { excerptsText } from "../../judge/methods/summary.ts";
import { readBook } from "../../text/read-book.ts";
import { pocketDistinctiveness } from "../books/jury/pocket-distinctiveness.ts";
import type { ReviewedBookRow } from "./review-data.ts";

/** The ids of the books that a file names, one per line, by id or title. A name that is no book is refused: it would be trained on. */
export async function namedBooks(path: string, books: ReadonlyMap<string, ReviewedBookRow>): Promise<Set<string>> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new FabulaError("E_FILE_READ", `"${path}" could not be read: check the path given with --test-books.`, {
      cause,
    });
  });
  const byTitle = new Map([...books].map(([id, { title }]) => [folded(title ?? id), id]));
  const names = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return new Set(
    names.map((name) => {
      const id = books.has(name) ? name : byTitle.get(folded(name));
      if (id !== undefined) return id;
      throw new FabulaError(
        "E_BOOK_UNKNOWN",
        `"${path}" names "${name}", which is not one of the books: give ids or titles.`,
      );
    }),
  );
}

function folded(title: string): string {
  return title
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/**
 * What a model is shown of each book word for word: the excerpts of its row, or else those that an evaluation of its text
 * would show, so that training looks like use.
 */
export async function excerptsOf(
  ids: readonly string[],
  books: ReadonlyMap<string, ReviewedBookRow>,
  folder: string | undefined,
): Promise<Map<string, string>> {
  const files = folder === undefined ? [] : await readdir(folder).catch(() => unreadable(folder));
  const fileOf = new Map(files.map((file) => [parse(file).name, join(folder!, file)]));
  const excerpts = new Map<string, string>();
  for (const id of ids) {
    const given = books.get(id)?.excerpts;
    const file = fileOf.get(id);
    const text = given || (file === undefined ? "" : await excerptsOfFile(file));
    if (text !== "") excerpts.set(id, text);
  }
  return excerpts;
}

function unreadable(folder: string): never {
  throw new FabulaError(
    "E_FILE_READ",
    `"${folder}" is not a folder that can be read: check the path given with --texts.`,
  );
}

async function excerptsOfFile(file: string): Promise<string> {
  const book = await readBook(file);
  const distinctiveness = await pocketDistinctiveness(book, new AbortController().signal);
  return excerptsText(chooseExcerpts(book, distinctiveness ? { measure: distinctiveness.measure } : {}), "en");
}
