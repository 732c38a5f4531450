import type { Evidence } from "../../judge/evaluation.ts";
import { RemarkCheck } from "../../judge/evidence/check-remarks.ts";
import { bookIn } from "./stored-readings.ts";

export interface CheckQuotationsInput {
  /** The book's folder in the library. */
  readonly folder: string;
  readonly quotes: readonly { readonly chapter: number; readonly text: string }[];
}

/** Where quotations stand in a book of the library, one after the other; an empty one stands nowhere. */
export async function checkQuotations({ folder, quotes }: CheckQuotationsInput): Promise<readonly Evidence[]> {
  const check = new RemarkCheck(await bookIn(folder));
  await check.prepare([]);
  return quotes.map((quote) => check.checkQuote(quote));
}
