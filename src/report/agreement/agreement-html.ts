import { averageRanks } from "../../stats/distribution.ts";
import type { MetricAgreement } from "../../stats/meta-evaluation/agreement-study.ts";
import { htmlFigure, htmlPage } from "../html-page.ts";
import { escapeHtml, svg, svgText } from "../markup.ts";
import { scatterPlot } from "../plots/plots.ts";
import { type AgreementReport, agreementTables, studyInWords, warningsInWords } from "./agreement-report.ts";
import { htmlSection } from "./report-table.ts";

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
