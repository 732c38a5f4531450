import type { AskAnswer } from "../../api/letters.ts";
import type { Evidence } from "../../judge/evaluation.ts";
import { RemarkCheck } from "../../judge/evidence/check-remarks.ts";
import { promptLanguage } from "../../prompts/load-prompt.ts";
import { inRun, type RunSettings } from "../../runner/open-run.ts";
import type { Plan } from "../../runner/planning.ts";
import { askBook } from "../../story/ask-book.ts";
import { countedAbout } from "../../story/reading-options.ts";
import { bookIn } from "../library/stored-books.ts";

export interface AskBookInput {
  /** The book's folder in the library. */
  readonly folder: string;
  readonly question: string;
  readonly judge: string;
  readonly settings: RunSettings;
}

export interface AskedBook extends Omit<AskAnswer, "plan"> {
  readonly plan: Plan | null;
  readonly calls: number;
  readonly cost: number | null;
}

/** Asks a model one question about a book of the library; every quotation of the answer is looked up. A dry run gives the price. */
export async function askStoredBook(
  { folder, question, judge, settings }: AskBookInput,
  { signal }: { readonly signal: AbortSignal },
): Promise<AskedBook> {
  const book = await bookIn(folder);
  const { result, plan, run } = await inRun(settings, { signal }, async (run) =>
    askBook(
      book,
      question,
      {
        model: await run.model(judge),
        language: promptLanguage(book.language),
        temperature: 0,
        depth: "quick",
        sample: 0,
        ...countedAbout(book),
      },
      signal,
    ),
  );
  const { calls, cost } = run.summary;
  if (plan) return { answer: null, reason: null, plan, calls, cost };
  if (result.kind === "unanswered") return { answer: null, reason: result.reason, plan: null, calls, cost };
  return { answer: result.value, reason: null, plan: null, calls, cost };
}

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
