import type { ReportPart, ReportSection, SectionedReport, TitledTable } from "../../api/evaluations.ts";
import { averageRanks } from "../../stats/distribution.ts";
import type { Agreement, Estimate } from "../../stats/meta-evaluation/agreement.ts";
import type { AgreementStudy, MetricAgreement } from "../../stats/meta-evaluation/agreement-study.ts";
import type { MetricComparison, TestResult } from "../../stats/meta-evaluation/compare-metrics.ts";
import { listSection, tableSection, textSection } from "../report-forms.ts";

export function decimal(value: number): string {
  return value.toFixed(3).replace("-", "−");
}

function estimateInWords(estimate: Estimate): string {
  if (estimate.value === null) return "–";
  if (estimate.interval === null) return decimal(estimate.value);
  return `${decimal(estimate.value)} (${decimal(estimate.interval[0])} to ${decimal(estimate.interval[1])})`;
}

const CORRELATION_HEADINGS = ["Pearson r", "Spearman ρ", "Kendall τ-b"];

function agreementTables(report: AgreementReport): TitledTable[] {
  const { study } = report;
  const tables = [mainTable(report)];
  if (study.metrics.some(({ pooled }) => pooled !== null)) tables.push(pooledTable(study.metrics));
  if (study.metrics.some(({ withinItems }) => withinItems !== null)) tables.push(withinTable(study.metrics));
  if (study.groups.length > 0) tables.push(groupTable(report));
  if (study.comparisons.length > 0) tables.push(comparisonTable(study.comparisons));
  return tables;
}

/** Says what was compared with what in one sentence, and how the intervals were computed in another. */
function studyInWords({ table, human, system, item, study }: AgreementReport): string[] {
  const what = system
    ? `Scores and "${human}" in ${table}, averaged per "${system}" and then correlated.`
    : `Scores and "${human}" in ${table}, row by row.`;
  if (study.resamples === 0) return [what];
  const drawn = {
    items: item ? "items" : "rows",
    systems: "systems",
    both: `systems and their ${item ? "items" : "rows"}`,
  };
  const kind = study.interval === "bca" ? "BCa" : "percentile";
  const intervals = `In brackets: ${study.confidence * 100}% ${kind} bootstrap intervals, ${study.resamples.toLocaleString("en-GB")} resamples of ${drawn[study.over]}, seed ${study.seed}.`;
  return [what, intervals];
}

/** Each warning once, with the metrics it applies to. */
function warningsInWords({ study }: AgreementReport): string[] {
  const about = new Map<string, string[]>();
  for (const { metric, warnings } of study.metrics) {
    for (const { message } of warnings) about.set(message, [...(about.get(message) ?? []), metric]);
  }
  return [...about].map(([message, metrics]) =>
    study.metrics.length === 1 || metrics.length === study.metrics.length
      ? message
      : `${metrics.join(", ")}: ${message}`,
  );
}

function mainTable({ study }: AgreementReport): TitledTable {
  const level = study.metrics[0]?.agreement.level;
  return {
    title: level === "system" ? "System level" : "Item level",
    headings: ["metric", level === "system" ? "systems" : "items", ...CORRELATION_HEADINGS, "pairs in the same order"],
    rows: study.metrics.map(({ metric, agreement }) => [
      metric,
      String(agreement.n),
      ...correlations(agreement),
      estimateInWords(agreement.pairwise),
    ]),
  };
}

function pooledTable(metrics: readonly MetricAgreement[]): TitledTable {
  return {
    title: "Item level, all rows pooled",
    headings: ["metric", "rows", ...CORRELATION_HEADINGS],
    rows: metrics.flatMap(({ metric, pooled }) =>
      pooled ? [[metric, String(pooled.n), ...correlations(pooled)]] : [],
    ),
  };
}

function withinTable(metrics: readonly MetricAgreement[]): TitledTable {
  return {
    title: "Item level, across systems within each item, then averaged",
    headings: ["metric", "items", "undefined on", ...CORRELATION_HEADINGS],
    rows: metrics.flatMap(({ metric, withinItems }) =>
      withinItems
        ? [[metric, String(withinItems.items), String(withinItems.skipped), ...correlations(withinItems)]]
        : [],
    ),
  };
}

function groupTable({ study, group }: AgreementReport): TitledTable {
  return {
    title: `By ${group ?? "group"}`,
    headings: [group ?? "group", "metric", "n", ...CORRELATION_HEADINGS],
    rows: study.groups.flatMap((entry) =>
      entry.metrics.map(({ metric, agreement }) => [
        entry.group,
        metric,
        String(agreement.n),
        ...correlations(agreement),
      ]),
    ),
  };
}

export function comparisonTable(comparisons: readonly MetricComparison[]): TitledTable {
  const cells = (test: TestResult) =>
    test.difference === null ? ["–", "–"] : [decimal(test.difference), pValue(test.adjusted, test.atMost)];
  return {
    title: "Does one agree better than another?",
    headings: ["metric", "and", "n", "difference in r", "p (Williams)", "difference in τ", "p (permutation)"],
    rows: comparisons.map(({ first, second, n, williams, permutation }) => [
      first,
      second,
      String(n),
      ...cells(williams),
      ...cells(permutation),
    ]),
    note: "Two-sided p-values, corrected after Holm over the pairs shown.",
  };
}

function correlations(figures: {
  readonly pearson: Estimate;
  readonly spearman: Estimate;
  readonly kendall: Estimate;
}) {
  return [figures.pearson, figures.spearman, figures.kendall].map(estimateInWords);
}

/** `atMost`: p is an upper bound, the smallest value that this number of permutations can give. */
function pValue(p: number, atMost = false): string {
  if (p < 0.001) return "< 0.001";
  return atMost ? `< ${(Math.ceil(p * 1000) / 1000).toFixed(3)}` : p.toFixed(3);
}

/** A study with the names of its columns, from which every form of the report is made. */
export interface AgreementReport {
  readonly table: string;
  readonly human: string;
  readonly system: string | null;
  readonly item: string | null;
  readonly group: string | null;
  readonly study: AgreementStudy;
}

/**
 * The report for other programs. The figures of the first metric are at the top level; `metrics` holds those of all.
 */
export function agreementJson({ table, human, system, item, group, study }: AgreementReport) {
  const { metrics, comparisons, groups, rows, interval, over, resamples, confidence, seed } = study;
  return {
    ...(metrics[0] && metricJson(metrics[0])),
    table,
    human,
    system,
    item,
    group,
    rows,
    bootstrap: { interval, over, resamples, confidence, seed },
    metrics: metrics.map(metricJson),
    comparisons,
    groups: groups.map((entry) => ({ group: entry.group, metrics: entry.metrics.map(metricJson) })),
  };
}

function metricJson({ metric, agreement, warnings, pooled, withinItems }: MetricAgreement) {
  return {
    ...figures(agreement),
    metric,
    warnings,
    ...(pooled && { pooled: figures(pooled) }),
    ...(withinItems && { withinItems }),
  };
}

function figures({ points: _, ...rest }: Agreement) {
  return rest;
}

const MOST_PLOTTED = 12;
const MOST_NAMED = 30;
const MOST_RANKED = 60;
const MOST_DOTS = 3000;

export function sectionedAgreement(report: AgreementReport): SectionedReport {
  const plotted = report.study.metrics.slice(0, MOST_PLOTTED);
  const unplotted = report.study.metrics.length - plotted.length;
  return {
    title: `Agreement with ${report.human}`,
    sections: [
      textSection(null, studyInWords(report)),
      ...listSection("Warnings", warningsInWords(report)),
      ...agreementTables(report).map(tableSection),
      ...plotted.flatMap((metric) => pictures(report, metric)),
      ...(unplotted > 0 ? [textSection(null, [`${unplotted} more metrics are in the tables and not drawn.`])] : []),
    ],
  };
}

function pictures(report: AgreementReport, { metric, agreement }: MetricAgreement): ReportSection[] {
  const { human, metric: scores, names } = agreement.points;
  // A column with a single value shows nothing in a plot; a warning mentions it.
  if (agreement.pearson.value === null) return [];
  const unit = agreement.level === "system" ? "system" : "row";
  // A long list is thinned evenly, so that the file stays small and the plot keeps its form.
  const step = Math.ceil(human.length / MOST_DOTS);
  const points = Array.from(human, (x, i) => ({ x, y: scores[i]!, label: names?.[i] ?? `row ${i + 1}` }));
  const parts: ReportPart[] = [
    {
      kind: "plot",
      shape: "scatter",
      caption: `${metric} against ${report.human}: each dot is a ${unit}.`,
      axes: { x: report.human, y: metric },
      points: points.filter((_, i) => i % step === 0),
      areNamed: names !== null && names.length <= MOST_NAMED,
    },
  ];
  if (names && names.length <= MOST_RANKED) {
    const [left, right] = [averageRanks(human), averageRanks(scores)];
    parts.push({
      kind: "plot",
      shape: "orders",
      caption: `The systems in order, best on top: by ${report.human} on the left, by ${metric} on the right.`,
      ...{ left: report.human, right: metric },
      things: names.map((name, i) => ({ name, left: left[i]!, right: right[i]! })),
    });
  }
  return [{ heading: `${metric} beside ${report.human}`, parts }];
}
