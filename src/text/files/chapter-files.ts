import { readdir } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { glob } from "tinyglobby";
import { FabulaError } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { CHAPTER_EXTENSIONS, formatNamed, recogniseFormat } from "../formats/recognise-format.ts";
import type { Block, Manuscript } from "../manuscript.ts";
import { LIMITS } from "./limits.ts";
import { readLimited, tooLarge, unreadable } from "./read-file.ts";

/** The chapter files of a folder in reading order: 2 comes before 10. */
export async function chapterFilesIn(folder: string): Promise<string[]> {
  const files = (await filesIn(folder)).filter(isChapterFile).map((name) => join(folder, name));
  if (files.length === 0) {
    throw new FabulaError(
      "E_DIRECTORY",
      `${folder} is a folder without chapter files: give the book file itself, or a folder of text, Markdown, HTML or DOCX chapters.`,
    );
  }
  return inReadingOrder(files);
}

export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw unreadable(folder, cause);
  });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

export async function chapterFilesMatching(pattern: string): Promise<string[]> {
  const files = await glob(pattern, { onlyFiles: true, expandDirectories: false, absolute: false });
  return inReadingOrder(files.filter(isChapterFile));
}

export function isGlob(path: string): boolean {
  return /[*?[{]/.test(path);
}

export function isChapterFile(path: string): boolean {
  const extension = extname(path).slice(1).toLowerCase();
  return (
    !basename(path).startsWith(".") && !/^readme\b/i.test(basename(path)) && CHAPTER_EXTENSIONS.includes(extension)
  );
}

function inReadingOrder(files: readonly string[]): string[] {
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  return [...files].sort(collator.compare);
}

/** One book out of many files, each a chapter. A file's own first heading is its title, else its name is. */
export async function readChapterFiles(files: readonly string[], name: string) {
  const blocks: Block[] = [];
  const parts: Manuscript[] = [];
  const hashes: string[] = [];
  let size = 0;
  for (const file of files) {
    const bytes = await readLimited(file);
    size += bytes.length;
    if (size > LIMITS.fileBytes) throw tooLarge(name, size);
    if (bytes.length === 0) continue;
    const { format } = await formatNamed(recogniseFormat(bytes, file)).load();
    const part = await format.read({ bytes, name: file });
    parts.push(part);
    hashes.push(sha256(bytes));
    blocks.push({ kind: "section", where: file, role: "chapter", title: titleFromName(file) }, ...part.blocks);
  }
  const manuscript: Manuscript = {
    blocks,
    metadata: {},
    encoding: [...new Set(parts.map(({ encoding }) => encoding))].join(", ") || "UTF-8",
    removed: parts.flatMap(({ removed }) => removed),
    warnings: [...new Set(parts.flatMap(({ warnings }) => warnings))],
  };
  return { manuscript, bytes: size, sha256: sha256(hashes.join("\n")) };
}

/** "03-the_wedding.md" says "the wedding". */
function titleFromName(file: string): string | null {
  const words = basename(file, extname(file))
    .replace(/^(?:chapter|chap|ch)?[\s._-]*\d+[\s._-]*/i, "")
    .replace(/[_-]+/g, " ")
    .trim();
  return words || null;
}
