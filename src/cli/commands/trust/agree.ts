import { FabulaError } from "../../../core/errors.ts";
import type { BookEvaluation } from "../../../judge/evaluation.ts";
import { agreementHtml } from "../../../report/agreement/agreement-html.ts";
import { agreementJson } from "../../../report/agreement/agreement-json.ts";
import { agreementMarkdown } from "../../../report/agreement/agreement-markdown.ts";
import type { AgreementReport } from "../../../report/agreement/agreement-report.ts";
import { agreementTables, studyInWords, warningsInWords } from "../../../report/agreement/agreement-wording.ts";
import {
  type ReaderAgreementReport,
  readerHtml,
  readerMarkdown,
  readerNotes,
  readerTables,
} from "../../../report/agreement/reader-agreement.ts";
import type { ReportTable } from "../../../report/agreement/report-table.ts";
import {
  voteAgreementHtml,
  voteAgreementMarkdown,
  voteAgreementNotes,
  voteAgreementTable,
} from "../../../report/agreement/vote-agreement.ts";
import { DEFAULT_RESAMPLES } from "../../../stats/resampling/percentile-bootstrap.ts";
import { readEvaluations } from "../../../workflows/books/read-evaluations.ts";
import { agree } from "../../../workflows/trust/agree.ts";
import { agreeWithReaders } from "../../../workflows/trust/agree-readers.ts";
import { agreeWithVotes } from "../../../workflows/trust/votes/agree-votes.ts";
import { defineCommand, type ExitCode } from "../../command.ts";
import { evaluationsOfRun } from "../../evaluations-of-run.ts";
import { STORE_FLAG } from "../../flags/model-flags.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { textTable } from "../../output/table.ts";
import { checkedEnding, type ReportForms, writeReport } from "../../output/write-report.ts";
import { storeLocation } from "../../store-location.ts";
import type { Terminal } from "../../terminal.ts";

export default defineCommand({
  summary:
    "How well scores agree with people: correlations with intervals, by text and by system, and which judge is better.",
  operands: "TABLE",
  flags: {
    human: { type: "string", value: "COLUMN,…", help: "the human ratings; of several raters, their mean" },
    metric: { type: "string", value: "COLUMN,…", help: "the scores; several are compared with each other" },
    system: { type: "string", value: "COLUMN", help: "who wrote each text: average per system, then correlate" },
    item: {
      type: "string",
      value: "COLUMN",
      help: "what each text responds to, such as a prompt, shared by the systems",
    },
    group: { type: "string", value: "COLUMN", help: "repeat everything for each value of this column" },
    evaluations: {
      type: "string",
      value: "PATH",
      help: "instead of --metric: what `fabula evaluate` wrote (.json, .jsonl, a folder), by aspect against readers",
    },
    run: { type: "string", value: "RUN", help: "instead of --metric: the evaluations of a run in the store" },
    store: STORE_FLAG,
    book: {
      type: "string",
      value: "COLUMN",
      help: "with --evaluations or --run: the books' names [title, id or file]",
    },
    votes: {
      type: "string",
      value: "PATH",
      help: "instead of TABLE: blind votes given in the web app (its votes.jsonl, or its library), judge by judge",
    },
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
      help: "the bootstrap interval",
    },
    resamples: {
      type: "number",
      value: "N",
      integer: true,
      minimum: 0,
      maximum: 1_000_000,
      help: `bootstrap resamples; 0 for no intervals [${DEFAULT_RESAMPLES}, fewer for very long tables]`,
    },
    seed: { type: "number", value: "N", integer: true, default: 1, help: "the random seed" },
    out: { type: "string", value: "FILE", help: "write the report: .html with plots, .md or .json" },
  },
  examples: [
    "fabula agree ratings.csv --human human --metric judge",
    "fabula agree scores.csv --human coherence --metric bertscore,rouge --system model --item prompt --out agreement.html",
    "fabula agree books.csv --human average_rating --evaluations evaluations/",
    "fabula agree books.csv --human average_rating --run 20260115-093012-k3fw",
    "fabula agree --votes votes.jsonl",
  ],
  async run({ operands, flags, terminal }) {
    const [table, ...rest] = operands;
    if (flags.votes !== undefined) {
      if (table === undefined) return printVotes(flags.votes, flags, terminal);
      throw new FabulaError("E_USAGE", "Give a table or --votes: votes name their judges and books themselves.");
    }
    if (table === undefined || rest.length > 0) {
      throw new FabulaError("E_USAGE", "Give one table: `fabula agree ratings.csv --human H --metric M`.");
    }
    if (flags.out !== undefined) checkedEnding(flags.out, ["html", "md", "json"]);
    const human = requireFlag("agree", "human", flags.human);
    const { system, item, group, over, resamples, seed, book } = flags;
    const evaluations = await ownEvaluations(flags, terminal);
    const outcome =
      evaluations === null
        ? tableOutcome(
            await agree({
              table,
              human,
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
            }),
          )
        : readerOutcome(
            await agreeWithReaders({
              ratings: table,
              human,
              ...(book !== undefined && { book }),
              evaluations,
              resamples: resamples ?? DEFAULT_RESAMPLES,
              seed,
              onProgress: terminal.progress,
            }),
          );
    terminal.endProgress();
    if (flags.out !== undefined) {
      await writeReport(flags.out, outcome.forms);
      terminal.note(`Wrote ${flags.out}`);
    }
    terminal.print(flags.json ? jsonDocument("agreement", outcome.json) : outcome.text);
    return outcome.exit;
  },
});

/** Blind votes need no table: they name the judges and the books themselves. */
async function printVotes(
  path: string,
  { json, out }: { readonly json: boolean; readonly out: string | undefined },
  terminal: Terminal,
): Promise<ExitCode> {
  if (out !== undefined) checkedEnding(out, ["html", "md", "json"]);
  const report = await agreeWithVotes(path);
  const document = jsonDocument("vote-agreement", report);
  if (out !== undefined) {
    await writeReport(out, {
      html: () => voteAgreementHtml(report),
      md: () => voteAgreementMarkdown(report),
      json: () => `${document}\n`,
    });
    terminal.note(`Wrote ${out}`);
  }
  terminal.print(json ? document : inText(voteAgreementNotes(report), [voteAgreementTable(report)], []));
  return 0;
}

/** Our own evaluations, when the table is to be compared with them; null when it holds the scores itself. */
async function ownEvaluations(
  flags: {
    readonly evaluations: string | undefined;
    readonly run: string | undefined;
    readonly store: string | undefined;
  },
  terminal: Terminal,
): Promise<BookEvaluation[] | null> {
  if (flags.run !== undefined) {
    terminal.progress({ stage: `reading run ${flags.run}`, done: 0, total: null });
    return evaluationsOfRun(flags.run, storeLocation(flags.store, process.env));
  }
  return flags.evaluations === undefined ? null : readEvaluations(flags.evaluations);
}

interface Outcome {
  readonly json: object;
  readonly text: string;
  readonly forms: ReportForms;
  readonly exit: ExitCode;
}

function tableOutcome(report: AgreementReport): Outcome {
  const json = agreementJson(report);
  return {
    json,
    text: inText(
      studyInWords(report),
      agreementTables(report),
      warningsInWords(report).map((warning) => `! ${warning}`),
    ),
    forms: { html: () => agreementHtml(report), md: () => agreementMarkdown(report), json: () => pretty(json) },
    // A figure that was asked for and does not exist is something unscored.
    exit: report.study.metrics.some(({ agreement: { pearson, spearman, kendall } }) =>
      [pearson, spearman, kendall].some(({ value }) => value === null),
    )
      ? 3
      : 0,
  };
}

function readerOutcome(report: ReaderAgreementReport): Outcome {
  return {
    json: report,
    text: inText(readerNotes(report), readerTables(report), []),
    forms: { html: () => readerHtml(report), md: () => readerMarkdown(report), json: () => pretty(report) },
    exit: report.rows.some(({ overall }) => overall.missing > 0 || overall.kendall.value === null) ? 3 : 0,
  };
}

function inText(notes: readonly string[], tables: readonly ReportTable[], warnings: readonly string[]): string {
  const drawn = tables.map(({ title, headings, rows, note }) =>
    [title, textTable(headings, rows), ...(note ? [note] : [])].join("\n"),
  );
  return [notes.join("\n"), ...drawn, ...(warnings.length > 0 ? [warnings.join("\n")] : [])].join("\n\n");
}

function pretty(json: object): string {
  return `${jsonDocument("agreement", json)}\n`;
}
