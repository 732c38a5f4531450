import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { JUROR_IDS } from "../../jury/juror.ts";
import { field } from "../define/field.ts";
import { spending } from "../define/model-fields.ts";
import { defined } from "../define/shared-fields.ts";
import { refuseStandardInput, runHereOrShared, settingsWithoutModels } from "../define/shared-work.ts";
import { defineTask } from "../define/task.ts";

const TABLE = /\.(csv|tsv|parquet|pq)(\.gz)?$/i;

export const scoreTask = defineTask({
  name: "score",
  summary: "Score many texts: one per line in, one set of verdicts per line out.",
  library: { function: "scoreTexts", options: "ScoreTextsOptions", first: "in" },
  input: z.strictObject({
    in: field(z.string().default("-"), 'JSONL of {"id","text"}; - is standard input', { value: "FILE" }),
    out: field(
      z.string().default("-"),
      "where to write the verdicts: .jsonl, or .csv or .parquet with a row per text and criterion; - is standard output",
      { value: "FILE" },
    ),
    judge: field(
      z.enum(JUROR_IDS).exactOptional(),
      "the judge: readers, professional editors or a language-model grader [crowd; grader with {rubric}]",
      { value: "JUDGE" },
    ),
    rubric: field(
      z.enum(["grader", "long-story"]).exactOptional(),
      "what the grader scores: its own criteria, or the long-story aspects they correspond to",
      { value: "RUBRIC" },
    ),
    keep: field(
      z.array(z.string()).exactOptional(),
      "fields of each line to keep beside its scores, such as human ratings for `fabula agree` and `fabula trust`",
      { value: "FIELD,…" },
    ),
    store: field(spending.store, "have the workers of this shared store do it: postgres://…", { value: "STORE" }),
    resume: spending.resume,
  }),
  async run({ in: input, out, judge: chosen, rubric, keep = [], ...asked }, services) {
    const { scoreItems } = await import("../../workflows/books/score-items.ts");
    const { scoresInto } = await import("../../workflows/tables.ts");
    const { assembleScores, piecesOfItems } = await import("../../workflows/queue/jobs/score-items.ts");
    const { signal, onProgress } = services;
    if (TABLE.test(input)) {
      throw new FabulaError(
        "E_USAGE",
        `"${input}" is a table, and score reads JSONL: a line {"id","text"} for each text. To compare the embedded judges with people's ratings, \`fabula trust\` has them read the column text of a table.`,
      );
    }
    const scoring = {
      judge: chosen ?? (rubric === undefined ? "crowd" : "grader"),
      ...defined({ rubric }),
      ...(keep.length > 0 && { keep }),
    };
    const settings = settingsWithoutModels(asked, services);
    refuseStandardInput(input, settings, services);
    const summary = await runHereOrShared(
      settings,
      services,
      () => ({ kind: "score-items", options: scoring, models: [], pieces: piecesOfItems(input) }),
      (_own, shared) =>
        scoresInto(out, keep, (output) =>
          shared
            ? assembleScores(shared.results(), { input, output }, scoring)
            : scoreItems({ input, output, ...scoring, signal, onProgress }),
        ),
    );
    return summary && { ...summary, out };
  },
  output: { kind: "scored-items", body: (summary) => ({ ...summary }) },
});
