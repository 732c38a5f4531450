import { z } from "zod";
import { costFields } from "../../core/cost.ts";
import { FabulaError } from "../../core/errors.ts";
import { GRADING_SETTINGS } from "../../qa/choices.ts";
import { type AgreementReport, agreementJson } from "../../report/agreement/agreement-report.ts";
import type { ReaderAgreementReport } from "../../report/agreement/reader-agreement.ts";
import { DEFAULT_RESAMPLES } from "../../stats/resampling.ts";
import {
  defined,
  optionalReader,
  rubric,
  runServicesOf,
  runSettingsOf,
  seed,
  spending,
  WITH_READER,
} from "../define/shared-fields.ts";
import { defineTask, evaluationsOf, field, group } from "../define/task.ts";
import { gradingProtocol } from "../qa/answers.ts";
import { PAPERS } from "../reproduce/paper.ts";

/** Agreement of the scores in a table, or of our own evaluations with the ratings in it. */
export type Agreement =
  | { readonly kind: "table"; readonly report: AgreementReport }
  | { readonly kind: "readers"; readonly report: ReaderAgreementReport };

type Row = Readonly<Record<string, unknown>>;
const column = (description: string) => field(z.string().exactOptional(), description, { value: "COLUMN" });

export const agreeTask = defineTask({
  name: "agree",
  summary:
    "How well scores agree with people: correlations with intervals, by text and by system, and which judge is better.",
  library: { function: "agreement", options: "AgreementOptions", first: "table" },
  input: z.strictObject({
    table: field(
      z.union([z.string(), z.array(z.custom<Row>((row) => typeof row === "object" && row !== null))]),
      "the table",
      {
        operand: "TABLE",
        type: "string | readonly Readonly<Record<string, unknown>>[]",
      },
    ),
    human: field(z.union([z.string(), z.array(z.string())]), "the human ratings; of several raters, their mean", {
      value: "COLUMN,…",
      type: "string | readonly string[]",
    }),
    metric: field(
      z.union([z.string(), z.array(z.string())]).exactOptional(),
      "the scores; several are compared with each other",
      { value: "COLUMN,…", type: "string | readonly string[]" },
    ),
    system: column("who wrote each text: average per system, then correlate"),
    item: column("what each text responds to, such as a prompt, shared by the systems"),
    group: column("repeat everything for each value of this column"),
    evaluations: field(
      z.string().exactOptional(),
      "instead of {metric}: what `fabula evaluate` wrote (.json, .jsonl, a folder), by aspect against readers",
      { value: "PATH" },
    ),
    run: field(z.string().exactOptional(), "instead of {metric}: the evaluations of a run in the store", {
      value: "RUN",
    }),
    store: spending.store,
    book: column("with {evaluations} or {run}: the books' names [title, id or file]"),
    over: field(
      z.enum(["items", "systems", "both"]).exactOptional(),
      "what the bootstrap resamples at system level; both if each system has several texts",
      { value: "UNIT" },
    ),
    interval: field(z.enum(["percentile", "bca"]).default("percentile"), "the bootstrap interval", { value: "KIND" }),
    resamples: field(
      z.number().int().min(0).max(1_000_000).exactOptional(),
      `bootstrap resamples; 0 for no intervals [${DEFAULT_RESAMPLES}, fewer for very long tables]`,
      { value: "N" },
    ),
    seed: seed(),
  }),
  needs: ({ metric, evaluations, run }) =>
    metric === undefined && evaluations === undefined && run === undefined ? "metric" : null,
  async run(input, { onProgress, host }): Promise<Agreement> {
    const { table, metric, system, item, group, book, over, interval, resamples, seed: drawn } = input;
    const human = typeof input.human === "string" ? input.human : input.human.join(",");
    if (input.evaluations === undefined && input.run === undefined) {
      const { agree } = await import("./agree-table.ts");
      const report = await agree({
        table: typeof table === "string" ? table : tableOf(table),
        human,
        metric: typeof metric === "string" ? metric : metric!.join(","),
        ...defined({ system, item, group }),
        options: { seed: drawn, interval, ...defined({ over, resamples }) },
        onProgress,
      });
      return { kind: "table", report };
    }
    if (input.run !== undefined) onProgress({ stage: `reading run ${input.run}`, done: 0, total: null });
    const { readEvaluations } = await import("../books/read-evaluations.ts");
    const { agreeWithReaders } = await import("./agree-readers.ts");
    if (typeof table !== "string")
      throw new FabulaError("E_USAGE", "Evaluations are compared with the ratings of a file: give its path.");
    const report = await agreeWithReaders({
      ratings: table,
      human,
      ...defined({ book }),
      evaluations:
        input.run === undefined
          ? await readEvaluations(input.evaluations!)
          : await evaluationsOf(host, input.run, input.store),
      resamples: resamples ?? DEFAULT_RESAMPLES,
      seed: drawn,
      onProgress,
    });
    return { kind: "readers", report };
  },
  output: {
    kind: "agreement",
    body: ({ kind, report }) => (kind === "table" ? agreementJson(report) : report),
  },
});

function tableOf(rows: readonly Row[]) {
  if (rows.length === 0) throw new FabulaError("E_TABLE_EMPTY", "The table has no rows: at least one is needed.");
  return { source: "rows", rows, columns: [...new Set(rows.flatMap((row) => Object.keys(row)))] };
}

export const agreeVotesTask = defineTask({
  name: "agree votes",
  summary: "How well judges agree with blind votes that were given in the web app.",
  input: z.strictObject({
    votes: field(z.string(), "blind votes given in the web app (its votes.jsonl, or its library), judge by judge", {
      value: "PATH",
      help: "instead of TABLE: blind votes given in the web app (its votes.jsonl, or its library), judge by judge",
    }),
  }),
  load: async () => (await import("./agree-table.ts")).agreeWithVotes,
  output: { kind: "vote-agreement", body: (report) => report },
});

const { store: _store, dryRun, resume, ...paying } = spending;

export const reproduceTask = defineTask({
  name: "reproduce",
  summary: "Compute a paper's figures again from its released data, beside the printed values, and say what differs.",
  input: z.strictObject({
    paper: field(z.enum(PAPERS), "the paper", { operand: "NAME" }),
    data: field(z.string(), "the folder of the paper's data", {
      value: "FOLDER",
      help: "the paper's data, which you download yourself from the place listed below",
    }),
    evaluations: field(
      z.string().exactOptional(),
      "for longstoryeval: evaluations of its books, for Tables 2, 6, 7 and 8 [evaluations.jsonl in the folder]",
      { value: "PATH" },
    ),
    judge: field(
      optionalReader,
      "for literaryqa: a grader of answers from 1 to 5, such as MODEL@http://host/v1, for its column of Table 7 or its rows of Table 6",
      { value: "MODEL", type: "string | ChatModel" },
    ),
    ...group(WITH_READER, {
      table: field(
        z.enum(["6", "7"]).default("7"),
        "7: grade the released answers; 6: grade answers that people rated (rated.jsonl in the folder), and compare the grades with them",
        { value: "N" },
      ),
      grading: field(
        z.enum(GRADING_SETTINGS).default("summary"),
        "with {table} 7: what the grader sees, the references or the book's summary as well",
        { value: "SETTING" },
      ),
      protocol: gradingProtocol,
      rubric: rubric("qa-grading", "the grader's scale"),
      ...paying,
      dryRun,
      resume,
    }),
    store: field(
      spending.store,
      "where the grader's calls are kept; for longstoryeval the store with the calls of {evaluations}, for the tokens and minutes of Table 8",
      { value: "STORE" },
    ),
    set: field(
      z.enum(["test"]).exactOptional(),
      "for a checkout of LongStoryEval's release: only the 150 books that it names as its test set",
      { value: "NAME" },
    ),
    seed: seed(),
  }),
  rules: [
    {
      fields: ["evaluations", "set"],
      when: ({ input }) => input.paper !== "longstoryeval",
      sentence: "{this} is for longstoryeval: leave it out.",
    },
    {
      fields: ["store"],
      when: ({ input }) => input.paper !== "longstoryeval" && input.judge === undefined,
      sentence: "{this} is for longstoryeval, or goes with {judge}: leave it out.",
    },
    {
      fields: ["judge"],
      when: ({ input }) => input.paper !== "literaryqa",
      sentence: "{this} is for literaryqa: leave it out.",
    },
  ],
  async run(input, services) {
    const { reproduce } = await import("../reproduce/reproduce.ts");
    const { paper, data: folder, evaluations, store: kept, set, seed: drawn, judge } = input;
    const { onProgress, signal } = services;
    const grading = judge !== undefined && {
      judge,
      table: input.table === "6" ? (6 as const) : (7 as const),
      setting: input.grading,
      protocol: input.protocol,
      rubric: input.rubric,
      settings: runSettingsOf(input, services.host),
      services: runServicesOf(services),
    };
    return reproduce(paper, {
      folder,
      ...defined({ evaluations, store: kept, set }),
      ...(grading && { grading }),
      seed: drawn,
      onProgress,
      signal,
    });
  },
  output: {
    kind: "reproduction",
    body: ({ run, plan: _plan, ...reproduction }) =>
      run ? { ...reproduction, run: run.id, ...costFields(run.summary) } : reproduction,
  },
});
