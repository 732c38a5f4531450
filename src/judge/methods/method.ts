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

/** `close`: the judge reads the story, each claim is checked, and scores are based on the findings. */
export const METHOD_NAMES = ["close", ...PUBLISHED_METHODS] as const;
export type MethodName = (typeof METHOD_NAMES)[number];

/** How closely `close` reads: `full` also reads every chapter separately. */
export const DEPTHS = ["quick", "full"] as const;
export type Depth = (typeof DEPTHS)[number];

/** The material that a method may show a judge. */
export interface MethodMaterial {
  readonly book: Book;
  readonly segments: readonly Segment[];
  readonly instructions: JudgeInstructions;
  /** Made once per book and shared by all runs; a method that does not need it never starts it. */
  summary(): SummaryStream;
  readonly excerpts: readonly Excerpt[];
  /** Show the summary chapter by chapter instead of as a whole (LongStoryEval's ablation). */
  readonly bySegment: boolean;
  /** Called with each segment as soon as a run has judged it, if the method judges segments. */
  readonly onSegment?: (judged: JudgedSegment) => void;
}

/** One run's verdict on one segment, for the `onSegment` callback. */
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

/** How many segments a score averages. */
export interface SegmentSupport {
  readonly scored: number;
  readonly segments: number;
}

export interface AspectOutcome {
  readonly verdict: Verdict;
  /** Present only if segments are judged separately. */
  readonly support?: SegmentSupport;
  readonly strengths: readonly JudgedRemark[];
  readonly weaknesses: readonly JudgedRemark[];
}

/** The result of one run of a method. */
export interface RunOutcome {
  readonly aspects: Readonly<Record<string, AspectOutcome>>;
  readonly overall: Verdict;
  readonly support?: SegmentSupport;
  /** How many words of the book the judge was shown verbatim, if it otherwise saw a summary. */
  readonly quotedWords?: number;
  readonly assessment: string | null;
  /** How the request differed from the settings. */
  readonly note?: string;
  /** Verdicts along the book, if the method gives them. */
  readonly course: readonly SegmentOutcome[];
  readonly ledger: readonly LedgerEntry[];
  /** The replies on each segment, if segments are judged separately; a later draft is compared with them. */
  readonly replies?: readonly (JudgeReply | null)[];
}

export interface SegmentOutcome {
  readonly segment: number;
  readonly chapter: number;
  readonly aspects: Readonly<Record<string, Verdict>>;
  readonly overall: Verdict;
}

/**
 * A way to present a long book to a judge. Methods are interchangeable: they ask and return, and know nothing about
 * storage or money.
 */
export interface Method {
  readonly name: PublishedMethod;
  readonly about: string;
  /** Prepares a book for this method, to be judged any number of times. */
  judging(material: MethodMaterial): Judging;
}

/** Judges once; `run` distinguishes the answers of repeated runs. */
export type Judging = (judge: ChatModel, run: number, signal: AbortSignal) => Promise<RunOutcome>;
