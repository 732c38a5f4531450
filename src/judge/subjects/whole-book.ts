import type { ChatModel } from "../../models/chat-model.ts";
import type { Book } from "../../text/book.ts";
import { segmentBook } from "../../text/segments.ts";
import { draftRecord } from "../drafts/draft-record.ts";
import {
  chooseExcerpts,
  excerptRule,
  ONE_CHAPTER_RULE,
  openingOfOneChapter,
  type PassageMeasure,
} from "../material/excerpts.ts";
import type { Judging } from "../material/judging.ts";
import type { MethodMaterial, PublishedMethod, RunOutcome } from "../methods/method.ts";
import { METHODS } from "../methods/registry.ts";
import { charactersText } from "../summary/notes.ts";
import { type SummaryStream, summariseBook } from "../summary/summarise.ts";
import type { Subject } from "./subject.ts";

export interface WholeBookOptions {
  readonly method: PublishedMethod;
  readonly judging: Judging;
  readonly summariser: ChatModel;
  readonly bySegment: boolean;
  readonly segmentWords?: number;
  /** By what excerpts count as distinctive or typical, and how a report words that; by default, rarity of words. */
  readonly distinctiveness?: { readonly measure: PassageMeasure; readonly about: string } | null;
  readonly signal: AbortSignal;
  readonly onSummarised?: (done: number, total: number) => void;
  readonly onSegment?: MethodMaterial["onSegment"];
}

/** A book with its text. Its summary is made at most once, when a method first asks for it, and serves every run and judge. */
export function wholeBook(book: Book, options: WholeBookOptions): Subject {
  const { method, judging, summariser, signal, onSummarised } = options;
  const segments = segmentBook(book, {
    ...(options.segmentWords !== undefined && { size: options.segmentWords }),
    joinRest: judging.presentation?.rest !== "apart",
  });
  const isOneChapter = judging.presentation?.excerpts === "one chapter";
  const { language, prompts } = judging;
  const { distinctiveness = null } = options;
  const excerpts = isOneChapter
    ? openingOfOneChapter(book)
    : chooseExcerpts(book, distinctiveness ? { measure: distinctiveness.measure } : {});
  let stream: SummaryStream | null = null;
  const material: MethodMaterial = {
    book,
    segments,
    judging,
    excerpts,
    bySegment: options.bySegment,
    ...(options.onSegment && { onSegment: options.onSegment }),
    summary() {
      stream ??= summariseBook(summariser, { book, segments, language, prompts }, signal, (done) =>
        onSummarised?.(done, segments.length),
      );
      return stream;
    },
  };
  return {
    book,
    method,
    basis: method,
    notes:
      method === "summary" && excerpts.length > 0
        ? [isOneChapter ? ONE_CHAPTER_RULE : excerptRule(excerpts, distinctiveness?.about ?? null)]
        : [],
    judge: (judge, run, runSignal) => METHODS[method].judge(judge, material, run, runSignal),
    async storyDetails() {
      const { notes, missing } = await material.summary().whole;
      if (!notes || missing.length > 0) return { plot: null, characters: null };
      return { plot: notes.plot, characters: charactersText(notes.characters) };
    },
    async record(judge: string, outcomes: readonly RunOutcome[]) {
      // Only the aggregate method keeps what was said of each segment, and so needs the notes between them.
      const progress = method === "aggregate" ? await Promise.all(material.summary().segments) : [];
      return draftRecord({ book, judge, judging, segments, method }, progress, outcomes);
    },
  };
}
