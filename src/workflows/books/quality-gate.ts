import { FabulaError } from "../../core/errors.ts";
import { isScored, type Verdict } from "../../core/verdict.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";

/** What a measure must not fall below or rise above. */
export interface Limit {
  readonly measure: string;
  readonly side: "below" | "above";
  readonly value: number;
}

/** One thing that was checked about one book. */
export interface Check {
  readonly file: string;
  readonly title: string;
  readonly name: string;
  /** What is wrong, in one sentence; null when nothing is. */
  readonly failure: string | null;
}

const PER_WORDS = 1000;

/** Every figure of an evaluation that can be checked, by name. */
export function measuresOf(evaluation: BookEvaluation): ReadonlyMap<string, Verdict> {
  const { overall, aspects, jury, lineNotes, book } = evaluation;
  const edits = lineNotes && book.words > 0 ? (PER_WORDS * lineNotes.marked) / book.words : null;
  return new Map<string, Verdict>([
    ["overall", overall],
    ...aspects.map(({ id, verdict }) => [id, verdict] as const),
    ...(jury?.jurors.map(({ id, overall: own }) => [id, own] as const) ?? []),
    ["words", { kind: "scored", score: book.words }],
    [
      EDITS,
      edits === null ? { kind: "unscored", reason: "the text has no line notes" } : { kind: "scored", score: edits },
    ],
  ]);
}

/** Sentences that a professional editor is more likely than not to change. */
const EDITS = "edits-per-1000-words";

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

/** A book against limits. A figure that is missing fails: a check that could not be made has not been passed. */
export function checkLimits(evaluation: BookEvaluation, limits: readonly Limit[]): Check[] {
  const measures = measuresOf(evaluation);
  return limits.map((limit) => {
    const verdict = measures.get(limit.measure);
    if (!verdict) {
      throw new FabulaError(
        "E_USAGE",
        `--fail-${limit.side} ${limit.measure}: this evaluation has no such figure; it has ${[...measures.keys()].join(", ")}.`,
      );
    }
    return checkOf(evaluation, `${limit.measure} not ${limit.side} ${limit.value}`, failureOf(limit, verdict));
  });
}

function failureOf({ measure, side, value }: Limit, verdict: Verdict): string | null {
  if (!isScored(verdict)) return `${measure} has no score: ${verdict.reason}`;
  const fails = side === "below" ? verdict.score < value : verdict.score > value;
  return fails ? `${measure} is ${round(verdict.score)}, ${side} ${value}` : null;
}

/** A book against its earlier evaluation: it fails where a score is clearly worse, which is when the two ranges do not overlap. */
export function checkBaseline(evaluation: BookEvaluation, baseline: readonly BookEvaluation[]): Check[] {
  const earlier = earlierOf(evaluation, baseline);
  if (!earlier) return [];
  if (earlier.judge !== evaluation.judge || earlier.method !== evaluation.method) {
    throw new FabulaError(
      "E_USAGE",
      `--baseline: "${earlier.book.title}" was judged by ${earlier.judge} (${earlier.method}) then and by ${evaluation.judge} (${evaluation.method}) now, so the scores cannot be compared: use the same judge and method.`,
    );
  }
  const before = measuresOf(earlier);
  return [...measuresOf(evaluation)].flatMap(([measure, now]) => {
    const then = before.get(measure);
    if (measure === "words" || measure === EDITS || !then || !isScored(then)) return [];
    return [checkOf(evaluation, `${measure} not clearly worse than before`, worsening(measure, then, now))];
  });
}

/** The same book in the baseline. Drafts of one book may share a title, so a file of the same name is preferred. */
export function earlierOf({ book }: BookEvaluation, baseline: readonly BookEvaluation[]): BookEvaluation | undefined {
  const named = baseline.filter(({ book: { title } }) => title === book.title);
  const filed = ({ book: { file } }: BookEvaluation) => file === book.file;
  return named.find(filed) ?? named[0] ?? baseline.find(filed);
}

/** A book that speaks to its judge fails, whatever its scores: they may be what it asked for. */
export function checkInjection(evaluation: BookEvaluation): Check {
  const { suspicions = [] } = evaluation;
  const [first] = suspicions;
  const others = suspicions.length > 1 ? ` and ${suspicions.length - 1} more` : "";
  const failure = first
    ? `its scores may be manipulated, since it speaks to the judge (chapter ${first.chapter}, ${first.why}${others}): read those passages in the report, or see the scores without them with --mask-injection`
    : null;
  return checkOf(evaluation, "does not speak to the judge", failure);
}

function worsening(measure: string, then: Extract<Verdict, { kind: "scored" }>, now: Verdict): string | null {
  if (!isScored(now)) return `${measure} had a score and has none now: ${now.reason}`;
  const highest = now.interval?.[1] ?? now.score;
  const lowest = then.interval?.[0] ?? then.score;
  return highest < lowest ? `${measure} fell from ${round(then.score)} to ${round(now.score)}` : null;
}

function checkOf({ book }: BookEvaluation, name: string, failure: string | null): Check {
  return { file: book.file, title: book.title, name, failure };
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}
