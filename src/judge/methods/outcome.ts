import { averageVerdicts, isScored, scored, unscored, type Verdict } from "../../core/verdict.ts";
import type { Answer } from "../../models/ask.ts";
import { NO_SCORE_GIVEN } from "../../models/written-score.ts";
import { sum } from "../../stats/distribution.ts";
import type { Segment } from "../../text/segments.ts";
import type { JudgeReply } from "../judge-reply.ts";
import type { JudgeInstructions } from "../material.ts";
import type { AspectOutcome, JudgedSegment, LedgerEntry, RunOutcome, SegmentSupport } from "./method.ts";

/** The smallest share of its words that must be judged for a book to have a score. */
export const LEAST_COVERAGE = 0.9;

/** Converts a score to a verdict; a missing score without a reason means that the judge gave none. */
export function verdictOf(score: number | null, reason = NO_SCORE_GIVEN): Verdict {
  return score === null ? unscored(reason) : scored(score);
}

/** Converts a reply to an outcome; an aspect that the reply leaves out is unscored. */
export function outcomeOf(reply: JudgeReply, ledger: readonly LedgerEntry[]): RunOutcome {
  const aspects = Object.entries(reply.aspects).map(
    ([id, { score, unscored, strengths, weaknesses }]): [string, AspectOutcome] => [
      id,
      { verdict: verdictOf(score, unscored), strengths, weaknesses },
    ],
  );
  return {
    aspects: Object.fromEntries(aspects),
    overall: verdictOf(reply.overall, reply.unscored),
    assessment: reply.assessment,
    ...(reply.note !== undefined && { note: reply.note }),
    course: [],
    ledger,
  };
}

/** An outcome in which nothing is scored, for one reason. */
export function unscoredOutcome(
  instructions: JudgeInstructions,
  reason: string,
  ledger: readonly LedgerEntry[],
): RunOutcome {
  const nothing: AspectOutcome = { verdict: unscored(reason), strengths: [], weaknesses: [] };
  return {
    aspects: Object.fromEntries(instructions.criteria.map(({ id }) => [id, nothing])),
    overall: unscored(reason),
    assessment: null,
    course: [],
    ledger,
  };
}

/** A segment's verdict, for the `onSegment` callback. */
export function judgedSegment(segment: Segment, answer: Answer<JudgeReply>): JudgedSegment {
  const overall =
    answer.kind === "answered" ? verdictOf(answer.value.overall, answer.value.unscored) : unscored(answer.reason);
  return { segment: segment.index, chapters: chaptersOf(segment), overall };
}

function chaptersOf({ spans }: Segment): number[] {
  return [...new Set(spans.map(({ chapter }) => chapter))];
}

export function ledgerEntry(
  segment: Segment,
  seenAs: LedgerEntry["seenAs"],
  reason: string | null = null,
): LedgerEntry {
  return { segment: segment.index, chapters: chaptersOf(segment), words: segment.words, seenAs, reason };
}

export function coveredShare(ledger: readonly LedgerEntry[]): number {
  const total = sum(ledger.map(({ words }) => words));
  const seen = sum(ledger.filter(({ seenAs }) => seenAs !== "nothing").map(({ words }) => words));
  return total === 0 ? 0 : seen / total;
}

/** Why too little of the book was judged; null if enough was. */
export function gap(ledger: readonly LedgerEntry[]): string | null {
  const share = coveredShare(ledger);
  if (share >= LEAST_COVERAGE) return null;
  const missing = ledger.filter(({ seenAs }) => seenAs === "nothing");
  const first = missing[0];
  return `only ${Math.round(share * 100)} % of the book was judged: ${missing.length} of ${ledger.length} segments failed${first?.reason ? ` (${first.reason})` : ""}`;
}

/**
 * The average over the segments that were scored, with their number. A judge may read a segment and give no score, so
 * the coverage rule applies to each score separately: an average over less is not a score of the book.
 */
export function averageOver(
  verdicts: readonly Verdict[],
  segments: readonly Segment[],
): { readonly verdict: Verdict; readonly support: SegmentSupport } {
  const { verdict, used } = averageVerdicts(verdicts);
  const support = { scored: used, segments: segments.length };
  const wordsOf = (chosen: readonly Segment[]) => sum(chosen.map(({ words }) => words));
  const share = wordsOf(segments.filter((_, at) => isScored(verdicts[at]!))) / wordsOf(segments);
  if (!isScored(verdict) || share >= LEAST_COVERAGE) return { verdict, support };
  const missing = verdicts.find((one) => one.kind === "unscored");
  const why = missing?.kind === "unscored" ? ` (${missing.reason})` : "";
  return { verdict: unscored(`only ${used} of ${segments.length} segments were given a score${why}`), support };
}
