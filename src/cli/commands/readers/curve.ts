import { historyCurvePlot } from "../../../report/plots/history-curve.ts";
import { readerCurveTask } from "../../../tasks/readers/reader.ts";
import type { CurveFigure } from "../../../workflows/readers/curve-point.ts";
import type { HistoryCurve } from "../../../workflows/readers/history-curve.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { showAsked } from "../../output/show-asked.ts";
import { textTable } from "../../output/table.ts";
import { checkedEnding, writeReport } from "../../output/write-report.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(readerCurveTask, {
  flags: { out: { type: "string", value: "FILE", help: "the plot (.svg), or every figure (.json)" } },
  examples: [
    "fabula reader curve --in pairs.jsonl --out curve.svg",
    "fabula reader curve --in pairs.jsonl --judge openai:gpt-4.1 --longest 3 --max-cost 5 --out curve.svg",
  ],
  prepare(input, { out }) {
    if (out !== undefined) checkedEnding(out, ["svg", "json"]);
    return input;
  },
  async present(asked, context) {
    const { out } = context.flags;
    if (!asked.plan && out !== undefined) {
      await writeReport(out, {
        svg: () => `${plotOf(asked.result)}\n`,
        json: () => `${jsonDocument("reader-curve", asked.result)}\n`,
      });
      context.terminal.note(`${out} written.`);
    }
    return showAsked(asked, context, (curve) => ({
      lines: [inWords(curve)],
      isWhole: curve.points.every(({ series }) => series[0]!.lines === curve.lines),
    }));
  },
});

function plotOf({ judge, points }: HistoryCurve): string {
  const names = points[0]!.series.map(({ name }) => name);
  const lines = names.map((name, index) => ({
    name: name === "judge" ? judge : name,
    points: points.map(({ length, series }) => ({ length, ...series[index]!.kendall })),
  }));
  return historyCurvePlot(lines, `Agreement of ${judge} with readers by length of history`, "Kendall τ");
}

function inWords({ judge, lines, leftOut, readers, books, points }: HistoryCurve): string {
  const names = points[0]!.series.map(({ name }) => (name === "judge" ? judge : name));
  const rows = points.flatMap(({ length, series, orders }) =>
    series.map(({ name, pearson, spearman, kendall }, index) => [
      index === 0 ? String(length) : "",
      names[index]!,
      figure(pearson),
      figure(spearman),
      figure(kendall),
      name === "judge" && orders.standardDeviation !== null
        ? `${orders.mean!.toFixed(3)} ± ${orders.standardDeviation.toFixed(3)} (${orders.kendall.length})`
        : "",
    ]),
  );
  return [
    `${lines} lines of ${readers} readers and ${books} books${leftOut > 0 ? `; ${leftOut} lines left out: no rating, or too few reviews` : ""}. Intervals draw readers and books together (95%).`,
    textTable(["reviews", "by", "Pearson", "Spearman", "Kendall", "Kendall over orders"], rows),
  ].join("\n");
}

function figure({ value, interval }: CurveFigure): string {
  if (value === null) return "–";
  return interval ? `${value.toFixed(3)} (${interval[0].toFixed(2)}–${interval[1].toFixed(2)})` : value.toFixed(3);
}
