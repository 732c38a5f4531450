import { parentPort } from "node:worker_threads";
import type { ErrorCode } from "../../../core/error-codes.ts";
import { FabulaError } from "../../../core/errors.ts";
import { type BookSummary, summariseBook } from "../../../text/book-summary.ts";
import { type ReadOptions, readBook } from "../../../text/read-book.ts";
import { loadTokenCounter } from "../../../text/tokens/tokens.ts";

export interface ReadQuestion {
  readonly file: string;
  readonly options: Pick<ReadOptions, "metadata" | "format">;
}

export type ReadAnswer =
  | { readonly kind: "read"; readonly summary: BookSummary }
  | { readonly kind: "failed"; readonly code: ErrorCode; readonly message: string };

/** One thread of the pool: a file in, its summary out. Errors cross the border as data. */
parentPort?.on("message", async ({ file, options }: ReadQuestion) => {
  parentPort?.postMessage(await answer(file, options));
});

async function answer(file: string, options: ReadQuestion["options"]): Promise<ReadAnswer> {
  try {
    const book = await readBook(file, options);
    return { kind: "read", summary: summariseBook(book, await loadTokenCounter()) };
  } catch (error) {
    const code = error instanceof FabulaError ? error.code : "E_UNEXPECTED";
    return { kind: "failed", code, message: error instanceof Error ? error.message : String(error) };
  }
}
