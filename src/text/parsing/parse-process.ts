import type { ErrorCode } from "../../core/error-codes.ts";
import { FabulaError } from "../../core/errors.ts";
import type { Book } from "../book.ts";
import { type BookSummary, summariseBook } from "../book-summary.ts";
import { type ReadOptions, readBookHere, readBytesHere } from "../read-here.ts";
import { loadTokenCounter } from "../tokens/tokens.ts";

/** What is asked of a process that parses. */
export interface ParseQuestion {
  readonly path: string;
  /** What to read in place of the file: standard input. */
  readonly bytes: Uint8Array | null;
  readonly options: Omit<ReadOptions, "stdin" | "signal" | "keptCharacters">;
  readonly wants: "book" | "summary";
}

export interface ParseResults {
  readonly book: Book;
  readonly summary: BookSummary;
}

/** Errors cross the border as data. */
export type ParseAnswer =
  | { readonly kind: "done"; readonly result: ParseResults[ParseQuestion["wants"]] }
  | { readonly kind: "failed"; readonly code: ErrorCode; readonly message: string };

// Ctrl-C at a terminal reaches every process; what happens then is decided by the one that asked.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
// pdf.js leaves promises behind that fail after a damaged file was refused; they concern no one.
process.on("unhandledRejection", () => {});
// Without it there is no one to work for.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
process.on("message", async (question: ParseQuestion) => {
  process.send?.(await answerTo(question), () => {});
});

async function answerTo({ path, bytes, options, wants }: ParseQuestion): Promise<ParseAnswer> {
  try {
    const book = bytes === null ? await readBookHere(path, options) : await readBytesHere(bytes, path, options);
    return { kind: "done", result: wants === "book" ? book : summariseBook(book, await loadTokenCounter()) };
  } catch (error) {
    const code = error instanceof FabulaError ? error.code : "E_UNEXPECTED";
    return { kind: "failed", code, message: error instanceof Error ? error.message : String(error) };
  }
}
