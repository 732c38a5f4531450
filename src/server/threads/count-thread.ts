import { parentPort } from "node:worker_threads";
import { type CountableBook, type CountedBook, countBook } from "../../prose/count-book.ts";

export interface CountRequest {
  readonly id: number;
  readonly book: CountableBook;
}

/** Errors cross the border as data. */
export type CountAnswer = { readonly id: number } & ({ readonly counted: CountedBook } | { readonly failed: string });

parentPort!.on("message", ({ id, book }: CountRequest) => {
  let answer: CountAnswer;
  try {
    answer = { id, counted: countBook(book) };
  } catch (error) {
    answer = { id, failed: error instanceof Error ? error.message : String(error) };
  }
  parentPort!.postMessage(answer);
});
