import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseBookBytes } from "../../text/parse-book.ts";
import { type BookCard, newCard, originalName, writeBookFiles } from "./book-files.ts";

export interface KeepBookInput {
  readonly path: string;
  readonly folder: string;
  readonly id: string;
  readonly name: string;
  readonly title?: string;
  readonly addedAt: string;
}

/** Parses a file and writes the folder that the library keeps of it. */
export async function keepBook({ path, folder, id, name, title, addedAt }: KeepBookInput): Promise<BookCard> {
  const book = await parseBookBytes(await readFile(path), name, title === undefined ? {} : { metadata: { title } });
  const card = newCard(book, id, addedAt, book);
  await copyFile(path, join(folder, originalName(card.format)));
  await writeBookFiles(folder, book, card);
  return card;
}
