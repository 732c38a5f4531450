import { FabulaError } from "../../core/errors.ts";
import { isStrength } from "../../core/finding.ts";
import { isScored, type Verdict } from "../../core/verdict.ts";
import { type BookEvaluation, NO_PROSE } from "../../judge/evaluation.ts";
import { holmCorrection } from "../../stats/comparison/multiple-comparison.ts";
import { besideLimit, type Difference, whatItWouldTake } from "../../stats/error-model.ts";
import { judgeDrift } from "../trust/calibration.ts";
import { editDifference, evaluationDifferences } from "../trust/score-differences.ts";

/** A lower or upper limit for a measure. */
export interface Limit {
  readonly measure: string;
  readonly side: "below" | "above";
  readonly value: number;
}

/** The result of one check of one book. */
export interface Check {
  readonly file: string;
  readonly title: string;
  readonly name: string;
  /** What is wrong, in one sentence; null when nothing is. */
  readonly failure: string | null;
  /** Why the check neither passes nor fails, and what it would take to decide; null if it is decided. */
  readonly undecided: string | null;
}

const PER_WORDS = 1000;

/** Every figure of an evaluation that can be checked, by name. */
export function measuresOf(evaluation: BookEvaluation): ReadonlyMap<string, Verdict> {
  const { overall, aspects, jury, lineNotes, book, letter } = evaluation;
  const edits = lineNotes && book.words > 0 ? (PER_WORDS * lineNotes.marked) / book.words : null;
  return new Map<string, Verdict>([
    ["overall", overall],
    ...(evaluation.people ? [[PEOPLE, evaluation.people.verdict] as const] : []),
    ...aspects.map(({ id, verdict }) => [id, verdict] as const),
    ...(jury?.jurors.map(({ id, overall: own }) => [id, own] as const) ?? []),
    ["words", { kind: "scored", score: book.words }],
    ...(letter ? [[FINDINGS, { kind: "scored", score: countFindings(letter) }] as const] : []),
    [
      EDITS,
      edits === null ? { kind: "unscored", reason: "the text has no line notes" } : { kind: "scored", score: edits },
    ],
  ]);
}

/** The overall score on people's scale, where a calibration was given. */
const PEOPLE = "people";
/** Sentences that a professional editor is more likely than not to change. */
const EDITS = "edits-per-1000-words";
/** What the letter reports, without strengths. */
const FINDINGS = "findings";
/** Counted in the text, so they have no statistical error and are compared with a limit directly. */
const COUNTED: ReadonlySet<string> = new Set(["words", EDITS, FINDINGS]);

function countFindings({ findings }: NonNullable<BookEvaluation["letter"]>): number {
  return findings.filter((finding) => !isStrength(finding)).length;
}

/** `writing=6,plot=5` → limits. */
export function parseLimits(given: readonly string[], side: Limit["side"]): Limit[] {
  return given
    .flatMap((text) => text.split(","))
    .map((text) => {
      const [, measure, number] = /^\s*([a-z0-9-]+)\s*=\s*(-?\d+(?:\.\d+)?)\s*$/i.exec(text) ?? [];
      if (measure === undefined || number === undefined) {
        throw new FabulaError(
          "E_USAGE",
          `--fail-${side} ${text} is not a limit: give a name and a number, such as writing=6.`,
        );
      }
      return { measure, side, value: Number(number) };
    });
}

/**
 * Checks a book against limits. A missing figure fails, since a check that could not be made has not been passed. A
 * score fails when its whole range lies on the wrong side; when the limit lies inside the range, the check is
 * undecided. `strict` compares the score alone.
 */
export function checkLimits(evaluation: BookEvaluation, limits: readonly Limit[], strict = false): Check[] {
  const measures = measuresOf(evaluation);
  return limits.map((limit) => {
    const verdict = measures.get(limit.measure);
    if (!verdict) {
      throw new FabulaError(
        "E_USAGE",
        limit.measure === PEOPLE
          ? `--fail-${limit.side} people is held against people's scale: give the judge's calibration with --calibration FILE.`
          : `--fail-${limit.side} ${limit.measure}: this evaluation has no such figure; it has ${[...measures.keys()].join(", ")}.`,
      );
    }
    const exact = strict || COUNTED.has(limit.measure);
    const { failure, undecided } = exact
      ? { failure: failureOf(limit, verdict), undecided: null }
      : besideRange(limit, verdict, evaluation);
    return checkOf(evaluation, `${limit.measure} not ${limit.side} ${limit.value}`, failure, undecided);
  });
}

function besideRange(limit: Limit, verdict: Verdict, { jury }: BookEvaluation): Pick<Check, "failure" | "undecided"> {
  if (!isScored(verdict)) return { failure: failureOf(limit, verdict), undecided: null };
  const place = besideLimit(verdict.interval, limit.value);
  if (place === limit.side) return { failure: failureOf(limit, verdict), undecided: null };
  if (place !== "cannot be told") return { failure: null, undecided: null };
  const score = `${limit.measure} is ${round(verdict.score)}`;
  if (!verdict.interval) {
    return { failure: null, undecided: `${score}, from one run whose error is not known: judge with --runs 3 or more` };
  }
  const [low, high] = verdict.interval.map(round);
  const advice = jury
    ? "closer than this juror can measure for one book; --strict compares the score itself"
    : "more runs narrow the range; --strict compares the score itself";
  return {
    failure: null,
    undecided: `${score}, between ${low} and ${high}, and the limit is ${limit.value}: ${limit.measure === PEOPLE ? "closer than the judge can measure for one text; --strict compares the score itself" : advice}`,
  };
}

function failureOf({ measure, side, value }: Limit, verdict: Verdict): string | null {
  if (!isScored(verdict)) return `${measure} has no score: ${verdict.reason}`;
  const fails = side === "below" ? verdict.score < value : verdict.score > value;
  return fails ? `${measure} is ${round(verdict.score)}, ${side} ${value}` : null;
}

/**
 * Checks a book against its earlier evaluation. The differences are tested, using everything in the baseline to
 * estimate the judge's noise, and corrected for their number (Holm), so that a draft as good as the last fails at
 * most one time in twenty. `strict` fails any score that is lower.
 */
export function checkBaseline(
  evaluation: BookEvaluation,
  baseline: readonly BookEvaluation[],
  strict = false,
): Check[] {
  const earlier = earlierOf(evaluation, baseline);
  if (!earlier) return [];
  if (earlier.judge !== evaluation.judge || earlier.method !== evaluation.method) {
    throw new FabulaError(
      "E_USAGE",
      `--baseline: "${earlier.book.title}" was judged by ${earlier.judge} (${earlier.method}) then and by ${evaluation.judge} (${evaluation.method}) now, so the scores cannot be compared: use the same judge and method.`,
    );
  }
  const before = measuresOf(earlier);
  const edits = editDifference(earlier, evaluation);
  const differences = new Map([
    ...evaluationDifferences(earlier, evaluation, baseline),
    ...(edits ? [[EDITS, edits] as const] : []),
  ]);
  // The headline juror's score appears under two names but counts once.
  const tested = [...differences].filter(([measure]) => !(evaluation.jury && ["overall", "writing"].includes(measure)));
  const corrected = holmCorrection(tested.map(([, { p }]) => p ?? 1));
  const adjusted = new Map(tested.map(([measure], at) => [measure, corrected[at]!]));
  if (evaluation.jury) adjusted.set("overall", adjusted.get(evaluation.jury.headline) ?? 1);
  return [...measuresOf(evaluation)].flatMap(([measure, now]) => {
    const then = before.get(measure);
    if (measure === "words" || measure === FINDINGS || measure === PEOPLE || !then || !isScored(then)) return [];
    const name = `${measure} not ${strict ? "" : "clearly "}worse than before`;
    if (!isScored(now)) {
      return measure === EDITS
        ? []
        : [checkOf(evaluation, name, `${measure} had a score and has none now: ${now.reason}`)];
    }
    const found = differences.get(measure);
    const isLower = measure === EDITS ? now.score > then.score : now.score < then.score;
    const words = `${measure} ${measure === EDITS ? "rose" : "fell"} from ${round(then.score)} to ${round(now.score)}`;
    if (strict) return [checkOf(evaluation, name, isLower ? words : null)];
    if (!found) return [];
    const isWorse = found.outcome === "worse" && (adjusted.get(measure) ?? found.p ?? 1) < SIGNIFICANCE;
    if (isWorse) return [checkOf(evaluation, name, words)];
    return [checkOf(evaluation, name, null, isLower ? `${words}, which may be chance${needed(found)}` : null)];
  });
}

const SIGNIFICANCE = 0.05;

function needed(found: Difference): string {
  const needs = whatItWouldTake({ ...found, outcome: "cannot be told" });
  return found.runsNeeded !== null || found.interval === null ? `: ${needs}` : "";
}

/** The same book in the baseline. Drafts of one book may share a title, so a file of the same name is preferred. */
export function earlierOf({ book }: BookEvaluation, baseline: readonly BookEvaluation[]): BookEvaluation | undefined {
  const named = baseline.filter(({ book: { title } }) => title === book.title);
  const filed = ({ book: { file } }: BookEvaluation) => file === book.file;
  return named.find(filed) ?? named[0] ?? baseline.find(filed);
}

/**
 * Checks the calibration's texts that were judged again: if the judge has drifted, the calibration no longer applies.
 */
export function checkDrift(
  evaluations: readonly BookEvaluation[],
  isDemanded = false,
): Omit<Check, "file" | "title"> | null {
  // The version of an embedded judge is part of its settings, and another version is refused, so it cannot drift.
  const moving = evaluations.filter(({ people, jury }) => people !== undefined && jury === undefined);
  if (moving.length === 0) return null;
  const name = "the judge has not drifted since its calibration";
  const drift = judgeDrift(moving);
  if (drift === null) {
    const unknown =
      "whether the judge has drifted since its calibration: pin three or more of its texts (`fabula trust … --calibration FILE --pinned TEXTS`), or judge them along with yours, with --refresh";
    return isDemanded
      ? { name, failure: `it is not known ${unknown}`, undecided: null }
      : { name, failure: null, undecided: unknown };
  }
  const { outcome, difference, interval } = drift.difference;
  if (outcome === "cannot be told") return { name, failure: null, undecided: null };
  const range = interval ? ` (between ${round(interval[0])} and ${round(interval[1])})` : "";
  const failure = `the judge has drifted: it gives ${drift.texts} texts of its calibration ${round(Math.abs(difference))} ${outcome === "better" ? "more" : "less"}${range} than then, so make a new calibration`;
  return { name, failure, undecided: null };
}

/** Requires a score on people's scale, within the range that the calibration covers. */
export function checkCalibrated(evaluation: BookEvaluation): Check {
  const { people } = evaluation;
  const failure =
    people === undefined
      ? "its score is not on people's scale: give the judge's calibration with --calibration FILE"
      : people.isBeyond
        ? "its score lies beyond those that the calibration was learnt from"
        : null;
  return checkOf(evaluation, "is on people's scale", failure);
}

/** A book that addresses its judge fails, whatever its scores: they may be what it asked for. */
export function checkInjection(evaluation: BookEvaluation): Check {
  const { suspicions = [] } = evaluation;
  const [first] = suspicions;
  const others = suspicions.length > 1 ? ` and ${suspicions.length - 1} more` : "";
  const failure = first
    ? `its scores may be manipulated, since it addresses the judge (chapter ${first.chapter}, ${first.why}${others}): read those passages in the report, or see the scores without them with --mask-injection`
    : null;
  return checkOf(evaluation, "does not address the judge", failure);
}

function checkOf(
  { book }: BookEvaluation,
  name: string,
  failure: string | null,
  undecided: string | null = null,
): Check {
  return { file: book.file, title: book.title, name, failure, undecided };
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/**
 * What this run left unscored although the judge could have scored it: a chapter, the overall score, a juror's score,
 * or an aspect that a language model was asked for. Not counted as gaps: embedded judges do not grade plot or
 * characters, and an outline has no prose to grade; the report says so.
 */
export function gapsOf(evaluation: BookEvaluation): string[] {
  const { overall, coverage, jury } = evaluation;
  return [
    ...(overall.kind === "unscored" ? [`overall (${overall.reason})`] : []),
    ...coverage.skipped.map(({ chapter }) => `chapter ${chapter}`),
    ...(jury?.jurors.flatMap((juror) => (juror.overall.kind === "unscored" ? [`the ${juror.id}`] : [])) ?? []),
    ...unscoredAspects(evaluation),
  ];
}

export function hasGaps(evaluation: BookEvaluation): boolean {
  return gapsOf(evaluation).length > 0;
}

/** How much of a book is unscored, from 0 to 1: the largest share among words, jurors and aspects. */
export function gapShare(evaluation: BookEvaluation): number {
  const { overall, coverage, jury, aspects } = evaluation;
  if (overall.kind === "unscored") return 1;
  const silent = jury?.jurors.filter((juror) => juror.overall.kind === "unscored").length ?? 0;
  return Math.max(
    coverage.skipped.length > 0 ? 1 - coverage.share : 0,
    silent / Math.max(1, jury?.jurors.length ?? 0),
    unscoredAspects(evaluation).length / Math.max(1, aspects.length),
  );
}

/** Sums up the gaps of all books in one line. */
export function gapsInWords(evaluations: readonly BookEvaluation[]): string {
  const open = evaluations.flatMap((evaluation) => {
    const gaps = gapsOf(evaluation);
    const more = gaps.length > MOST_NAMED ? [`${gaps.length - MOST_NAMED} more`] : [];
    return gaps.length === 0 ? [] : [`${evaluation.book.title}: ${[...gaps.slice(0, MOST_NAMED), ...more].join(", ")}`];
  });
  const more = open.length > MOST_NAMED ? `; and ${open.length - MOST_NAMED} more books` : "";
  return `Unscored: ${open.slice(0, MOST_NAMED).join("; ")}${more}.`.replace(/\s+/g, " ");
}

const MOST_NAMED = 5;

function unscoredAspects({ jury, aspects }: BookEvaluation): string[] {
  if (jury) return [];
  return aspects.flatMap(({ id, verdict }) => (verdict.kind === "unscored" && verdict.reason !== NO_PROSE ? [id] : []));
}
