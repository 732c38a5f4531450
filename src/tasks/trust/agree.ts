import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { type AgreementReport, agreementJson } from "../../report/agreement/agreement-report.ts";
import type { ReaderAgreementReport } from "../../report/agreement/reader-agreement.ts";
import { DEFAULT_RESAMPLES } from "../../stats/resampling.ts";
import { field } from "../define/field.ts";
import { spending } from "../define/model-fields.ts";
import { defined, seed } from "../define/shared-fields.ts";
import { defineTask, evaluationsOf } from "../define/task.ts";

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
      "what the bootstrap draws at system level; both when each system has several texts",
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
  async run({ votes }) {
    const { agreeWithVotes } = await import("./agree-table.ts");
    return agreeWithVotes(votes);
  },
  output: { kind: "vote-agreement", body: (report) => report },
});
