import type { Dirent } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { FabulaError } from "../../core/errors.ts";

/** The largest input that is accepted. A long novel is 3 MB of text; the longest serials fit, the rest is refused. */
export const LIMITS = {
  /** Size of one file, whatever its format. */
  fileBytes: 100_000_000,
  /** Text of one book, however small its file: eight million words. */
  bookCharacters: 50_000_000,
  /** The total size to which the entries of one archive may unpack. */
  archiveBytes: 300_000_000,
  archiveEntries: 20_000,
  /** Text rarely packs better than 10:1, so more than 100:1 is a bomb. Up to `archiveRatioFrom` bytes it would be harmless. */
  archiveRatio: 100,
  archiveRatioFrom: 5_000_000,
} as const;

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

/** The output counts, not the input: a small file may expand to more text than any book has. */
export function checkProduced(characters: number, file: string): void {
  if (characters <= LIMITS.bookCharacters) return;
  throw new FabulaError(
    "E_TOO_LARGE",
    `${file} holds more than ${LIMITS.bookCharacters / 1e6} million characters, more than a book may have: split it and give one book at a time.`,
  );
}

/** Whether a path is a file, a folder or nothing; throws one clear sentence for anything that cannot be read. */
export async function kindOfPath(path: string): Promise<"file" | "folder" | "nothing"> {
  try {
    const facts = await stat(path);
    if (facts.isDirectory()) return "folder";
    if (!facts.isFile()) throw notRegular(path);
    return "file";
  } catch (cause) {
    if (cause instanceof FabulaError) throw cause;
    if (codeOf(cause) === "ENOENT" || codeOf(cause) === "ENOTDIR" || codeOf(cause) === "ENAMETOOLONG") return "nothing";
    throw unreadable(path, cause);
  }
}

/** The entries of a folder, in no particular order. */
export async function entriesIn(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw unreadable(folder, cause);
  });
}

/** The names of the files or folders among the entries of a folder, with symbolic links that lead to one. */
export async function namesOf(folder: string, entries: readonly Dirent[], kind: "file" | "folder"): Promise<string[]> {
  const isWanted = await Promise.all(
    entries.map(async (entry) => {
      if (entry.isSymbolicLink()) return (await kindOfPath(join(folder, entry.name)).catch(() => "nothing")) === kind;
      return kind === "file" ? entry.isFile() : entry.isDirectory();
    }),
  );
  return entries.filter((_entry, at) => isWanted[at]).map(({ name }) => name);
}

export async function namesIn(folder: string, kind: "file" | "folder"): Promise<string[]> {
  return namesOf(folder, await entriesIn(folder), kind);
}

/**
 * Reads a whole regular file within the limit. The size is checked before anything is read, so that a huge file costs no memory, and
 * again while reading, because a file may grow or report no size.
 */
export async function readLimited(path: string): Promise<Uint8Array> {
  try {
    const facts = await stat(path);
    // A pipe might never deliver, and a device might never end.
    if (!facts.isFile()) throw notRegular(path);
    if (facts.size > LIMITS.fileBytes) throw tooLarge(path, facts.size);
    const handle = await open(path);
    try {
      return await readStream(handle.createReadStream({ highWaterMark: 1 << 20, autoClose: false }), path);
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw cause instanceof FabulaError ? cause : unreadable(path, cause);
  }
}

/** Reads standard input or an upload, and stops at the limit. */
export async function readStream(stream: AsyncIterable<Uint8Array | string>, name: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
    size += bytes.length;
    if (size > LIMITS.fileBytes) throw tooLarge(name, size);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

export function tooLarge(name: string, size: number): FabulaError {
  return new FabulaError(
    "E_TOO_LARGE",
    `${name} is ${megabytes(size)}, more than the ${megabytes(LIMITS.fileBytes)} a book may have: split it and give one book at a time.`,
  );
}

function notRegular(path: string): FabulaError {
  return new FabulaError(
    "E_NOT_A_FILE",
    `${path} is a pipe, a device or a socket, not a file: give the book file itself, or - to read standard input.`,
  );
}

export function notFound(path: string): FabulaError {
  return new FabulaError("E_NOT_FOUND", `There is no file ${path}: check the path.`);
}

function unreadable(path: string, cause: unknown): FabulaError {
  const reason =
    codeOf(cause) === "EACCES" ? "check its permissions" : cause instanceof Error ? cause.message : String(cause);
  return new FabulaError("E_NOT_READABLE", `${path} cannot be read: ${reason}.`, { cause });
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && "code" in cause ? cause.code : null;
}
