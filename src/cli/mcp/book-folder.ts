import { readdir, realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { FabulaError } from "../../core/errors.ts";

/** Finds a book by the path an assistant gave: inside the folder, links followed, and nowhere else. */
export type FindBook = (file: string) => Promise<string>;

export async function bookFinder(folder: string): Promise<FindBook> {
  const root = await realpath(folder);
  return async (file) => {
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
  };
}

const NAMES_SHOWN = 20;

/** An assistant cannot look into the folder: what is there helps it to ask for the right file. */
async function contentsOf(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith(".")).sort();
  if (names.length === 0) return "The folder is empty.";
  const rest = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : "";
  return `The folder holds: ${names.slice(0, NAMES_SHOWN).join(", ")}${rest}.`;
}
