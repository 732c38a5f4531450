import { FabulaError } from "../../core/errors.ts";
import { agreementHtml } from "../../report/agreement/agreement-html.ts";
import { agreementJson } from "../../report/agreement/agreement-json.ts";
import { agreementMarkdown } from "../../report/agreement/agreement-markdown.ts";
import type { AgreementReport } from "../../report/agreement/agreement-report.ts";
import { agreementTables, studyInWords, warningsInWords } from "../../report/agreement/agreement-wording.ts";
import { agree } from "../../workflows/agree.ts";
import { defineCommand } from "../command.ts";
import { requireFlag } from "../require-flag.ts";
import { textTable } from "../table.ts";
import { writeReport } from "../write-report.ts";

export default defineCommand({
  summary:
    "How well scores agree with people: correlations with intervals, by text and by system, and which judge is better.",
  operands: "TABLE",
  flags: {
    human: { type: "string", value: "COLUMN", help: "the human ratings" },
    metric: { type: "string", value: "COLUMN,…", help: "the scores; several are compared with each other" },
    system: { type: "string", value: "COLUMN", help: "who wrote each text: average per system, then correlate" },
    item: { type: "string", value: "COLUMN", help: "what each text answers to, shared by the systems" },
    group: { type: "string", value: "COLUMN", help: "repeat everything for each value of this column" },
    over: {
      type: "string",
      value: "UNIT",
      choices: ["items", "systems", "both"],
      help: "what the bootstrap draws at system level; both when each system has several texts",
    },
    interval: {
      type: "string",
      value: "KIND",
      choices: ["percentile", "bca"],
      default: "percentile",
      help: "the interval",
    },
    resamples: {
      type: "number",
      value: "N",
      integer: true,
      minimum: 0,
      maximum: 1_000_000,
      help: "bootstrap resamples; 0 for no intervals [2000]",
    },
    seed: { type: "number", value: "N", integer: true, default: 1, help: "where the random draws start" },
    out: { type: "string", value: "FILE", help: "write the report: .html with plots, .md or .json" },
  },
  examples: [
    "fabula agree ratings.csv --human human --metric judge",
    "fabula agree hanna.csv --human Coherence --metric bertscore,rouge --system Model --item Prompt --out agreement.html",
    "fabula agree scores.parquet --human rating --metric overall --group genre --json",
  ],
  async run({ operands, flags, terminal }) {
    const [table, ...rest] = operands;
    if (table === undefined || rest.length > 0) {
      throw new FabulaError("E_USAGE", "Give one table: `fabula agree ratings.csv --human H --metric M`.");
    }
    const { system, item, group, over, resamples, seed } = flags;
    const report = await agree({
      table,
      human: requireFlag("agree", "human", flags.human),
      metric: requireFlag("agree", "metric", flags.metric),
      ...(system !== undefined && { system }),
      ...(item !== undefined && { item }),
      ...(group !== undefined && { group }),
      options: {
        seed,
        interval: flags.interval === "bca" ? "bca" : "percentile",
        ...((over === "items" || over === "systems" || over === "both") && { over }),
        ...(resamples !== undefined && { resamples }),
      },
      onProgress: terminal.progress,
    });
    terminal.endProgress();
    if (flags.out !== undefined) {
      await writeReport(flags.out, {
        html: () => agreementHtml(report),
        md: () => agreementMarkdown(report),
        json: () => `${JSON.stringify(agreementJson(report), null, 2)}\n`,
      });
      terminal.note(`Wrote ${flags.out}`);
    }
    terminal.print(flags.json ? JSON.stringify(agreementJson(report)) : inText(report));
    return hasGap(report) ? 3 : 0;
  },
});

function inText(report: AgreementReport): string {
  return [
    ...studyInWords(report),
    ...agreementTables(report).map(({ title, headings, rows, note }) =>
      [title, textTable(headings, rows), ...(note ? [note] : [])].join("\n"),
    ),
    ...warningsInWords(report).map((warning) => `! ${warning}`),
  ].join("\n\n");
}

/** A figure that was asked for and does not exist is something unscored. */
function hasGap({ study }: AgreementReport): boolean {
  return study.metrics.some(({ agreement: { pearson, spearman, kendall } }) =>
    [pearson, spearman, kendall].some(({ value }) => value === null),
  );
}
