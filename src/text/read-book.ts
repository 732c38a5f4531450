import { readFile, stat } from "node:fs/promises";
import { basename, extname } from "node:path";
import { FabulaError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import type { Book, Chapter, Removal } from "./book.ts";
import { splitIntoChapters } from "./chapters/split.ts";
import { cleanBlocks } from "./clean/block-pass.ts";
import { formatNamed, recogniseFormat } from "./formats/recognise-format.ts";
import { detectLanguage } from "./language.ts";
import { LIMITS, megabytes } from "./limits.ts";
import type { Metadata } from "./manuscript.ts";
import { countWords } from "./words.ts";

export interface ReadOptions {
  /** What the user says about the book; it stands over what the file says. */
  readonly metadata?: Metadata;
  /** The format's name, when the file's name and first bytes do not tell. */
  readonly format?: string;
}

/** Reads a book from a file: decode, clean, find chapters, tell the language. */
export async function readBook(path: string, options: ReadOptions = {}): Promise<Book> {
  return readBookFromBytes(await readLimited(path), path, options);
}

async function readLimited(path: string): Promise<Uint8Array> {
  try {
    const facts = await stat(path);
    if (facts.isDirectory()) throw new FabulaError("E_DIRECTORY", `${path} is a folder: give the book file itself.`);
    // The size decides before anything is read, so that a huge file costs no memory.
    if (facts.size > LIMITS.fileBytes) {
      throw new FabulaError(
        "E_TOO_LARGE",
        `${path} is ${megabytes(facts.size)}, more than the ${megabytes(LIMITS.fileBytes)} a book may have: split it and give one book at a time.`,
      );
    }
    return await readFile(path);
  } catch (cause) {
    if (cause instanceof FabulaError) throw cause;
    const code = cause instanceof Error && "code" in cause ? cause.code : null;
    if (code === "ENOENT") throw new FabulaError("E_NOT_FOUND", `There is no file ${path}: check the path.`, { cause });
    if (code === "EACCES")
      throw new FabulaError("E_NOT_READABLE", `${path} may not be read: check its permissions.`, { cause });
    throw new FabulaError(
      "E_NOT_READABLE",
      `${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
      { cause },
    );
  }
}

/** The same from bytes already in memory, for uploads and standard input. `name` is shown, and its ending may tell the format. */
export async function readBookFromBytes(bytes: Uint8Array, name: string, options: ReadOptions = {}): Promise<Book> {
  if (bytes.length > LIMITS.fileBytes) {
    throw new FabulaError("E_TOO_LARGE", `${name} is more than the ${megabytes(LIMITS.fileBytes)} a book may have.`);
  }
  if (bytes.length === 0) throw new FabulaError("E_EMPTY", `${name} is empty: there is nothing to read.`);
  const formatName = options.format ?? recogniseFormat(bytes, name);
  const { format } = await formatNamed(formatName).load();
  const manuscript = await format.read({ bytes, name });
  const cleaned = cleanBlocks(manuscript.blocks);
  const split = splitIntoChapters(cleaned.blocks, manuscript.metadata.title ?? null);
  const chapters: Chapter[] = [];
  for (const { title, part, text } of split.chapters) {
    const words = countWords(text);
    chapters.push({ index: chapters.length + 1, title, text, words, ...(part !== null && { part }) });
  }
  const words = chapters.reduce((sum, chapter) => sum + chapter.words, 0);
  if (words === 0) throw new FabulaError("E_NO_TEXT", `${name} holds no readable text.`);
  const removed: Removal[] = [...manuscript.removed, ...cleaned.removed, ...split.removed];
  const metadata = { ...manuscript.metadata, ...options.metadata };
  return {
    title: metadata.title ?? basename(name, extname(name)),
    author: metadata.author ?? null,
    language: options.metadata?.language ?? detectLanguage(longest(chapters)) ?? manuscript.metadata.language ?? null,
    genres: metadata.genres ?? [],
    premise: metadata.premise ?? null,
    chapters,
    words,
    removed,
    warnings: [...manuscript.warnings, ...split.warnings],
    source: {
      file: name,
      format: formatName,
      encoding: manuscript.encoding,
      bytes: bytes.length,
      sha256: sha256(bytes),
    },
  };
}

/** The longest chapter speaks the book's language; a preface or a letter may not. */
function longest(chapters: readonly Chapter[]): string {
  return chapters.reduce((best, { text }) => (text.length > best.length ? text : best), "");
}
