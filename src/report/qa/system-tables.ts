import { countOf } from "../../core/wording.ts";
import { type ReferenceRule, ruleInWords } from "../../qa/metrics/reference-rule.ts";
import type { MetricMean, SystemComparison, SystemDifference } from "../../qa/scoring/compare-systems.ts";
import { FEWEST_CLUSTERS } from "../../qa/scoring/question-clusters.ts";
import type { ReportTable } from "../agreement/report-table.ts";

const DIGITS = 4;

/** Systems × metrics with their intervals. */
export function systemTable({ systems, metrics }: SystemComparison): ReportTable {
  const anySeen = systems.some(({ seen }) => seen !== null);
  return {
    title: "Systems",
    headings: ["system", ...(anySeen ? ["book seen"] : []), "answers", ...metrics],
    rows: systems.map(({ system, seen, questions, unanswered, metrics: own }) => [
      system,
      ...(anySeen ? [seen === null ? "–" : `${Math.round(100 * seen)} %`] : []),
      unanswered === 0 ? `${questions}` : `${questions - unanswered} of ${questions}`,
      ...metrics.map((metric) => meanInWords(own[metric], questions - unanswered)),
    ]),
  };
}

function meanInWords(found: MetricMean | undefined, answers: number): string {
  if (found === undefined || found.n === 0) return "–";
  const range = found.interval === null ? "" : ` ${rangeInWords(found.interval)}`;
  return `${found.mean.toFixed(DIGITS)}${range}${found.n < answers ? ` (${found.n})` : ""}`;
}

/** Of each metric, every system beside the next one down: whether the order can be relied on. */
export function neighbourTable({ systems, metrics, differences }: SystemComparison): ReportTable {
  const rows = metrics.flatMap((metric) => {
    const ranked = systems
      .flatMap(({ system, metrics: own }) => (own[metric] ? [{ system, mean: own[metric].mean }] : []))
      .sort((left, right) => right.mean - left.mean);
    return ranked.slice(1).flatMap(({ system: lower }, at) => {
      const found = differenceBetween(differences, metric, ranked[at]!.system, lower);
      return found === null ? [] : [differenceRow(found)];
    });
  });
  return { title: "Each system beside the next one down", headings: DIFFERENCE_HEADINGS, rows };
}

/** Every two systems on one metric. */
export function pairTable({ differences }: SystemComparison, metric: string): ReportTable {
  const rows = differences.filter((difference) => difference.metric === metric).map(differenceRow);
  return { title: `Every two systems: ${metric}`, headings: DIFFERENCE_HEADINGS, rows };
}

const DIFFERENCE_HEADINGS = ["metric", "system", "less", "difference", "95 % interval", "p", "questions"];

function differenceRow({ metric, left, right, difference, interval, p, n }: SystemDifference): string[] {
  return [
    metric,
    left,
    right,
    difference.toFixed(DIGITS),
    interval === null ? "–" : rangeInWords(interval),
    p < 0.001 ? "< 0.001" : p.toFixed(3),
    `${n}`,
  ];
}

function differenceBetween(
  differences: readonly SystemDifference[],
  metric: string,
  left: string,
  right: string,
): SystemDifference | null {
  const found = differences.find(
    (one) =>
      one.metric === metric &&
      ((one.left === left && one.right === right) || (one.left === right && one.right === left)),
  );
  if (found === undefined) return null;
  if (found.left === left) return found;
  const interval = found.interval && ([-found.interval[1], -found.interval[0]] as const);
  return { ...found, left, right, difference: -found.difference, interval };
}

function rangeInWords(range: readonly [number, number]): string {
  return `[${range.map(boundInWords).join(", ")}]`;
}

/** Which side of zero a bound is on must be seen, however near it is. */
function boundInWords(bound: number): string {
  const rounded = bound.toFixed(DIGITS);
  if (Number(rounded) !== 0 || Math.abs(bound) < 1e-12) return rounded.replace(/^-(?=[0.]+$)/, "");
  return bound.toFixed(1 - Math.floor(Math.log10(Math.abs(bound))));
}

/** What a reader has to know to use the table. `hasData`: whether the books were given with their questions. */
export function comparisonNotes(comparison: SystemComparison, rule: ReferenceRule, hasData: boolean): string[] {
  const { resamples, systems } = comparison;
  const pairs = (systems.length * (systems.length - 1)) / 2;
  const corrected =
    pairs > 1
      ? "p is two-sided and corrected for the number of pairs (Holm), intervals are not: one may leave out zero where p is above 0.05."
      : "p is two-sided.";
  return [
    `Where a question has several references, ${ruleInWords(rule)}. Missing answers are left out, not counted as wrong.`,
    `95 % intervals and tests: ${drawnInWords(comparison, hasData)}; ${resamples} resamples, the same for all systems.${pairs > 0 ? ` ${corrected}` : ""}`,
  ];
}

function drawnInWords({ over, books, questions, withoutBook }: SystemComparison, hasData: boolean): string {
  if (over === "books")
    return `whole books are drawn (${books} books, ${questions} questions), since questions about one book are not independent`;
  const narrow = "intervals are too narrow where questions about one book rise and fall together";
  if (withoutBook === 0)
    return `single questions are drawn (${questions}), since ${countOf(books, "book")} ${books === 1 ? "is" : "are"} too few to draw whole (it takes ${FEWEST_CLUSTERS}): ${narrow}`;
  const unknown = `the books of ${withoutBook} of ${questions} questions are not known`;
  return hasData
    ? `single questions are drawn, since ${unknown}: the file given with --data does not have them, and ${narrow}`
    : `single questions are drawn, since ${unknown}: give the books with --data, as ${narrow}`;
}
