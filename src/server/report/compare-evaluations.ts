import type { ComparisonNote, ComparisonRow, ComparisonView } from "../../api/comparisons.ts";
import type { EvaluationSummary } from "../../api/evaluations.ts";
import { isScored, type ScoredVerdict, unscored, type Verdict } from "../../core/verdict.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { differencesInWords } from "../../judge/settings.ts";

interface Side {
  readonly summary: EvaluationSummary;
  readonly evaluation: BookEvaluation;
}
type Scale = EvaluationSummary["scale"];

/** Two evaluations side by side, aspect by aspect. Scores on two scales are shown and never subtracted from each other. */
export function compareEvaluations(left: Side, right: Side): ComparisonView {
  const aspects = new Map([...left.evaluation.aspects, ...right.evaluation.aspects].map(({ id, name }) => [id, name]));
  const verdictIn = ({ evaluation }: Side, id: string): Verdict =>
    evaluation.aspects.find((aspect) => aspect.id === id)?.verdict ?? unscored("it was not asked for");
  const scales: [Scale, Scale] = [left.summary.scale, right.summary.scale];
  const isEmbedded = left.evaluation.jury !== undefined || right.evaluation.jury !== undefined;
  const isSameScale = scales[0].minimum === scales[1].minimum && scales[0].maximum === scales[1].maximum;
  const row = (id: string, name: string, from: Verdict, to: Verdict): ComparisonRow => {
    if (!isSameScale) return { id, name, left: from, right: to, difference: null, interval: null, isClear: null };
    const compared = comparisonRow(id, name, from, to, scales);
    return isEmbedded && compared.isClear ? { ...compared, isClear: !rangesOverlap(from, to, scales) } : compared;
  };
  const otherSettings = differencesInWords([left.evaluation.settings, right.evaluation.settings]) || null;
  return {
    left: left.summary,
    right: right.summary,
    isSameBook: left.summary.bookId === right.summary.bookId,
    isSameScale,
    rows: [
      row("overall", "Overall", left.evaluation.overall, right.evaluation.overall),
      ...[...aspects].map(([id, name]) => row(id, name, verdictIn(left, id), verdictIn(right, id))),
    ],
    otherSettings,
    notes: notesOn(left.summary, right.summary, otherSettings === null),
  };
}

/** A juror errs alike on two books, so its ranges are not independent: books are told apart where the ranges do not overlap. */
function rangesOverlap(left: Verdict, right: Verdict, scales: [Scale, Scale]): boolean {
  if (!isScored(left) || !isScored(right)) return false;
  const [from, to] = [onHundred(left, scales[0]).interval, onHundred(right, scales[1]).interval];
  return from !== null && to !== null && from[0] <= to[1] && to[0] <= from[1];
}

function comparisonRow(id: string, name: string, left: Verdict, right: Verdict, scales: [Scale, Scale]): ComparisonRow {
  if (!isScored(left) || !isScored(right)) {
    return { id, name, left, right, difference: null, interval: null, isClear: null };
  }
  const [from, to] = [onHundred(left, scales[0]), onHundred(right, scales[1])];
  const difference = to.score - from.score;
  const interval = differenceInterval(from, to);
  return { id, name, left, right, difference, interval, isClear: interval && (interval[0] > 0 || interval[1] < 0) };
}

/**
 * The interval of a difference from the intervals of both sides, each of which may be lopsided: the method of variance
 * estimates recovery (Zou and Donner, Statistics in Medicine 27, 2008). Both sides are taken as independent.
 */
function differenceInterval(from: OnHundred, to: OnHundred): [number, number] | null {
  if (!from.interval || !to.interval) return null;
  const difference = to.score - from.score;
  const below = Math.hypot(to.score - to.interval[0], from.interval[1] - from.score);
  const above = Math.hypot(to.interval[1] - to.score, from.score - from.interval[0]);
  return [difference - below, difference + above];
}

interface OnHundred {
  readonly score: number;
  readonly interval: readonly [number, number] | null;
}

function onHundred({ score, interval }: ScoredVerdict, { minimum, maximum }: Scale): OnHundred {
  const share = (value: number) => ((value - minimum) / (maximum - minimum)) * 100;
  return { score: share(score), interval: interval ? [share(interval[0]), share(interval[1])] : null };
}

function notesOn(left: EvaluationSummary, right: EvaluationSummary, isSameSettings: boolean): ComparisonNote[] {
  const isSameBook = left.bookId === right.bookId;
  const isSameJudge = left.judge === right.judge;
  const isSameMethod = left.method === right.method;
  const isSameScale = left.scale.minimum === right.scale.minimum && left.scale.maximum === right.scale.maximum;
  const notes: [ComparisonNote, boolean][] = [
    ["other-scales", !isSameScale],
    ["other-judges-and-books", !isSameJudge && !isSameBook],
    ["other-methods-and-books", !isSameMethod && !isSameBook],
    ["other-judges", !isSameJudge && isSameBook],
    ["other-methods", !isSameMethod && isSameBook],
    ["chance", isSameBook && isSameJudge && isSameMethod && isSameSettings],
    ["independent", true],
  ];
  return notes.flatMap(([note, holds]) => (holds ? [note] : []));
}
