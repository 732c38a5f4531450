import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { glob } from "tinyglobby";
import { FabulaError } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { CHAPTER_EXTENSIONS, formatNamed, recogniseFormat } from "../formats/recognise-format.ts";
import type { Block, Manuscript } from "../manuscript.ts";
import { isNoteName, type Project, type ProjectEntry } from "./projects.ts";
import { kindOfPath, LIMITS, readLimited, tooLarge, unreadable } from "./read-file.ts";

/**
 * The chapter files of a folder in reading order: 2 comes before 10. If it has none itself, those of its subfolders.
 */
export async function chapterFilesIn(folder: string): Promise<string[]> {
  const files = (await filesIn(folder)).filter(isChapterFile).map((name) => join(folder, name));
  const numbered = files.filter(isNumberedName);
  // Beside a folder of chapters, a file without a number is a note about them.
  if (numbered.length < 2) {
    const below = await chapterFilesBelow(folder, 1);
    if (below.length > Math.max(files.length, 1)) return below;
  }
  if (files.length === 0) {
    throw new FabulaError(
      "E_DIRECTORY",
      `${folder} is a folder without chapter files: give the book file itself, or a folder of text, Markdown, HTML, DOCX, ODT or RTF chapters.`,
    );
  }
  return inReadingOrder(files);
}

export function isNumberedName(path: string): boolean {
  return /\d|chapter|kapitel|chapitre|cap[ií]tulo|глава|prologue?|epilogue?|^第/iu.test(basename(path));
}

const DEEPEST_CHAPTERS = 3;
/** Folders of a repository that contain no chapters, whatever numbers their files have. */
const OTHER_FOLDERS =
  /^(?:\..*|_.*|node_modules|docs?|build|dist|out|output|assets|images?|img|fonts|scripts?|templates?|tests?|notes?|research|characters?|archive|old|backups?|deleted|trash|exports?)$/i;

/** The numbered chapter files in the folders of a folder, with a story in most of them: chapters/, manuscript/part-1/. */
export async function chapterFilesBelow(folder: string, depth: number): Promise<string[]> {
  if (depth > DEEPEST_CHAPTERS) return [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries.sort((one, other) => COLLATOR.compare(one.name, other.name))) {
    if (OTHER_FOLDERS.test(entry.name) || !(entry.isDirectory() || (await leadsTo(folder, entry, "folder")))) continue;
    const inner = join(folder, entry.name);
    const files = (await filesIn(inner).catch(() => [])).filter(isChapterFile).map((name) => join(inner, name));
    const numbered = files.filter(isNumberedName);
    if (numbered.length >= 2 && numbered.length >= files.length / 2 && (await areProse(numbered))) {
      found.push(...inReadingOrder(files));
    } else found.push(...(await chapterFilesBelow(inner, depth + 1)));
  }
  return found;
}

const COLLATOR = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const SMALLEST_CHAPTER = 1_000;

/** Long enough for chapters, as far as the first few tell; the pages of a manual are full of lists and code. */
async function areProse(files: readonly string[]): Promise<boolean> {
  const sample = files.slice(0, 5);
  const isProse = await Promise.all(
    sample.map(async (file) => {
      const bytes = await readLimited(file).catch(() => new Uint8Array());
      if (bytes.length < SMALLEST_CHAPTER) return false;
      if (!/\.(?:txt|text|md|markdown)$/i.test(file)) return true;
      const lines = new TextDecoder().decode(bytes.subarray(0, 20_000)).split("\n");
      const marked = lines.filter((line) => /^\s*(?:[-*+] |\d+\. |```|\|| {4}\S|<)/.test(line)).length;
      return marked < lines.filter((line) => line.trim() !== "").length / 3;
    }),
  );
  return isProse.filter(Boolean).length > sample.length / 2;
}

export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw unreadable(folder, cause);
  });
  const isFile = await Promise.all(entries.map((entry) => entry.isFile() || leadsTo(folder, entry, "file")));
  return entries.filter((_entry, at) => isFile[at]).map(({ name }) => name);
}

/** Whether a symbolic link leads to a file or a folder; one that leads nowhere is nothing. */
export async function leadsTo(folder: string, entry: Dirent, kind: "file" | "folder"): Promise<boolean> {
  return entry.isSymbolicLink() && (await kindOfPath(join(folder, entry.name)).catch(() => "nothing")) === kind;
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
  return !basename(path).startsWith(".") && !isNoteName(path) && CHAPTER_EXTENSIONS.includes(extension);
}

function inReadingOrder(files: readonly string[]): string[] {
  return [...files].sort((one, other) => rankOf(one) - rankOf(other) || COLLATOR.compare(one, other));
}

/** A prologue without a number comes first, an epilogue last. */
function rankOf(file: string): number {
  const name = basename(file);
  return /^(?:prolog|foreword|preface|intro)/i.test(name) ? 0 : /^(?:epilog|afterword)/i.test(name) ? 2 : 1;
}

/** One book out of many files, each a chapter. A file's own first heading is its title, else its name is. */
export async function readChapterFiles(files: readonly string[], name: string) {
  const folders = [...new Set(files.map((file) => dirname(file)))];
  const entries = files.map(
    (file): ProjectEntry => ({ file, title: titleFromName(file), role: "chapter", isFileName: true }),
  );
  // Chapters in several folders are those of several parts.
  const divided =
    folders.length < 2
      ? entries
      : folders.flatMap((folder): ProjectEntry[] => [
          { file: null, title: partFromName(folder), role: "binding" },
          ...entries.filter(({ file }) => file !== null && dirname(file) === folder),
        ]);
  return readEntries({ entries: divided, leftOut: [] }, name);
}

/** The files of a writing project, or the chapters of a folder, as one manuscript. */
export async function readEntries({ entries, leftOut }: Pick<Project, "entries" | "leftOut">, name: string) {
  const blocks: Block[] = [];
  const parts: Manuscript[] = [];
  const hashes: string[] = [];
  let size = 0;
  for (const { file, title, role, isFileName = false } of entries) {
    const start = (where: string) => {
      if (role === "scene") blocks.push({ kind: "break" });
      else blocks.push({ kind: "section", where, role, title, isFileName });
    };
    if (file === null) {
      if (role !== "scene") start(title ?? name);
      continue;
    }
    const bytes = await readLimited(file);
    size += bytes.length;
    if (size > LIMITS.fileBytes) throw tooLarge(name, size);
    if (bytes.length === 0) {
      if (role === "chapter" || role === "binding") start(file);
      continue;
    }
    const { format } = await formatNamed(recogniseFormat(bytes, file)).load();
    const part = await format.read({ bytes, name: file });
    parts.push(part);
    hashes.push(sha256(bytes));
    start(file);
    for (const block of part.blocks) blocks.push(block);
  }
  const manuscript: Manuscript = {
    blocks,
    metadata: {},
    encoding: [...new Set(parts.map(({ encoding }) => encoding))].join(", ") || "UTF-8",
    removed: [
      ...parts.flatMap(({ removed }) => removed),
      ...leftOut.map((title) => ({ rule: "left out of the book by its writer", where: title, text: title })),
    ],
    warnings: [...new Set(parts.flatMap(({ warnings }) => warnings))],
  };
  return { manuscript, bytes: size, sha256: sha256(hashes.join("\n")) };
}

/** "part-1_the_sea" says "part 1 the sea"; "02 - The Sea" says "The Sea". */
function partFromName(folder: string): string {
  const name = basename(folder).replace(/[_-]+/g, " ").replace(/\s+/g, " ").trim();
  return name.replace(/^\d+[.\s]+(?=\p{L})/u, "");
}

/** "03-the_wedding.md" says "the wedding". */
function titleFromName(file: string): string | null {
  const words = basename(file, extname(file))
    .replace(/^(?:chapter|chap|ch)?[\s._-]*\d+[\s._-]*/i, "")
    .replace(/[_-]+/g, " ")
    .trim();
  return words || null;
}
