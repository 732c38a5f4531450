import { readdir, stat } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { FabulaError } from "../../core/errors.ts";
import { recogniseHeading } from "../chapters/recognise.ts";
import { editionsOf } from "../editions.ts";
import { isChapterFile } from "./chapter-files.ts";
import { decodeText } from "./encoding.ts";
import { kindOfPath, readLimited } from "./read-file.ts";

const BOOK_EXTENSIONS = new Set([".epub", ".pdf"]);
/** A file of this size holds more than a chapter. */
const LONG_FILE_BYTES = 120_000;
const DEEPEST_FOLDER = 3;

/**
 * The books that a user's paths stand for. A file, a glob and `-` stand for themselves; a folder is one book where it holds
 * chapters or the editions of one book, else every book in it and in its folders.
 */
export async function findBooks(paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    if (path === "-" || (await kindOfPath(path)) !== "folder") found.push(path);
    else {
      const books = await booksIn(path, 0, false);
      if (books.length === 0) throw noBooks(path);
      for (const book of books) found.push(book);
    }
  }
  return found;
}

async function booksIn(folder: string, depth: number, isInProject: boolean): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true }))
    .filter(({ name }) => !name.startsWith(".") && name !== "node_modules")
    .sort((one, other) => COLLATOR.compare(one.name, other.name));
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  if (files.includes("book.yaml")) return [folder];
  const isProject = isInProject || files.some(isOfAProject);
  const books = files.filter((name) => BOOK_EXTENSIONS.has(extname(name).toLowerCase()));
  const texts = files.filter(isChapterFile);
  if (books.length === 0 && texts.length === 1 && depth === 0 && !isProject) return [join(folder, texts[0]!)];
  if (books.length === 0 && texts.length >= 2) {
    if (editionsOf(texts) !== null) return [folder];
    // Only the folder that was asked for: further down, numbered notes would pass for a book.
    if (depth === 0 && !isProject && (await areChapters(folder, texts))) return [folder];
  }
  const folders = depth >= DEEPEST_FOLDER ? [] : entries.filter((entry) => entry.isDirectory());
  const inside: string[] = [];
  for (const { name } of folders) {
    for (const book of await booksIn(join(folder, name), depth + 1, isProject)) inside.push(book);
  }
  // A short text beside books is a note about them, unless it has chapters of its own.
  const long = isProject ? [] : await wholeBooks(folder, texts);
  return [...[...books, ...long].map((name) => join(folder, name)), ...inside];
}

/** Files that a program's folder has and a book's has not. */
function isOfAProject(name: string): boolean {
  return /^(?:readme|license|changelog|contributing|package\.json|makefile)\b/i.test(name);
}

const COLLATOR = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Chapter files are numbered, or short and of one kind; none of them is long or begins a count of chapters itself. */
async function areChapters(folder: string, names: readonly string[]): Promise<boolean> {
  const numbered = names.filter((name) => /\d|chapter|prologue|epilogue|^第/i.test(name)).length;
  const whole = await wholeBooks(folder, names);
  if (whole.length > names.length / 2) return false;
  return numbered >= names.length / 2 || new Set(names.map((name) => extname(name).toLowerCase())).size === 1;
}

async function wholeBooks(folder: string, names: readonly string[]): Promise<string[]> {
  const isWhole = await Promise.all(names.map((name) => isWholeBook(join(folder, name))));
  return names.filter((_name, index) => isWhole[index]);
}

/** A long text, or a short one with chapters in it: several headings, among them a first and a second. */
async function isWholeBook(path: string): Promise<boolean> {
  if ((await stat(path)).size >= LONG_FILE_BYTES) return true;
  if (!/\.(?:txt|text|md|markdown)$/i.test(path)) return false;
  const { text } = decodeText(await readLimited(path), path);
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
