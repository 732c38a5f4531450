import { readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";
import { FabulaError } from "../../core/errors.ts";
import { FORMATS } from "../../text/formats/recognise-format.ts";

/** Finds a book by the path an assistant gave. Links are followed, but the book must be inside the folder. */
export type FindBook = (file: string) => Promise<string>;

/** The one folder whose books an assistant may open. */
export interface BookFolder {
  readonly find: FindBook;
  /** The paths of all its files, relative to the folder. */
  files(): Promise<string[]>;
}

/** The file extensions of books. A file without one may be a book, but is not listed. */
export const BOOK_FORMATS: ReadonlySet<string> = new Set(
  FORMATS.flatMap(({ extensions }) => extensions).filter((ending) => ending !== ""),
);

export async function openBookFolder(folder: string): Promise<BookFolder> {
  const root = await realpath(folder).catch(() => null);
  if (root === null || !(await stat(root)).isDirectory()) {
    throw new FabulaError(
      "E_DIRECTORY",
      `There is no folder "${folder}": give the folder that holds your books with --folder.`,
    );
  }
  const files = () => filesIn(root, 0);
  return {
    files,
    async find(file) {
      const path = resolve(root, file);
      const real = await realpath(path).catch(() => null);
      if (real === null) {
        throw new FabulaError(
          "E_NOT_FOUND",
          `There is no file "${file}" in the shared folder. ${await contentsOf(root)}`,
        );
      }
      const inside = relative(root, real);
      if (inside.startsWith("..") || isAbsolute(inside)) {
        throw new FabulaError(
          "E_FORBIDDEN",
          `"${file}" is outside the shared folder: start \`fabula mcp --folder\` there.`,
        );
      }
      return real;
    },
  };

  async function filesIn(at: string, depth: number): Promise<string[]> {
    const entries = await readdir(at, { withFileTypes: true });
    const found = await Promise.all(
      entries
        .filter(({ name }) => !name.startsWith(".") && name !== "node_modules")
        .map(async (entry) => {
          const path = join(at, entry.name);
          if (entry.isDirectory()) return depth < DEEPEST ? filesIn(path, depth + 1) : [];
          return entry.isFile() ? [relative(root!, path)] : [];
        }),
    );
    return found.flat().sort().slice(0, MOST_FILES);
  }
}

const DEEPEST = 3;
const MOST_FILES = 1000;
const NAMES_SHOWN = 20;

/** An assistant cannot list the folder, so the message does. */
async function contentsOf(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith(".")).sort();
  if (names.length === 0) return "The folder is empty.";
  const rest = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : "";
  return `The folder holds: ${names.slice(0, NAMES_SHOWN).join(", ")}${rest}.`;
}
