import { basename, dirname, extname, join } from "node:path";
import { glob } from "tinyglobby";
import { FabulaError } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { editionsOf } from "../editions.ts";
import { CHAPTER_EXTENSIONS, readManuscript } from "../formats/recognise-format.ts";
import type { Block, Manuscript, Metadata } from "../manuscript.ts";
import { isNoteName, type Project, type ProjectEntry, projectIn } from "./projects.ts";
import { kindOfPath, LIMITS, namesIn, notFound, readLimited, tooLarge } from "./read-file.ts";

interface ReadFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What is at a path: a file; one book in several formats; or a book in many files, as one manuscript. */
type Found = { readonly isFolder: boolean } & (
  | ({ readonly kind: "file" } & ReadFile)
  | { readonly kind: "editions"; readonly first: ReadFile; readonly other: ReadFile | null }
  | ({ readonly kind: "files"; readonly format: string; readonly metadata: Metadata } & Entries)
);

/** Finds the files of a book at a path (one file, a folder or a quoted glob of chapter files) and reads them. */
export async function readPath(path: string): Promise<Found> {
  const kind = await kindOfPath(path);
  if (kind === "folder") return { isFolder: true, ...(await readFolder(path)) };
  if (kind === "file") return { kind, isFolder: false, ...(await readNamed(path)) };
  const files = isGlob(path) ? await chapterFilesMatching(path) : [];
  if (files.length === 0) throw notFound(path);
  return { isFolder: false, ...(await readChapterFiles(files, path)) };
}

async function readFolder(folder: string) {
  const project = await projectIn(folder);
  if (project) {
    const format = project.program.toLowerCase();
    return { kind: "files" as const, format, metadata: project.metadata, ...(await readEntries(project, folder)) };
  }
  // One book in several formats, as Project Gutenberg publishes it: the first is read, and the other compared with it.
  const editions = editionsOf(await namesIn(folder, "file"));
  if (editions !== null) {
    const { first, other } = editions;
    return {
      kind: "editions" as const,
      first: await readNamed(join(folder, first)),
      other: other === null ? null : await readNamed(join(folder, other)),
    };
  }
  const files = await chapterFilesIn(folder);
  if (files.length === 1) return { kind: "file" as const, ...(await readNamed(files[0]!)) };
  return readChapterFiles(files, folder);
}

async function readNamed(path: string): Promise<ReadFile> {
  return { name: path, bytes: await readLimited(path) };
}

/** The chapter files of a folder in reading order: 2 comes before 10. If it has none itself, those of its subfolders. */
async function chapterFilesIn(folder: string): Promise<string[]> {
  const files = (await namesIn(folder, "file")).filter(isChapterFile).map((name) => join(folder, name));
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

/** The numbered chapter files in the subfolders of a folder whose files are mostly prose: chapters/, manuscript/part-1/. */
export async function chapterFilesBelow(folder: string, depth: number): Promise<string[]> {
  if (depth > DEEPEST_CHAPTERS) return [];
  const folders = await namesIn(folder, "folder").catch(() => []);
  const found: string[] = [];
  for (const name of folders.sort(COLLATOR.compare)) {
    if (OTHER_FOLDERS.test(name)) continue;
    const inner = join(folder, name);
    const files = (await namesIn(inner, "file").catch(() => [])).filter(isChapterFile).map((name) => join(inner, name));
    const numbered = files.filter(isNumberedName);
    if (numbered.length >= 2 && numbered.length >= files.length / 2 && (await areProse(numbered))) {
      found.push(...inReadingOrder(files));
    } else found.push(...(await chapterFilesBelow(inner, depth + 1)));
  }
  return found;
}

/** Sorts names in reading order: 2 comes before 10. */
export const COLLATOR = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const SMALLEST_CHAPTER = 1_000;

/** Whether most of the first few files are long enough for chapters and are prose, unlike the lists and code of a manual. */
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

async function chapterFilesMatching(pattern: string): Promise<string[]> {
  const files = await glob(pattern, { onlyFiles: true, expandDirectories: false, absolute: false });
  return inReadingOrder(files.filter(isChapterFile));
}

function isGlob(path: string): boolean {
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

/** One book from many files, each a chapter. Its title is the file's own first heading, or else the file's name. */
async function readChapterFiles(files: readonly string[], name: string) {
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
  const read = await readEntries({ entries: divided, leftOut: [] }, name);
  return { kind: "files" as const, format: "folder", metadata: {}, ...read };
}

interface Entries {
  readonly manuscript: Manuscript;
  readonly bytes: number;
  readonly sha256: string;
}

/** The files of a writing project, or the chapters of a folder, as one manuscript. */
async function readEntries({ entries, leftOut }: Pick<Project, "entries" | "leftOut">, name: string): Promise<Entries> {
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
    const { manuscript: part } = await readManuscript({ bytes, name: file });
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

/** "part-1_the_sea" becomes "part 1 the sea"; "02 - The Sea" becomes "The Sea". */
function partFromName(folder: string): string {
  const name = basename(folder).replace(/[_-]+/g, " ").replace(/\s+/g, " ").trim();
  return name.replace(/^\d+[.\s]+(?=\p{L})/u, "");
}

/** "03-the_wedding.md" becomes "the wedding". */
function titleFromName(file: string): string | null {
  const words = basename(file, extname(file))
    .replace(/^(?:chapter|chap|ch)?[\s._-]*\d+[\s._-]*/i, "")
    .replace(/[_-]+/g, " ")
    .trim();
  return words || null;
}
