import type { Criterion } from "../../criteria/rubric.ts";
import { mean, sum } from "../../stats/distribution.ts";
import {
  type Difference,
  type JudgeNoise,
  judgeNoise,
  meanOfRuns,
  runsToTell,
  testedDifference,
  unknownDifference,
  whatItWouldTake,
} from "../../stats/error-model.ts";
import type { JudgeReply } from "../judge-reply.ts";
import type { RunOutcome } from "../methods/method.ts";
import type { AlignedDrafts } from "./align-drafts.ts";
import type { Change, DraftChanges } from "./change-schema.ts";
import type { DraftRecord } from "./draft-record.ts";

type ScorePick = (reply: JudgeReply) => number | null | undefined;

/** Compares two drafts, segment by segment and as a whole. Only changed segments add noise to the difference. */
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
  const noise = noiseOfSegments(record, outcomes, criteria);
  const whole = (pick: ScorePick): Change => {
    const before = record.segments.map(({ replies }) => scoresOf(replies, pick));
    const now = aligned.segments.map((_, position) => after(position, pick));
    const noisyBefore = record.segments.map((segment) => !aligned.segments.some(({ same }) => same === segment));
    const noisyNow = aligned.segments.map(({ same }) => same === null);
    return changeOf(meanOf(before, noisyBefore, noise), meanOf(now, noisyNow, noise));
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
        changeOf(
          meanOf([scoresOf(replaces?.replies ?? [], pick)], [true], noise),
          meanOf([after(position, pick)], [true], noise),
        );
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
 * Compares two drafts when the judge scores only the whole book: compares the scores, and names the changed segments
 * without scores of their own.
 */
export function wholeChanges(
  run: string,
  before: DraftRecord,
  after: Pick<DraftRecord, "runs">,
  aligned: AlignedDrafts,
): DraftChanges {
  const changed = aligned.segments.filter(({ same }) => same === null);
  type RunPick = (run: DraftRecord["runs"][number]) => number | null | undefined;
  const scores = (runs: DraftRecord["runs"], pick: RunPick) => runs.flatMap((given) => pick(given) ?? []);
  const picks: [string, RunPick][] = [
    ["overall", ({ overall }) => overall],
    ...before.criteria.map((id): [string, RunPick] => [id, ({ aspects }) => aspects[id]]),
  ];
  const noise = judgeNoise(
    picks.flatMap(([measure, pick]) => [
      { text: "before", measure, scores: scores(before.runs, pick) },
      { text: "after", measure, scores: scores(after.runs, pick) },
    ]),
  );
  const change = (pick: RunPick): Change =>
    changeOf(meanOf([scores(before.runs, pick)], [true], noise), meanOf([scores(after.runs, pick)], [true], noise));
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

/** The judge's noise on a segment, estimated from every segment of both drafts and every aspect. */
function noiseOfSegments(
  record: DraftRecord,
  outcomes: readonly RunOutcome[],
  criteria: readonly Criterion[],
): JudgeNoise {
  const picks: [string, ScorePick][] = [
    ["overall", (reply) => reply.overall],
    ...criteria.map(({ id }): [string, ScorePick] => [id, (reply) => reply.aspects[id]?.score]),
  ];
  const now = Array.from({ length: Math.max(0, ...outcomes.map(({ replies }) => replies?.length ?? 0)) }, (_, at) =>
    outcomes.map(({ replies }) => replies?.[at] ?? null),
  );
  const texts = [...record.segments.map(({ replies }) => replies), ...now];
  return judgeNoise(
    texts.flatMap((replies, at) =>
      picks.map(([measure, pick]) => ({ text: String(at), measure, scores: scoresOf(replies, pick) })),
    ),
  );
}

interface Mean {
  readonly value: number | null;
  /**
   * The part of the variance of the mean over segments that comes from those judged again; null if the judge's noise
   * is unknown.
   */
  readonly variance: number | null;
  readonly degrees: number;
  /** The variance of a single run of the whole. */
  readonly perRun: number;
}

function meanOf(segments: readonly (readonly number[])[], noisy: readonly boolean[], noise: JudgeNoise): Mean {
  const known = segments
    .map((scores, at) => ({ scores, noisy: noisy[at]! }))
    .filter(({ scores }) => scores.length > 0)
    .map((segment) => ({ ...segment, ...meanOfRuns(segment.scores, noise) }));
  if (known.length === 0) return { value: null, variance: null, degrees: 0, perRun: 0 };
  const value = mean(known.map((segment) => segment.value));
  const moving = known.filter((segment) => segment.noisy);
  const perRun = sum(moving.map((segment) => segment.perRun ?? 0)) / known.length ** 2;
  if (moving.some((segment) => segment.variance === null)) return { value, variance: null, degrees: 0, perRun };
  const squared = sum(moving.map((segment) => segment.variance!)) / known.length ** 2;
  return { value, variance: squared, degrees: Math.min(...moving.map(({ degrees }) => degrees)), perRun };
}

function changeOf(before: Mean, after: Mean): Change {
  const ends = { before: before.value, after: after.value };
  if (before.value === null || after.value === null) {
    return { ...ends, difference: null, interval: null, beyondNoise: false };
  }
  const difference = after.value - before.value;
  const degrees = Math.min(before.degrees, after.degrees);
  // If nothing was judged again, nothing changed.
  const isUntouched = before.variance === 0 && after.variance === 0;
  const found =
    before.variance === null || after.variance === null || isUntouched
      ? unknownDifference(difference)
      : {
          ...testedDifference(difference, before.variance + after.variance, Number.isFinite(degrees) ? degrees : 1),
          runsNeeded: runsToTell(difference, (before.perRun + after.perRun) / 2),
        };
  return changeFrom(ends, found);
}

/** Converts a difference to the form used in reports and documents. */
export function changeFrom(
  ends: { readonly before: number | null; readonly after: number | null },
  found: Difference,
): Change {
  const { outcome, difference, interval } = found;
  const needs = whatItWouldTake(found);
  return {
    ...ends,
    difference,
    interval: interval && [interval[0], interval[1]],
    beyondNoise: outcome !== "cannot be told",
    outcome,
    ...(needs !== "" && { needs }),
  };
}
