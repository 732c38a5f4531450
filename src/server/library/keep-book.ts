import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { assetPath } from "../../core/assets.ts";
import type { Book } from "../../text/book.ts";
import { signatureOf } from "../../text/near-duplicates.ts";
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

/** Loads what parsing needs before there is a file, by parsing a story; not if one has come meanwhile. */
export async function readyParser(signal: AbortSignal): Promise<void> {
  // What is being loaded arrives first.
  await setImmediate();
  if (signal.aborted) return;
  signatureOf((await exampleBook()).chapters.map(({ text }) => text).join("\n"));
}

/** A story that comes with the package. */
export async function exampleBook(): Promise<Book> {
  const name = "the-inspector-of-weights.md";
  return parseBookBytes(await readFile(assetPath("examples", name)), name, {});
}

/** Parses a file and writes the folder that the library keeps of it. */
export async function keepBook({ path, folder, id, name, title, addedAt }: KeepBookInput): Promise<BookCard> {
  const book = await parseBookBytes(await readFile(path), name, title === undefined ? {} : { metadata: { title } });
  const card = newCard(book, id, addedAt, book);
  await copyFile(path, join(folder, originalName(card.format)));
  await writeBookFiles(folder, book, card);
  return card;
}
