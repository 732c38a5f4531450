import type { Criterion } from "../../criteria/rubric.ts";
import { mean } from "../../stats/distribution/mean.ts";
import { sum } from "../../stats/distribution/sum.ts";
import { variance } from "../../stats/distribution/variance.ts";
import { studentInterval } from "../../stats/special/student-interval.ts";
import type { JudgeReply } from "../judge-reply.ts";
import type { RunOutcome } from "../methods/method.ts";
import type { AlignedDrafts } from "./align-drafts.ts";
import type { Change, DraftChanges } from "./change-schema.ts";
import type { DraftRecord } from "./draft-record.ts";

type ScorePick = (reply: JudgeReply) => number | null | undefined;

/** What changed between two drafts, segment by segment and for the whole. Only changed segments add noise to the difference. */
export function draftChanges(
  run: string,
  record: DraftRecord,
  aligned: AlignedDrafts,
  outcomes: readonly RunOutcome[],
  { criteria }: { readonly criteria: readonly Criterion[] },
): DraftChanges {
  const after = (position: number, pick: ScorePick) =>
    scoresOf(
      outcomes.map(({ replies }) => replies?.[position] ?? null),
      pick,
    );
  const changed = aligned.segments
    .map((segment, position) => ({ ...segment, position }))
    .filter(({ same }) => same === null);
  const byAspect = (make: (pick: ScorePick) => Change) =>
    Object.fromEntries(criteria.map(({ id }) => [id, make((reply) => reply.aspects[id]?.score)]));
  const whole = (pick: ScorePick): Change => {
    const before = record.segments.map(({ replies }) => scoresOf(replies, pick));
    const now = aligned.segments.map((_, position) => after(position, pick));
    const noisyBefore = record.segments.map((segment) => !aligned.segments.some(({ same }) => same === segment));
    const noisyNow = aligned.segments.map(({ same }) => same === null);
    return changeOf(meanOf(before, noisyBefore), meanOf(now, noisyNow));
  };
  return {
    run,
    title: record.title,
    unchanged: aligned.segments.length - changed.length,
    removed: aligned.removed.length,
    overall: whole((reply) => reply.overall),
    aspects: byAspect(whole),
    segments: changed.map(({ segment, replaces, position }) => {
      const change = (pick: ScorePick) =>
        changeOf(meanOf([scoresOf(replaces?.replies ?? [], pick)], [true]), meanOf([after(position, pick)], [true]));
      return {
        title: segment.title,
        chapters: [...new Set(segment.spans.map(({ chapter }) => chapter))],
        overall: change((reply) => reply.overall),
        aspects: byAspect(change),
      };
    }),
  };
}

/**
 * What changed between two drafts when the judge scores only the whole book: its scores are compared, and the changed
 * segments are named without scores of their own.
 */
export function wholeChanges(
  run: string,
  before: DraftRecord,
  after: Pick<DraftRecord, "runs">,
  aligned: AlignedDrafts,
): DraftChanges {
  const changed = aligned.segments.filter(({ same }) => same === null);
  const change = (pick: (run: DraftRecord["runs"][number]) => number | null | undefined): Change => {
    const scores = (runs: DraftRecord["runs"]) => runs.flatMap((given) => pick(given) ?? []);
    return changeOf(meanOf([scores(before.runs)], [true]), meanOf([scores(after.runs)], [true]));
  };
  return {
    run,
    title: before.title,
    unchanged: aligned.segments.length - changed.length,
    removed: aligned.removed.length,
    overall: change(({ overall }) => overall),
    aspects: Object.fromEntries(before.criteria.map((id) => [id, change(({ aspects }) => aspects[id])])),
    segments: changed.map(({ segment }) => ({
      title: segment.title,
      chapters: [...new Set(segment.spans.map(({ chapter }) => chapter))],
      overall: NO_CHANGE,
      aspects: {},
    })),
  };
}

const NO_CHANGE: Change = { before: null, after: null, difference: null, interval: null, beyondNoise: false };

function scoresOf(replies: readonly (JudgeReply | null)[], pick: ScorePick): number[] {
  return replies.flatMap((reply) => (reply ? (pick(reply) ?? []) : []));
}

interface Mean {
  readonly value: number | null;
  /** Variance of the mean over segments that comes from those judged again; null when a segment has only one score. */
  readonly variance: number | null;
  readonly degrees: number;
}

function meanOf(segments: readonly (readonly number[])[], noisy: readonly boolean[]): Mean {
  const known = segments.map((scores, at) => ({ scores, noisy: noisy[at]! })).filter(({ scores }) => scores.length > 0);
  if (known.length === 0) return { value: null, variance: null, degrees: 0 };
  const value = mean(known.map(({ scores }) => mean(scores)));
  const moving = known.filter((segment) => segment.noisy).map(({ scores }) => scores);
  if (moving.some((scores) => scores.length < 2)) return { value, variance: null, degrees: 0 };
  const ofMeans = sum(moving.map((scores) => variance(scores) / scores.length));
  const degrees = sum(moving.map((scores) => scores.length - 1));
  return { value, variance: ofMeans / known.length ** 2, degrees };
}

function changeOf(before: Mean, after: Mean): Change {
  const difference = before.value === null || after.value === null ? null : after.value - before.value;
  const degrees = before.degrees + after.degrees;
  const noise = before.variance === null || after.variance === null ? 0 : before.variance + after.variance;
  // One run has no spread, and neither have runs that all gave the same score.
  if (difference === null || noise === 0 || degrees === 0) {
    return { before: before.value, after: after.value, difference, interval: null, beyondNoise: false };
  }
  const interval = studentInterval(difference, Math.sqrt(noise), degrees);
  const beyondNoise = interval[0] > 0 || interval[1] < 0;
  return { before: before.value, after: after.value, difference, interval, beyondNoise };
}
