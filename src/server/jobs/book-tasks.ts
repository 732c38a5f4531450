import type { AskAnswer, AskedByHand } from "../../api/letters.ts";
import { FabulaError } from "../../core/errors.ts";
import type { Evidence } from "../../judge/evaluation.ts";
import { RemarkCheck } from "../../judge/evidence/check-remarks.ts";
import { QuestionsByHand } from "../../models/answered-by-hand.ts";
import type { Answer } from "../../models/ask.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { PASTE } from "../../models/judge-name.ts";
import { promptLanguage } from "../../prompts/load-prompt.ts";
import { inRun, type RunSettings } from "../../runner/open-run.ts";
import type { Plan } from "../../runner/planning.ts";
import { askBook, type BookAnswer } from "../../story/ask-book.ts";
import { type CloseReadingOptions, countedAbout } from "../../story/reading-options.ts";
import type { Book } from "../../text/book.ts";
import { countWords } from "../../text/words.ts";
import { bookIn } from "../library/stored-books.ts";

export interface AskBookInput {
  /** The book's folder in the library. */
  readonly folder: string;
  readonly question: string;
  readonly judge: string;
  readonly settings: RunSettings;
}

type BookAnswered = Pick<AskAnswer, "answer" | "reason">;

export interface AskedBook extends BookAnswered {
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
    askBook(book, question, optionsFor(book, await run.model(judge)), signal),
  );
  const { calls, cost } = run.summary;
  return { ...(plan ? { answer: null, reason: null } : answerOf(result)), plan, calls, cost };
}

export interface AskByHandInput {
  /** The book's folder in the library. */
  readonly folder: string;
  readonly question: string;
  /** Null before there is one. */
  readonly reply: string | null;
}

/**
 * A question about a book of the library for a chat window, and what its reply says. Nothing is sent or stored, so the question
 * is made again for the reply.
 */
export async function askByHand(
  { folder, question, reply }: AskByHandInput,
  { signal }: { readonly signal: AbortSignal },
): Promise<Omit<AskedByHand, "answer"> & { readonly answer: BookAnswered | null }> {
  const book = await bookIn(folder);
  const byHand = new QuestionsByHand(PASTE);
  const stop = new AbortController();
  const result = askBook(book, question, optionsFor(book, byHand.model), AbortSignal.any([signal, stop.signal]));
  // If the question is stopped below, nobody awaits this result.
  result.catch(() => {});
  await byHand.untilAsked(result);
  const [open] = byHand.open;
  if (!open) throw new FabulaError("E_UNEXPECTED", "This question could not be put together: ask another.");
  const asked = { id: open.id, prompt: open.prompt, full: open.prompt, words: countWords(open.prompt) };
  const unanswered = (problems: readonly string[]) => {
    stop.abort(new FabulaError("E_INTERRUPTED", "Interrupted."));
    return { asked, problems, answer: null };
  };
  if (reply === null) return unanswered([]);
  // The second attempt accepts a quotation that is not in the book: the answer itself says so.
  const [first, second] = [0, 1].map(() => byHand.answer(open.id, reply, PASTE));
  if (first!.kind === "rejected" && second!.kind === "rejected") return unanswered(second!.problems);
  return { asked, problems: [], answer: answerOf(await result) };
}

function optionsFor(book: Book, model: ChatModel): CloseReadingOptions {
  return {
    model,
    language: promptLanguage(book.language),
    temperature: 0,
    depth: "quick",
    sample: 0,
    ...countedAbout(book),
  };
}

function answerOf(result: Answer<BookAnswer>): BookAnswered {
  return result.kind === "unanswered"
    ? { answer: null, reason: result.reason }
    : { answer: result.value, reason: null };
}

export interface CheckQuotationsInput {
  /** The book's folder in the library. */
  readonly folder: string;
  readonly quotes: readonly { readonly chapter: number; readonly text: string }[];
}

/** Where quotations are in a book of the library, one after the other; an empty one is nowhere. */
export async function checkQuotations({ folder, quotes }: CheckQuotationsInput): Promise<readonly Evidence[]> {
  const check = new RemarkCheck(await bookIn(folder));
  await check.prepare([]);
  return quotes.map((quote) => check.checkQuote(quote));
}
