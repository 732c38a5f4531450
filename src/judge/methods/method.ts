import type { Verdict } from "../../core/verdict.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import type { Book } from "../../text/book.ts";
import type { Segment } from "../../text/segments.ts";
import type { JudgedRemark, JudgeReply } from "../judge-reply.ts";
import type { Excerpt, JudgeInstructions } from "../material.ts";
import type { SummaryStream } from "../summary.ts";

/** LongStoryEval's four ways to present a long book to a judge. */
export const PUBLISHED_METHODS = ["one-pass", "aggregate", "incremental", "summary"] as const;
export type PublishedMethod = (typeof PUBLISHED_METHODS)[number];

/** `close`: the judge reads the story, claims are checked one by one, and scores rest on what was found. */
export const METHOD_NAMES = ["close", ...PUBLISHED_METHODS] as const;
export type MethodName = (typeof METHOD_NAMES)[number];

/** How closely `close` reads: `full` also reads every chapter alone. */
export const DEPTHS = ["quick", "full"] as const;
export type Depth = (typeof DEPTHS)[number];

/** What a method may show a judge. */
export interface MethodMaterial {
  readonly book: Book;
  readonly segments: readonly Segment[];
  readonly instructions: JudgeInstructions;
  /** Made once for a book and used by every run; a method that needs none never starts it. */
  summary(): SummaryStream;
  readonly excerpts: readonly Excerpt[];
  /** Show the summary chapter by chapter instead of as a whole (LongStoryEval's ablation). */
  readonly bySegment: boolean;
  /** Called with each segment as soon as a run has judged it, if the method judges segments. */
  readonly onSegment?: (judged: JudgedSegment) => void;
}

/** One run's verdict on one segment, for listeners. */
export interface JudgedSegment {
  readonly segment: number;
  readonly chapters: readonly number[];
  readonly overall: Verdict;
}

/** Which words of the book a judge was shown in one run, and in what form. */
export interface LedgerEntry {
  readonly segment: number;
  readonly chapters: readonly number[];
  readonly words: number;
  readonly seenAs: "text" | "summary" | "nothing";
  readonly reason: string | null;
}

/** Of how many segments a score is the average. */
export interface SegmentSupport {
  readonly scored: number;
  readonly segments: number;
}

export interface AspectOutcome {
  readonly verdict: Verdict;
  /** Only where segments are judged by themselves. */
  readonly support?: SegmentSupport;
  readonly strengths: readonly JudgedRemark[];
  readonly weaknesses: readonly JudgedRemark[];
}

/** What one run of a method gave. */
export interface RunOutcome {
  readonly aspects: Readonly<Record<string, AspectOutcome>>;
  readonly overall: Verdict;
  readonly support?: SegmentSupport;
  /** Words of the book that the judge was shown word for word, where it was shown a summary otherwise. */
  readonly quotedWords?: number;
  readonly assessment: string | null;
  /** How asking the judge departed from the settings. */
  readonly note?: string;
  /** Verdicts along the book, where the method gives them. */
  readonly course: readonly SegmentOutcome[];
  readonly ledger: readonly LedgerEntry[];
  /** What was said of each segment, where segments are judged by themselves: what a later draft is held against. */
  readonly replies?: readonly (JudgeReply | null)[];
}

export interface SegmentOutcome {
  readonly segment: number;
  readonly chapter: number;
  readonly aspects: Readonly<Record<string, Verdict>>;
  readonly overall: Verdict;
}

/** A way to present a long book to a judge. Methods are interchangeable: they ask and return, and know nothing of storage or money. */
export interface Method {
  readonly name: PublishedMethod;
  readonly about: string;
  /** A book in the hands of this method, ready to be judged as often as one likes. */
  judging(material: MethodMaterial): Judging;
}

/** Judges something once: `run` tells the answers of repeated runs apart. */
export type Judging = (judge: ChatModel, run: number, signal: AbortSignal) => Promise<RunOutcome>;
