import type { ReportPart, ReportSection, SectionedReport, TitledTable } from "../../api/evaluations.ts";
import { groupBy } from "../../core/group-by.ts";
import { countOf } from "../../core/wording.ts";
import { type ReferenceRule, ruleInWords } from "../../qa/metrics/reference-rule.ts";
import type { AnswerSheet, SheetSystem } from "../../qa/scoring/answer-sheet.ts";
import type { MetricMean, SystemComparison, SystemDifference } from "../../qa/scoring/compare-systems.ts";
import { FEWEST_CLUSTERS } from "../../qa/scoring/question-clusters.ts";
import { sum } from "../../stats/distribution.ts";
import { tableSection, textSection } from "../report-forms.ts";
import type { TableColumn, TableRow } from "../tables.ts";

export const SYSTEM_COLUMNS: readonly TableColumn[] = [
  { name: "kind", type: "STRING" },
  { name: "metric", type: "STRING" },
  { name: "system", type: "STRING" },
  { name: "less", type: "STRING" },
  { name: "value", type: "DOUBLE" },
  { name: "low", type: "DOUBLE" },
  { name: "high", type: "DOUBLE" },
  { name: "p", type: "DOUBLE" },
  { name: "questions", type: "DOUBLE" },
  { name: "references", type: "STRING" },
  { name: "drawn", type: "STRING" },
];

/**
 * The table of systems for programs: a row for each system's mean of each metric, and one for the difference of every
 * two systems (`system` minus `less`, with its corrected p). Fields that do not apply are empty.
 */
export function* systemRows(
  { systems, differences, over }: SystemComparison,
  references: ReferenceRule,
): Generator<TableRow> {
  const common = { references, drawn: over };
  for (const { system, metrics } of systems) {
    for (const [metric, { mean, interval, n }] of Object.entries(metrics)) {
      if (n === 0) continue;
      yield { kind: "mean", metric, system, value: mean, ...range(interval), questions: n, ...common };
    }
  }
  for (const { metric, left, right, difference, interval, p, n } of differences) {
    const pair = { kind: "difference", metric, system: left, less: right };
    yield { ...pair, value: difference, ...range(interval), p, questions: n, ...common };
  }
}

function range(interval: readonly [number, number] | null) {
  return interval === null ? {} : { low: interval[0], high: interval[1] };
}

const DIGITS = 4;

/** Systems × metrics with their intervals. */
export function systemTable({ systems, metrics }: SystemComparison): TitledTable {
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

/** For each metric, every system compared with the next one below: whether the order is reliable. */
export function neighbourTable({ systems, metrics, differences }: SystemComparison): TitledTable {
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
function pairTable({ differences }: SystemComparison, metric: string): TitledTable {
  const rows = differences.filter((difference) => difference.metric === metric).map(differenceRow);
  return { title: `Every two systems: ${metric}`, headings: DIFFERENCE_HEADINGS, rows };
}

const DIFFERENCE_HEADINGS = ["metric", "system", "less", "difference", "95 % interval", "p", "questions"];

function differenceRow({ metric, left, right, difference, interval, p, n }: SystemDifference): string[] {
  return [
    metric,
    left,
    right,
    boundInWords(difference),
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

/** Shows enough digits to see on which side of zero a bound is. */
function boundInWords(bound: number): string {
  const rounded = bound.toFixed(DIGITS);
  if (Number(rounded) !== 0 || Math.abs(bound) < 1e-12) return withMinus(rounded.replace(/^-(?=[0.]+$)/, ""));
  return withMinus(bound.toFixed(1 - Math.floor(Math.log10(Math.abs(bound)))));
}

function withMinus(text: string): string {
  return text.replace(/^-/, "−");
}

/** Notes on reading the table. `hasData`: whether the books were given with their questions. */
export function comparisonNotes(comparison: SystemComparison, rule: ReferenceRule, hasData: boolean): string[] {
  const { resamples, systems } = comparison;
  const pairs = (systems.length * (systems.length - 1)) / 2;
  const corrected =
    pairs > 1
      ? "p is two-sided and corrected for the number of pairs (Holm), intervals are not: one may leave out zero where p is above 0.05."
      : "p is two-sided.";
  const unpaired =
    pairs > 0 && comparison.differences.length === 0
      ? ["No two systems have a score for the same question: there is nothing to compare them by."]
      : [];
  return [
    ...unpaired,
    `Where a question has several references, ${ruleInWords(rule)}. Missing answers are left out, not counted as wrong.`,
    `95 % intervals and tests: ${drawnInWords(comparison, hasData)}; ${resamples} resamples, the same for all systems.${pairs > 0 ? ` Differences: Student's t over the ${comparison.over} that both have. ${corrected}` : ""}`,
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

/**
 * The table, the differences between systems and, in an HTML file, all pairs of systems and each question with all
 * answers.
 */
export function sectionedSystems(
  comparison: SystemComparison,
  sheet: AnswerSheet,
  rule: ReferenceRule,
  hasData: boolean,
): SectionedReport {
  const notes = comparisonNotes(comparison, rule, hasData);
  return {
    title: "Answers about books",
    sections: [
      tableSection(systemTable(comparison)),
      textSection(null, notes),
      ...(comparison.differences.length > 0 ? [tableSection(neighbourTable(comparison))] : []),
      { heading: null, parts: comparison.differences.length > 0 ? everyPair(comparison) : [] },
      bookSection(sheet, comparison.metrics),
    ],
  };
}

function everyPair(comparison: SystemComparison): ReportPart[] {
  return comparison.metrics.map((metric) => {
    const { title, ...table } = pairTable(comparison, metric);
    return { kind: "folded", summary: title, parts: [{ kind: "table", ...table }] };
  });
}

/** Each book with its means, containing each question with its references and every system's answer. */
function bookSection({ questions, systems }: AnswerSheet, metrics: readonly string[]): ReportSection {
  const byBook = groupBy(questions.keys(), (position) => questions[position]!.book ?? "Questions");
  const books = [...byBook].map(([book, positions]): ReportPart => {
    const means = systems.map((system) => [
      system.name,
      ...metrics.map((metric) => meanOver(system, metric, positions)),
    ]);
    const asked = positions.map((position): ReportPart => {
      const { question, references } = questions[position]!;
      const quoted = references.map((reference) => `“${reference.trim()}”`).join(" · ");
      const answers = systems.map((system) => [
        system.name,
        answerInWords(system.answers[position]),
        ...metrics.map((metric) => figure(system.scores[metric]?.[position])),
      ]);
      return {
        kind: "folded",
        summary: question || "(no question given)",
        parts: [
          { kind: "text", text: `References: ${quoted}` },
          { kind: "table", headings: ["system", "answer", ...metrics], rows: answers },
        ],
      };
    });
    const summary = `${book} (${positions.length})`;
    return {
      kind: "folded",
      summary,
      parts: [{ kind: "table", headings: ["system", ...metrics], rows: means }, ...asked],
    };
  });
  return { heading: "Book by book, question by question", parts: books };
}

function answerInWords(answer: string | null | undefined): string {
  if (answer === undefined) return "(not asked)";
  return answer === null ? "(no answer)" : answer.trim();
}

function meanOver(system: SheetSystem, metric: string, positions: readonly number[]): string {
  const values = positions.flatMap((position) => {
    const value = system.scores[metric]?.[position];
    return value === undefined || Number.isNaN(value) ? [] : [value];
  });
  return values.length === 0 ? "–" : figure(sum(values) / values.length);
}

function figure(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "–";
  return Number.isInteger(value) ? `${value}` : value.toFixed(2);
}
