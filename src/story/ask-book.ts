import { z } from "zod";
import type { Passage } from "../core/finding.ts";
import { askPrompt } from "../judge/ask.ts";
import { bookText } from "../judge/material.ts";
import { type Answer, asJson } from "../models/ask.ts";
import type { PromptLanguage } from "../prompts/load-prompt.ts";
import type { Book } from "../text/book.ts";
import { countWords } from "../text/words.ts";
import { knownAbout } from "./author-says.ts";
import { ledgerParts, noteChapters } from "./chapter-notes.ts";
import { quotedSchema } from "./claim.ts";
import { QuotationCheck } from "./locate.ts";
import { type CloseReadingOptions, fitsWhole, requireQuotations } from "./reading-options.ts";
import { Surroundings } from "./surroundings.ts";

/** An answer from the book. Without a passage that stands in it, the book does not say. */
export interface BookAnswer {
  readonly said: boolean;
  /** The model gave an answer, and none of what it quotes stands in the book: nothing is known. */
  readonly isUnsupported: boolean;
  readonly answer: string;
  readonly passages: readonly Passage[];
  /** Quotations of the answer that do not stand in the book. */
  readonly quotationsMissing: number;
  /** Whether the model was shown all of the book, or the parts that share the question's words. */
  readonly shown: "book" | "parts";
}

const replySchema = z.object({ said: z.boolean(), answer: z.string(), passages: z.array(quotedSchema) });
const TOKENS = 2000;
/** Tokens kept for the prompt and the reply where only parts of the book fit. */
const KEPT = 6000;
const TOKENS_PER_WORD = 1.6;
const MOST_WORDS = 40_000;

/**
 * Asks one question about a book. It stands before the question as in a close reading, so a provider that has it cached from
 * there is not paid for it again. At depth `full` the notes on every chapter stand beside the text: taken once, kept in the
 * store, and found there where a close reading took them.
 */
export async function askBook(
  book: Book,
  question: string,
  options: CloseReadingOptions,
  signal: AbortSignal,
): Promise<Answer<BookAnswer>> {
  const { model, language, prompts, temperature, sample, replyLanguage } = options;
  const check = new QuotationCheck(book);
  const onTrial = () => requireQuotations(check, model.id);
  const noted = options.depth === "full" ? await noteChapters(book, { ...options, check, onTrial }, signal) : null;
  const isWhole = fitsWhole(book, model, language);
  const room = Math.min(MOST_WORDS, Math.floor(((model.contextTokens ?? Infinity) - KEPT) / TOKENS_PER_WORD));
  const material = isWhole
    ? { book: bookText(book, language) }
    : { text: partsAbout(question, book, noted ? room / 2 : room, language) };
  const notes =
    noted &&
    partsOfNotes(
      question,
      ledgerParts(noted, { fewestChapters: 1 })
        .map(({ text }) => text)
        .join("\n"),
      room / 2,
      language,
    );
  const answer = await askPrompt(
    model,
    {
      prompt: "close-ask",
      language,
      prompts,
      values: { metadata: knownAbout(book, language), ...material, ...(notes && { notes }), question, replyLanguage },
      purpose: "answerer",
      ...asJson("book_answer", replySchema),
      maximumTokens: TOKENS,
      usualTokens: 400,
      temperature,
      sample,
    },
    signal,
  );
  if (answer.kind === "unanswered") return answer;
  const missingBefore = check.missing;
  const passages = check.locateAll(answer.value.passages);
  return {
    ...answer,
    value: {
      said: answer.value.said && passages.length > 0,
      isUnsupported: answer.value.said && passages.length === 0,
      answer: answer.value.answer.trim(),
      passages,
      quotationsMissing: check.missing - missingBefore,
      shown: isWhole ? "book" : "parts",
    },
  };
}

function partsAbout(question: string, book: Pick<Book, "chapters">, words: number, language: PromptLanguage): string {
  return new Surroundings(book, language).textFor([{ title: question, claim: "", passages: [] }], words);
}

/** All of the notes where they fit, else the lines that share the question's words. */
function partsOfNotes(question: string, notes: string, words: number, language: PromptLanguage): string {
  const count = countWords(notes);
  if (count <= words) return notes;
  const lines = partsAbout(
    question,
    { chapters: [{ index: 1, title: null, text: notes, words: count }] },
    words,
    language,
  );
  // They are no chapter: the mark of one is left out.
  return lines.split("\n\n").slice(1).join("\n");
}
