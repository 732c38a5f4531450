import { z } from "zod";
import { trustDocument } from "../../report/agreement/trust-report.ts";
import { field } from "../define/field.ts";
import { defineTask } from "../define/task.ts";

const column = (description: string) => field(z.string().exactOptional(), description, { value: "COLUMN" });
const columns = (description: string) => field(z.array(z.string()).exactOptional(), description, { value: "COLUMN,…" });

export const trustTask = defineTask({
  name: "trust",
  summary: "Which judge to trust for these texts, and how many more texts or runs would settle what is open.",
  library: { function: "trustJudges", options: "TrustJudgesOptions", first: "table" },
  input: z.strictObject({
    table: field(
      z.string(),
      "texts with human ratings and perhaps judges' scores: .csv, .jsonl, .json, .parquet, or what inspect_ai, promptfoo, Langfuse and LangSmith write",
      { operand: "TABLE" },
    ),
    human: columns(
      "the human ratings: one column per rater, or one column with several rows per text, or a list in each row",
    ),
    judge: columns(
      "the judges' columns (NAME#1, NAME#2 … are runs of NAME); crowd, editor and grader score the column `text` (or `story`) themselves [every other column of numbers, or those three]",
    ),
    scores: field(z.array(z.string()).exactOptional(), "more scores, joined by id", {
      value: "FILE,…",
      help: "more scores, joined by id: what `fabula evaluate` and `fabula score` wrote with --out FILE.jsonl, or a table with the columns id, judge, score and perhaps cost and reply_words; one row per run",
    }),
    id: column("the column that names the texts [id, item_id, story_id, or the row]"),
    rater: column("the column that names who rated, where each row is one person's rating"),
    adjudicated: column(
      "the score that stands where raters disagreed and it was settled; judges are compared with it there [adjudicated]",
    ),
    system: column("who wrote each text: bias towards its own family, and systems that carry a correlation"),
    item: column("what each text answers to, such as a prompt: intervals then draw prompts"),
    kind: column("the kind of each text, for an answer by kind"),
    words: column("how long each text is [counted in the column `text`]"),
    stress: field(z.array(z.string()).exactOptional(), "what `fabula stress --json` wrote for these judges", {
      value: "FILE,…",
    }),
    comparisons: field(
      z.string().exactOptional(),
      "pairwise outcomes of these judges, for bias towards the text shown first; a row each: first, second, winner (first, second or tie), judge",
      { value: "FILE" },
    ),
    calibration: field(
      z.string().exactOptional(),
      "write a map from the judges' scores to people's scale, for `fabula evaluate --calibration`; needs {scores} that `fabula evaluate` wrote, of 20 texts or more",
      { value: "FILE" },
    ),
    pinned: field(
      z.string().exactOptional(),
      "with {calibration}: texts of it that every run with the calibration judges again, so that the run fails when the judge has drifted: .jsonl as for `fabula evaluate --in`, or a folder of books",
      { value: "FILE" },
    ),
    export: field(
      z.string().exactOptional(),
      "write all that was read as one file, which `fabula trust` reads too: .csv, .jsonl, .parquet, or .inspect.json, .promptfoo.json, .langfuse.jsonl, .langsmith.jsonl in the shapes of those tools",
      { value: "FILE" },
    ),
    margin: field(
      z.number().min(0).max(0.5).default(0.1),
      "how far behind a person a judge may be and still stand in for one",
      { value: "SHARE" },
    ),
    resamples: field(z.number().int().min(0).max(100_000).default(1000), "bootstrap resamples", { value: "N" }),
    seed: field(z.number().int().default(1), "the random seed", { value: "N" }),
  }),
  rules: [
    {
      fields: ["pinned"],
      when: ({ input }) => input.calibration === undefined,
      sentence: "{this} goes with {calibration}.",
    },
  ],
  async run(input, { onProgress }) {
    const { trustJudges } = await import("./trust-judges.ts");
    return trustJudges(input, onProgress);
  },
  output: { kind: "trust", body: trustDocument },
});
