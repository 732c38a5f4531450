import { basename, join } from "node:path";
import { FabulaError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { sumBy } from "../stats/distribution/sum-by.ts";
import { assembleBook } from "./assemble-book.ts";
import type { Book } from "./book.ts";
import { bookYamlBeside } from "./corrections/book-yaml-beside.ts";
import type { ChapterCorrections } from "./corrections/chapter-corrections.ts";
import type { CharacterCorrections } from "./corrections/character-corrections.ts";
import { compareEditions, editionOf, editionsOf } from "./editions.ts";
import { chapterFilesIn, chapterFilesMatching, filesIn, isGlob, readChapterFiles } from "./files/chapter-files.ts";
import { LIMITS } from "./files/limits.ts";
import { checkProduced } from "./files/produced.ts";
import { kindOfPath, notFound, readLimited, tooLarge } from "./files/read-file.ts";
import { formatNamed, recogniseFormat } from "./formats/recognise-format.ts";
import type { Metadata } from "./manuscript.ts";

export interface ReadOptions {
  /** What the user says about the book; it stands over what the file and `book.yaml` say. */
  readonly metadata?: Metadata;
  /** The format's name, when the file's name and first bytes do not tell. */
  readonly format?: string;
  /** How a person corrects the chapters that are found; they stand over those of `book.yaml`. */
  readonly corrections?: ChapterCorrections;
  /** How a person corrects the characters that are found; they stand over those of `book.yaml`. */
  readonly characterCorrections?: CharacterCorrections;
  /** Corrections to the characters that are kept elsewhere for a file with this hash; `book.yaml` stands over them. */
  readonly keptCharacters?: (sha256: string) => Promise<CharacterCorrections | null>;
  /** What `-` stands for. */
  readonly stdin?: AsyncIterable<Uint8Array | string>;
  /** Ends the reading, whatever it is doing. */
  readonly signal?: AbortSignal;
}

/** What a command says of how its books are to be read. */
export type BookReading = Pick<ReadOptions, "metadata" | "keptCharacters">;

/** Reads a book in this process: one file, a folder or a quoted glob of chapter files. `readBook` calls it in another. */
export async function readBookHere(path: string, options: ReadOptions = {}): Promise<Book> {
  const kind = await kindOfPath(path);
  const beside = async (): Promise<ReadOptions> => {
    const { metadata, ...corrections } = await bookYamlBeside(path, kind === "folder");
    return { ...corrections, ...options, metadata: { ...metadata, ...options.metadata } };
  };
  switch (kind) {
    case "file":
      return readBytesHere(await readLimited(path), path, await beside());
    case "folder": {
      const editions = editionsOf(await filesIn(path));
      if (editions !== null) return readEditions(path, editions, await beside());
      const files = await chapterFilesIn(path);
      if (files.length === 1) return readBytesHere(await readLimited(files[0]!), files[0]!, await beside());
      return readChapters(files, path, await beside());
    }
    case "nothing": {
      const files = isGlob(path) ? await chapterFilesMatching(path) : [];
      if (files.length === 0) throw notFound(path);
      return readChapters(files, path, await beside());
    }
    default:
      return kind satisfies never;
  }
}

/** The same from bytes already in memory. `readBookFromBytes` calls it in another process; the server's own tasks run in one. */
export async function readBytesHere(bytes: Uint8Array, name: string, options: ReadOptions = {}): Promise<Book> {
  if (bytes.length > LIMITS.fileBytes) throw tooLarge(name, bytes.length);
  if (bytes.length === 0) throw new FabulaError("E_EMPTY", `${name} is empty: there is nothing to read.`);
  const formatName = options.format ?? recogniseFormat(bytes, name);
  const { format } = await formatNamed(formatName).load();
  const manuscript = await format.read({ bytes, name });
  const source = { file: name, format: formatName, bytes: bytes.length, sha256: sha256(bytes) };
  return checked(await corrected(assembleBook(manuscript, source, options.metadata), options));
}

function checked(book: Book): Book {
  checkProduced(
    sumBy(book.chapters, ({ text }) => text.length),
    book.source.file,
  );
  return book;
}

/** Few books are corrected: what that takes is loaded for those. */
async function corrected(book: Book, { corrections = [], characterCorrections }: ReadOptions): Promise<Book> {
  if (corrections.length === 0) return characterCorrections ? { ...book, characterCorrections } : book;
  const { correctChapters } = await import("./corrections/chapter-corrections.ts");
  return { ...correctChapters(book, corrections), ...(characterCorrections && { characterCorrections }) };
}

/** A folder with one book in several formats, as Project Gutenberg keeps it: the first is read, the other compared with it. */
async function readEditions(
  folder: string,
  { first, other }: { readonly first: string; readonly other: string | null },
  options: ReadOptions,
): Promise<Book> {
  const read = async (name: string, settings: ReadOptions) => {
    const path = join(folder, name);
    return readBytesHere(await readLimited(path), path, settings);
  };
  const book = await read(first, options);
  if (other === null) return book;
  const twin = await read(other, { corrections: options.corrections ?? [] });
  const compared = compareEditions(editionOf(book), editionOf(twin));
  return { ...book, warnings: [...book.warnings, ...compared] };
}

async function readChapters(files: readonly string[], path: string, options: ReadOptions): Promise<Book> {
  const { manuscript, bytes, sha256: hash } = await readChapterFiles(files, path);
  const source = { file: path, format: "folder", bytes, sha256: hash };
  const book = assembleBook(manuscript, source, { title: basename(path), ...options.metadata });
  return checked(await corrected(book, options));
}
