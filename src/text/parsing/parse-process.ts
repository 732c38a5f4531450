import { type ErrorCode, FabulaError } from "../../core/errors.ts";
import type { Book } from "../book.ts";
import { type BookSummary, summariseBook } from "../book-summary.ts";
import { parseBook, parseBookBytes, type ReadOptions } from "../parse-book.ts";

/** A request to a process that parses. */
export interface ParseQuestion {
  readonly path: string;
  /** Read in place of the file: standard input. */
  readonly bytes: Uint8Array | null;
  readonly options: Omit<ReadOptions, "stdin" | "signal" | "keptCharacters">;
  readonly wants: "book" | "summary";
}

/** A process outlives a question, and the parent may have changed to another folder since it started the process. */
export interface ParseMessage extends ParseQuestion {
  /** The folder of a relative path; null for an absolute one. */
  readonly folder: string | null;
}

export interface ParseResults {
  readonly book: Book;
  readonly summary: BookSummary;
}

/** Errors are sent back as data. */
export type ParseAnswer =
  | { readonly kind: "done"; readonly result: ParseResults[ParseQuestion["wants"]] }
  | { readonly kind: "failed"; readonly code: ErrorCode; readonly message: string };

// Ctrl-C at a terminal reaches every process; the parent decides what happens then.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
// pdf.js leaves promises behind that reject after a damaged file was refused; nothing depends on them.
process.on("unhandledRejection", () => {});
// Without the parent there is nothing to do.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
process.on("message", async (message: ParseMessage) => {
  process.send?.(await answerTo(message), () => {});
});

async function answerTo({ path, bytes, options, wants, folder }: ParseMessage): Promise<ParseAnswer> {
  try {
    if (folder !== null) process.chdir(folder);
    const book = bytes === null ? await parseBook(path, options) : await parseBookBytes(bytes, path, options);
    return { kind: "done", result: wants === "book" ? book : summariseBook(book) };
  } catch (error) {
    const code = error instanceof FabulaError ? error.code : "E_UNEXPECTED";
    return { kind: "failed", code, message: error instanceof Error ? error.message : String(error) };
  }
}
