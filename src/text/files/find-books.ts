import { stat } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { decodeText } from "../../core/encoding.ts";
import { FabulaError } from "../../core/errors.ts";
import { recogniseHeading } from "../chapters/recognise.ts";
import { editionsOf } from "../editions.ts";
import { COLLATOR, chapterFilesBelow, isChapterFile, isNumberedName } from "./chapter-files.ts";
import { projectIn } from "./projects.ts";
import { entriesIn, kindOfPath, namesOf, readLimited } from "./read-file.ts";

const BOOK_EXTENSIONS = new Set([".epub", ".pdf"]);
/** A file of this size contains more than a chapter. */
const LONG_FILE_BYTES = 120_000;
const DEEPEST_FOLDER = 3;

export interface FoundBooks {
  readonly files: readonly string[];
  /** Paths that do not lead to a book, each with the reason in a sentence. */
  readonly failed: readonly { readonly file: string; readonly reason: string }[];
}

/**
 * The books that a user's paths refer to. A file, a glob and `-` are one book each; a folder is one book if it contains chapters
 * or the editions of one book, otherwise every book in it and its subfolders. A path without a book does not stop the others.
 */
export async function findBooks(paths: readonly string[]): Promise<FoundBooks> {
  const files: string[] = [];
  const failed: { file: string; reason: string }[] = [];
  for (const path of paths) {
    try {
      for (const book of await booksAt(path)) files.push(book);
    } catch (error) {
      if (!(error instanceof FabulaError) || paths.length === 1) throw error;
      failed.push({ file: path, reason: error.message });
    }
  }
  if (files.length === 0 && failed.length > 0) {
    const reasons = failed.map(({ reason }) => `  ${reason}`);
    throw new FabulaError("E_NOT_FOUND", `There is no book among what was given:\n${reasons.join("\n")}`);
  }
  return { files, failed };
}

async function booksAt(path: string): Promise<string[]> {
  if (path === "-" || (await kindOfPath(path)) !== "folder") return [path];
  const books = await booksIn(path, 0, false);
  if (books.length === 0) throw noBooks(path);
  return books;
}

async function booksIn(folder: string, depth: number, isInProject: boolean): Promise<string[]> {
  const listed = await entriesIn(folder).catch((error: unknown) => {
    if (depth === 0) throw error;
    return null;
  });
  // A path that cannot be listed is returned as it is: reading it reports the reason, without stopping the other books.
  if (listed === null) return [folder];
  const entries = listed
    .filter(({ name }) => !name.startsWith(".") && name !== "node_modules")
    .sort((one, other) => COLLATOR.compare(one.name, other.name));
  const files = await namesOf(folder, entries, "file");
  if (files.includes("book.yaml") || /\.scriv$/i.test(folder) || (await projectIn(folder)) !== null) return [folder];
  const isProject = isInProject || files.some(isOfAProject);
  const books = files.filter((name) => BOOK_EXTENSIONS.has(extname(name).toLowerCase()));
  const texts = files.filter(isChapterFile);
  if (books.length === 0 && texts.length === 1 && depth === 0 && !isProject) return [join(folder, texts[0]!)];
  if (books.length === 0 && texts.length >= 2) {
    if (editionsOf(texts) !== null) return [folder];
    // Only in the folder that was asked for: in subfolders, numbered notes would be taken for a book.
    if (depth === 0 && (await areChapters(folder, texts, isProject))) return [folder];
  }
  if (
    depth === 0 &&
    books.length === 0 &&
    (await chapterFilesBelow(folder, 1)).length >= 2 &&
    (await wholeBooks(folder, texts)).length === 0
  )
    return [folder];
  const folders = depth >= DEEPEST_FOLDER ? [] : await namesOf(folder, entries, "folder");
  const inside: string[] = [];
  for (const name of folders) {
    for (const book of await booksIn(join(folder, name), depth + 1, isProject)) inside.push(book);
  }
  // A short text beside books is a note about them, unless it has chapters of its own.
  const long = isProject ? [] : await wholeBooks(folder, texts);
  return [...[...books, ...long].map((name) => join(folder, name)), ...inside];
}

/** Files found in a software project: in such a folder, texts are chapters only if they are numbered. */
function isOfAProject(name: string): boolean {
  return /^(?:readme|license|changelog|contributing|package\.json|makefile)\b/i.test(name);
}

/** Chapter files are numbered, or all of one format; most of them are not whole books. */
async function areChapters(folder: string, names: readonly string[], isProject: boolean): Promise<boolean> {
  const numbered = names.filter(isNumberedName).length;
  if (isProject && numbered < names.length / 2) return false;
  const whole = await wholeBooks(folder, names);
  if (whole.length > names.length / 2) return false;
  return numbered >= names.length / 2 || new Set(names.map((name) => extname(name).toLowerCase())).size === 1;
}

async function wholeBooks(folder: string, names: readonly string[]): Promise<string[]> {
  const isWhole = await Promise.all(names.map((name) => isWholeBook(join(folder, name))));
  return names.filter((_name, index) => isWhole[index]);
}

/**
 * A long text, or a short one with chapters in it: several headings, among them a first and a second. A file that cannot be read
 * counts as a book, so that reading it reports the reason.
 */
async function isWholeBook(path: string): Promise<boolean> {
  try {
    if ((await stat(path)).size >= LONG_FILE_BYTES) return true;
    if (!/\.(?:txt|text|md|markdown)$/i.test(path)) return false;
    return hasChapters(decodeText(await readLimited(path), path).text);
  } catch {
    return true;
  }
}

function hasChapters(text: string): boolean {
  const numbers = new Set<number>();
  for (const line of text.split(/\r\n?|\n/)) {
    const recognition = recogniseHeading(line.trim());
    if (recognition?.kind === "chapter" && recognition.number !== null) numbers.add(recognition.number);
  }
  return numbers.has(1) && numbers.has(2);
}

function noBooks(folder: string): FabulaError {
  const name = folder === "." ? "This folder" : basename(folder);
  return new FabulaError(
    "E_DIRECTORY",
    `${name} is a folder without books or chapter files: give the book file itself, or a folder of EPUBs, texts or chapters.`,
  );
}
