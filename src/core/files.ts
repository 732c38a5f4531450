import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { FabulaError } from "./errors.ts";

/** Writes a file that appears whole or not at all: it is written beside and renamed. */
export async function writeWholeFile(
  path: string,
  content: string | Uint8Array | AsyncIterable<string>,
): Promise<void> {
  const unfinished = `${path}.${process.pid}.unfinished`;
  try {
    await makeFolder(dirname(path));
    await writeFile(unfinished, content);
    await rename(unfinished, path);
  } catch (cause) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw writeFailure(path, cause);
  }
}

/** Why a file could not be written, with what to do about it; an error that is not the file system's comes back unchanged. */
export function writeFailure(path: string, cause: unknown): unknown {
  if (!(cause instanceof Error && "code" in cause && /^E[A-Z0-9]+$/.test(String(cause.code)))) return cause;
  return new FabulaError("E_FILE_WRITE", `"${path}" could not be written${advice(String(cause.code))}`, { cause });
}

function advice(code: string): string {
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return ": the disk is full. Free some space and try again.";
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return ": its folder is read-only for this user. Make it writable, or choose another.";
    default:
      return ` (${code}): check the folder.`;
  }
}

/**
 * Makes a folder and those above it. Node's own `recursive` loops forever, beyond the reach of any signal, where a folder
 * exists but takes nothing new, such as `/proc`.
 */
export async function makeFolder(path: string, options: { readonly mode?: number } = {}): Promise<void> {
  const missing: string[] = [];
  for (let folder = resolve(path); !(await exists(folder)); folder = dirname(folder)) missing.push(folder);
  for (const folder of missing.reverse()) {
    await mkdir(folder, options).catch(async (error: NodeJS.ErrnoException) => {
      // Another process may have made it in the meantime.
      if (error.code !== "EEXIST" || !(await stat(folder)).isDirectory()) throw error;
    });
  }
}

/** Whether a path exists. If it is not a folder, the next step fails and says why. */
function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return dirname(path) === path;
      throw error;
    },
  );
}

/** The machine is part of the name: containers may share a folder, and their process numbers mean nothing to each other. */
const MACHINE = createHash("sha256").update(hostname()).digest("hex").slice(0, 8);
const OWNED = new RegExp(`^fabula-[a-z]+-${MACHINE}-(\\d+)-`);

/** A private folder that is gone when the work is done; if the process is killed before, `removeAbandonedFolders` finds it. */
export async function inTemporaryFolder<T>(purpose: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await makeTemporaryFolder(purpose);
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A temporary folder that the caller removes, for work that outlives one function. */
export function makeTemporaryFolder(purpose: string): Promise<string> {
  return mkdtemp(join(tmpdir(), `fabula-${purpose}-${MACHINE}-${process.pid}-`));
}

/** Removes the folders that killed processes on this machine left behind, and returns their number. */
export async function removeAbandonedFolders(parent: string = tmpdir()): Promise<number> {
  const names = await readdir(parent).catch(() => []);
  const abandoned = names.filter((name) => {
    const owner = OWNED.exec(name)?.[1];
    return owner !== undefined && !isProcessRunning(Number(owner));
  });
  await Promise.all(abandoned.map((name) => rm(join(parent, name), { recursive: true, force: true }).catch(() => {})));
  return abandoned.length;
}

/** Whether a process of this machine runs. One that has ended and waits to be collected by its parent does not. */
export function isProcessRunning(id: number): boolean {
  try {
    process.kill(id, 0);
  } catch (error) {
    // It runs, under another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  return !isZombie(id);
}

/** In a container without an init process, orphans that ended stay in the table of processes. */
function isZombie(id: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    // The name, in brackets, may hold anything.
    return /\) Z /.test(readFileSync(`/proc/${id}/stat`, "latin1"));
  } catch {
    return false;
  }
}
