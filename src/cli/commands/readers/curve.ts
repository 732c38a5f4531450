import { historyCurvePlot } from "../../../report/plots/history-curve.ts";
import { EMBEDDED_JUDGE } from "../../../workflows/readers/compare-pairs.ts";
import type { CurveFigure } from "../../../workflows/readers/curve-point.ts";
import { type HistoryCurve, historyCurve } from "../../../workflows/readers/history-curve.ts";
import { defineCommand } from "../../command.ts";
import { MODEL_FLAGS, runSettings } from "../../flags/model-flags.ts";
import { RATINGS_SCALE_FLAG, READER_FLAGS } from "../../flags/reader-flags.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { showOutcome } from "../../output/show-outcome.ts";
import { showFreePlan } from "../../output/show-plan.ts";
import { textTable } from "../../output/table.ts";
import { checkedEnding, writeReport } from "../../output/write-report.ts";
import { runServices } from "../../run-services.ts";

export default defineCommand({
  summary: "How well a judge does with one earlier review, two, …, and whether their order matters.",
  operands: "",
  flags: {
    in: {
      type: "string",
      value: "FILE",
      help: 'lines as for `reader predict`, with the true "rating", and "reader" where a reader has several lines',
    },
    judge: { type: "string", default: EMBEDDED_JUDGE, value: "MODEL", help: "any model, or the embedded predictor" },
    longest: {
      type: "number",
      default: 5,
      integer: true,
      minimum: 1,
      maximum: 50,
      value: "K",
      help: "histories of 1 to K reviews",
    },
    orders: {
      type: "number",
      default: 3,
      integer: true,
      minimum: 1,
      maximum: 20,
      value: "N",
      help: "orders of each history",
    },
    ratings: {
      type: "string",
      value: "FILE",
      help: "other readers' ratings of the same books, for matrix factorisation",
    },
    "ratings-scale": RATINGS_SCALE_FLAG,
    out: { type: "string", value: "FILE", help: "the plot (.svg), or every figure (.json)" },
    temperature: READER_FLAGS.temperature,
    ...MODEL_FLAGS,
  },
  examples: [
    "fabula reader curve --in pairs.jsonl --out curve.svg",
    "fabula reader curve --in pairs.jsonl --judge openai:gpt-4.1 --longest 3 --max-cost 5 --out curve.svg",
  ],
  async run({ flags, terminal, signal }) {
    const input = requireFlag("reader curve", "in", flags.in);
    if (flags.out !== undefined) checkedEnding(flags.out, ["svg", "json"]);
    if (flags.judge === EMBEDDED_JUDGE && flags["dry-run"])
      return showFreePlan("predict each line once for every length and order", { json: flags.json, terminal });
    const outcome = await historyCurve({
      input,
      judge: flags.judge,
      longest: flags.longest,
      orders: flags.orders,
      ...(flags.ratings !== undefined && { ratings: flags.ratings }),
      ...(flags["ratings-scale"] !== undefined && { ratingsScale: flags["ratings-scale"] }),
      temperature: flags.temperature,
      settings: runSettings(flags),
      services: runServices(terminal, signal),
      onProgress: terminal.progress,
    });
    terminal.endProgress();
    if (!outcome.plan && flags.out !== undefined) {
      await writeReport(flags.out, {
        svg: () => `${plotOf(outcome.result)}\n`,
        json: () => `${jsonDocument("reader-curve", outcome.result)}\n`,
      });
      terminal.note(`${flags.out} written.`);
    }
    return showOutcome(outcome, flags.json, terminal, (curve) => ({
      kind: "reader-curve",
      document: curve,
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
