import { readdir, stat } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { FabulaError } from "../core/errors.ts";
import { isChapterFile } from "./chapter-files.ts";
import { editionsOf } from "./editions.ts";
import { kindOfPath } from "./read-file.ts";

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
      found.push(...books);
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
  if (books.length === 0 && texts.length >= 2) {
    if (editionsOf(texts) !== null) return [folder];
    // Only the folder that was asked for: further down, numbered notes would pass for a book.
    if (depth === 0 && !isProject && (await areChapters(folder, texts))) return [folder];
  }
  const folders = depth >= DEEPEST_FOLDER ? [] : entries.filter((entry) => entry.isDirectory());
  const inside: string[] = [];
  for (const { name } of folders) inside.push(...(await booksIn(join(folder, name), depth + 1, isProject)));
  // A short text beside books is a note about them.
  const long = isProject ? [] : await longFiles(folder, texts);
  return [...[...books, ...long].map((name) => join(folder, name)), ...inside];
}

/** Files that a program's folder has and a book's has not. */
function isOfAProject(name: string): boolean {
  return /^(?:readme|license|changelog|contributing|package\.json|makefile)\b/i.test(name);
}

const COLLATOR = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Chapter files are numbered, or short and of one kind. */
async function areChapters(folder: string, names: readonly string[]): Promise<boolean> {
  const numbered = names.filter((name) => /\d|chapter|prologue|epilogue|^第/i.test(name)).length;
  const long = await longFiles(folder, names);
  if (long.length > names.length / 2) return false;
  return numbered >= names.length / 2 || new Set(names.map((name) => extname(name).toLowerCase())).size === 1;
}

async function longFiles(folder: string, names: readonly string[]): Promise<string[]> {
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return names.filter((_name, index) => sizes[index]! >= LONG_FILE_BYTES);
}

function noBooks(folder: string): FabulaError {
  const name = folder === "." ? "This folder" : basename(folder);
  return new FabulaError(
    "E_DIRECTORY",
    `${name} is a folder without books or chapter files: give the book file itself, or a folder of EPUBs, texts or chapters.`,
  );
}
