import type { MetricAgreement } from "../../stats/meta-evaluation/agreement-study.ts";
import { htmlFigure, htmlPage } from "../html-page.ts";
import { escapeHtml } from "../markup.ts";
import { rankSlopePlot } from "../plots/rank-slope.ts";
import { scatterPlot } from "../plots/scatter.ts";
import type { AgreementReport } from "./agreement-report.ts";
import { agreementTables, studyInWords, warningsInWords } from "./agreement-wording.ts";
import { htmlTable } from "./report-table.ts";

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
${agreementTables(report).map(htmlTable).join("\n")}
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
