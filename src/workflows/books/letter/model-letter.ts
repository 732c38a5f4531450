import type { BookEvaluation } from "../../../judge/evaluation.ts";
import { askLetter, hasRemarks, planLetter } from "../../../judge/letter/ask-letter.ts";
import { metadataText } from "../../../judge/material/book-material.ts";
import type { Judging } from "../../../judge/material/judging.ts";
import { reasonNotConnected } from "../../../jury/connected-prose.ts";
import { loadJury } from "../../../jury/jury.ts";
import type { ChatModel } from "../../../models/chat-model.ts";
import { isPlanned } from "../../../runner/planning.ts";
import type { Book } from "../../../text/book.ts";
import { bookNotes } from "../notes/book-notes.ts";
import { withLetter } from "./edit-letter.ts";

export interface ModelLetterOptions {
  readonly judging: Judging;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/**
 * An evaluation by language models with its edit letter: one more call, in which the first judge writes from its own
 * verdicts. The map and the line notes are counted here and cost nothing. Without an answer the letter says what was said
 * most often.
 */
export async function withModelLetter(
  evaluation: BookEvaluation,
  book: Book,
  judge: ChatModel,
  { judging, dryRun, signal }: ModelLetterOptions,
): Promise<BookEvaluation> {
  const { language, temperature } = judging;
  const question = { metadata: metadataText(book, language), language, temperature };
  if (dryRun) {
    // Where all verdicts are in the store, so may be the letter that was written from them.
    if (isPlanned(remarksOf(evaluation))) await planLetter(judge, question, signal);
    else if (hasRemarks(evaluation)) await askLetter(judge, evaluation, question, signal);
    return evaluation;
  }
  const answer = hasRemarks(evaluation) ? await askLetter(judge, evaluation, question, signal) : null;
  const written = answer?.kind === "read" ? answer.value : null;
  const jury = await loadJury();
  const chapters = book.chapters.map(({ index, text }) => ({ index, prepared: jury.prepare(text) }));
  const notConnected = reasonNotConnected(chapters.map(({ prepared }) => prepared));
  const lettered = withLetter(evaluation, book, bookNotes(chapters, jury, "few"), { written, notConnected });
  const note = answer?.kind === "unread" ? [`The letter was not written by the judge: ${answer.reason}.`] : [];
  return { ...lettered, assessment: written?.assessment || lettered.assessment, notes: [...lettered.notes, ...note] };
}

function remarksOf({ aspects }: BookEvaluation): string[] {
  return aspects.flatMap(({ strengths, weaknesses }) => [...strengths, ...weaknesses].map(({ text }) => text));
}
