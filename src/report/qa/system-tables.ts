import { type ReferenceRule, ruleInWords } from "../../qa/metrics/reference-rule.ts";
import type { MetricMean, SystemComparison, SystemDifference } from "../../qa/scoring/compare-systems.ts";
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

function rangeInWords([low, high]: readonly [number, number]): string {
  return `[${low.toFixed(DIGITS)}, ${high.toFixed(DIGITS)}]`;
}

/** What a reader has to know to use the table. */
export function comparisonNotes(
  { over, books, questions, resamples }: SystemComparison,
  rule: ReferenceRule,
): string[] {
  const drawn =
    over === "books"
      ? `whole books are drawn (${books} books, ${questions} questions), since questions about one book are not independent`
      : `single questions are drawn (${questions}), since their books are not known or too few: give the books with --data, as intervals are too narrow where questions about one book rise and fall together`;
  return [
    `Where a question has several references, ${ruleInWords(rule)}. Missing answers are left out, not counted as wrong.`,
    `95 % intervals and tests: ${drawn}; ${resamples} resamples, the same for all systems. p is two-sided and corrected for the number of pairs (Holm).`,
  ];
}
