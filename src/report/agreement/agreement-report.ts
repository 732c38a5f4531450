import { averageRanks } from "../../stats/distribution.ts";
import type { Agreement, Estimate } from "../../stats/meta-evaluation/agreement.ts";
import type { AgreementStudy, MetricAgreement } from "../../stats/meta-evaluation/agreement-study.ts";
import type { MetricComparison, TestResult } from "../../stats/meta-evaluation/compare-metrics.ts";
import { escapeHtml, escapeMarkdown, htmlFigure, htmlPage, svg, svgText } from "../markup.ts";
import { scatterPlot } from "../plots/plots.ts";
import { htmlSection, markdownTable, type ReportTable } from "./report-table.ts";

export function decimal(value: number): string {
  return value.toFixed(3).replace("-", "−");
}

function estimateInWords(estimate: Estimate): string {
  if (estimate.value === null) return "–";
  if (estimate.interval === null) return decimal(estimate.value);
  return `${decimal(estimate.value)} (${decimal(estimate.interval[0])} to ${decimal(estimate.interval[1])})`;
}

const CORRELATION_HEADINGS = ["Pearson r", "Spearman ρ", "Kendall τ-b"];

export function agreementTables(report: AgreementReport): ReportTable[] {
  const { study } = report;
  const tables = [mainTable(report)];
  if (study.metrics.some(({ pooled }) => pooled !== null)) tables.push(pooledTable(study.metrics));
  if (study.metrics.some(({ withinItems }) => withinItems !== null)) tables.push(withinTable(study.metrics));
  if (study.groups.length > 0) tables.push(groupTable(report));
  if (study.comparisons.length > 0) tables.push(comparisonTable(study.comparisons));
  return tables;
}

/** What was compared with what, in one sentence, and how the intervals came about, in another. */
export function studyInWords({ table, human, system, item, study }: AgreementReport): string[] {
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

/** Each warning once, with the metrics it is about. */
export function warningsInWords({ study }: AgreementReport): string[] {
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

function mainTable({ study }: AgreementReport): ReportTable {
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

function pooledTable(metrics: readonly MetricAgreement[]): ReportTable {
  return {
    title: "Item level, all rows pooled",
    headings: ["metric", "rows", ...CORRELATION_HEADINGS],
    rows: metrics.flatMap(({ metric, pooled }) =>
      pooled ? [[metric, String(pooled.n), ...correlations(pooled)]] : [],
    ),
  };
}

function withinTable(metrics: readonly MetricAgreement[]): ReportTable {
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

function groupTable({ study, group }: AgreementReport): ReportTable {
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

export function comparisonTable(comparisons: readonly MetricComparison[]): ReportTable {
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

/** `atMost`: p is a bound, the smallest value that this number of permutations can show. */
function pValue(p: number, atMost = false): string {
  if (p < 0.001) return "< 0.001";
  return atMost ? `< ${(Math.ceil(p * 1000) / 1000).toFixed(3)}` : p.toFixed(3);
}

/** A study with the names of what was studied: what every form of the report is made from. */
export interface AgreementReport {
  readonly table: string;
  readonly human: string;
  readonly system: string | null;
  readonly item: string | null;
  readonly group: string | null;
  readonly study: AgreementStudy;
}

/**
 * The report for other programs. The figures of the first metric stand at the top, in the shape the command's contract
 * names; `metrics` holds those of all.
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

export function agreementMarkdown(report: AgreementReport): string {
  return [
    `# Agreement with ${escapeMarkdown(report.human)}`,
    "",
    ...studyInWords(report).map(escapeMarkdown),
    "",
    ...warningsInWords(report).map((warning) => `- **Warning:** ${escapeMarkdown(warning)}`),
    "",
    ...agreementTables(report).flatMap(markdownTable),
  ].join("\n");
}

const WIDTH = 520;
const ROW = 20;
const TOP = 40;
const INSET = 170;

/** The same things in two orders, best on top, a line from each to itself: crossings are disagreements. Ties share a height. */
function rankSlopePlot(
  points: { readonly left: ArrayLike<number>; readonly right: ArrayLike<number>; readonly names: readonly string[] },
  labels: { readonly left: string; readonly right: string; readonly caption: string },
): string {
  const count = points.names.length;
  const heights = (values: ArrayLike<number>) =>
    Array.from(averageRanks(values), (rank) => TOP + (count - rank + 0.5) * ROW);
  const left = heights(points.left);
  const right = heights(points.right);
  const rows = points.names.flatMap((name, i) => {
    const moved = Math.abs(left[i]! - right[i]!) > ROW * Math.max(2, count / 5);
    return [
      svg(
        "line",
        { x1: INSET, x2: WIDTH - INSET, y1: left[i], y2: right[i], class: moved ? "marker" : "outline" },
        svg("title", {}, escapeHtml(name)),
      ),
      svgText({ x: INSET - 8, y: left[i]! + 4, "text-anchor": "end", class: "tick" }, shortened(name)),
      svgText({ x: WIDTH - INSET + 8, y: right[i]! + 4, class: "tick" }, shortened(name)),
    ];
  });
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${TOP + (count + 1) * ROW}`, class: "plot ranks", role: "img" },
    svg("title", {}, escapeHtml(labels.caption)),
    svgText({ x: INSET, y: 20, "text-anchor": "end", class: "label" }, shortened(labels.left)),
    svgText({ x: WIDTH - INSET, y: 20, class: "label" }, shortened(labels.right)),
    ...rows,
  );
}

function shortened(text: string): string {
  return text.length <= 24 ? text : `${text.slice(0, 23)}…`;
}

const MOST_PLOTTED = 12;
const MOST_NAMED = 30;
const MOST_RANKED = 60;

export function agreementHtml(report: AgreementReport): string {
  const warnings = warningsInWords(report).map((warning) => `<li>${escapeHtml(warning)}</li>`);
  const plotted = report.study.metrics.slice(0, MOST_PLOTTED);
  const unplotted = report.study.metrics.length - plotted.length;
  return htmlPage(
    `Agreement with ${report.human}`,
    `<header><div>
<h1>Agreement with ${escapeHtml(report.human)}</h1>
${studyInWords(report)
  .map((sentence) => `<p>${escapeHtml(sentence)}</p>`)
  .join("\n")}
</div></header>
${warnings.length > 0 ? `<section><h2>Warnings</h2><ul>${warnings.join("\n")}</ul></section>` : ""}
${agreementTables(report).map(htmlSection).join("\n")}
${plotted.map((metric) => pictures(report, metric)).join("\n")}
${unplotted > 0 ? `<p>${unplotted} more metrics are in the tables and not drawn.</p>` : ""}`,
  );
}

function pictures(report: AgreementReport, { metric, agreement }: MetricAgreement): string {
  const { human, metric: scores, names } = agreement.points;
  if (human.length < 2) return "";
  const unit = agreement.level === "system" ? "system" : "row";
  const points = Array.from(human, (x, i) => ({ x, y: scores[i]!, label: names?.[i] ?? `row ${i + 1}` }));
  const scatter = scatterPlot(points, { x: report.human, y: metric }, `${metric} against ${report.human}`, {
    named: names !== null && names.length <= MOST_NAMED,
  });
  const figures = [htmlFigure(scatter, `${metric} against ${report.human}: each dot is a ${unit}.`)];
  if (names && names.length <= MOST_RANKED) {
    const slope = rankSlopePlot(
      { left: human, right: scores, names },
      { left: report.human, right: metric, caption: `Ranks by ${report.human} and by ${metric}` },
    );
    figures.push(
      htmlFigure(
        slope,
        `The systems in order, best on top: by ${report.human} on the left, by ${metric} on the right.`,
      ),
    );
  }
  return `<section class="pictures pair">
<h2>${escapeHtml(metric)} beside ${escapeHtml(report.human)}</h2>
${figures.join("\n")}
</section>`;
}
