import { closeSync, existsSync, openSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { ErrorCode } from "../../core/error-codes.ts";
import { FabulaError } from "../../core/errors.ts";

/** Primary result codes, https://sqlite.org/rescode.html; the driver's own names differ from call to call. */
const CODE = { busy: 5, readOnly: 8, inputOutput: 10, corrupt: 11, full: 13, cannotOpen: 14, notADatabase: 26 };

/** What is wrong with the file and what to do about it; an error that says nothing about the file stays as it is. */
export function explainFailure(cause: unknown, path: string): unknown {
  if (cause instanceof FabulaError || !(cause instanceof Error)) return cause;
  const fail = (code: ErrorCode, sentence: string) => new FabulaError(code, sentence, { cause });
  switch (resultCode(cause)) {
    case CODE.full:
      return fail("E_STORE_FULL", diskFull(path));
    case CODE.inputOutput:
      if (isDiskFull(path)) return fail("E_STORE_FULL", diskFull(path));
      return fail(
        "E_STORE_DISK",
        `The disk failed while the store ${path} was read or written (${cause.message}): check the disk, then try again or give another path with --store.`,
      );
    case CODE.corrupt:
      return fail(
        "E_STORE_DAMAGED",
        `The store ${path} is damaged: restore it from a backup, or save what can still be read with \`sqlite3 ${path} .recover | sqlite3 rescued.db\` and give that with --store.`,
      );
    case CODE.notADatabase:
      return fail(
        "E_STORE_OPEN",
        `The file ${path} is not a store, or its beginning is damaged: give another path with --store, or restore it from a backup.`,
      );
    case CODE.readOnly:
      return fail("E_STORE_READ_ONLY", readOnly(path));
    case CODE.cannotOpen:
      return fail("E_STORE_OPEN", cannotOpen(path));
    case CODE.busy:
      return fail(
        "E_STORE_BUSY",
        `Another program keeps the store ${path} locked: wait until it has ended, then try again.`,
      );
    default:
      return cause;
  }
}

/** Whatever keeps a store from being opened, in one sentence. */
export function explainOpening(cause: unknown, path: string): unknown {
  const explained = explainFailure(cause, path);
  if (explained instanceof FabulaError) return explained;
  const detail = cause instanceof Error ? cause.message : String(cause);
  return new FabulaError(
    "E_STORE_OPEN",
    `The store ${path} cannot be opened (${detail}): give another path with --store.`,
    { cause },
  );
}

function diskFull(path: string): string {
  return `The disk of the store ${path} is full: free some space, then go on; every answer stored so far is kept.`;
}

function readOnly(path: string): string {
  return `The store ${path} is read-only: make the file and its folder writable for this user, or give another path with --store.`;
}

function cannotOpen(path: string): string {
  if (!existsSync(path)) {
    return `The store ${path} cannot be made: make its folder writable for this user, or give another path with --store.`;
  }
  if (statSync(path).isDirectory()) return `The store ${path} is a folder: give the path of a file with --store.`;
  if (!isReadable(path)) {
    return `The store ${path} may not be read by this user: change the rights of the file, or give another path with --store.`;
  }
  if (isDiskFull(path)) return diskFull(path);
  return readOnly(path);
}

function isReadable(path: string): boolean {
  try {
    closeSync(openSync(path, "r"));
    return true;
  } catch {
    return false;
  }
}

/** SQLite needs more than one page to do anything. */
function isDiskFull(path: string): boolean {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize < 64 * 1024;
}

/** The driver says the code in a property, or in words when not even the connection was made. */
function resultCode(error: Error): number | null {
  if ("rawCode" in error && typeof error.rawCode === "number") return error.rawCode & 0xff;
  const said = /^ConnectionFailed\(.*: (\d+)"\)$/.exec(error.message)?.[1];
  return said === undefined ? null : Number(said) & 0xff;
}
