import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { countOf } from "../../core/wording.ts";
import { trustDocument } from "../../report/agreement/trust-report.ts";
import type { Scale } from "../../stats/judge-health/judge-health.ts";
import { type Asked, askedBody, fromModels, planWithoutModels, withoutModels } from "../define/asked.ts";
import { judge, judgeRunFields, judgesOf, method, WITH_MODELS } from "../define/judge-fields.ts";
import {
  book,
  books,
  defined,
  reader,
  rubric,
  runServicesOf,
  runSettingsOf,
  seed,
  spending,
} from "../define/shared-fields.ts";
import { defineTask, evaluationsOf, field, group } from "../define/task.ts";
import type { ContaminationReport } from "./probe-contamination.ts";
import type { StressReport } from "./stress-books.ts";

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
    adjudicated: column("the settled score where raters disagreed; judges are compared with it there [adjudicated]"),
    system: column(
      "who wrote each text: shows bias towards a judge's own model family, and systems that dominate a correlation",
    ),
    item: column("what each text answers, such as a prompt; intervals then resample prompts"),
    kind: column("the kind of each text, for results by kind"),
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
      "with {calibration}: texts that every run with the calibration judges again, so that the run fails if the judge has drifted: .jsonl as for `fabula evaluate --in`, or a folder of books",
      { value: "FILE" },
    ),
    export: field(
      z.string().exactOptional(),
      "write everything that was read to one file, which `fabula trust` can read again: .csv, .jsonl, .parquet, or .inspect.json, .promptfoo.json, .langfuse.jsonl, .langsmith.jsonl in the formats of those tools",
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
  load: async () => (await import("./trust-judges.ts")).trustJudges,
  output: { kind: "trust", body: trustDocument },
});

const SCALE = "{this} {given} is not two numbers, the lower first: 0,20.";
const scale = z
  .strictObject({ minimum: z.number(), maximum: z.number() }, SCALE)
  .refine(({ minimum, maximum }) => maximum > minimum, SCALE);

function scaleFrom(text: string): Scale | string {
  const [minimum, maximum, ...rest] = text.split(",").map(Number);
  if (minimum === undefined || maximum === undefined || rest.length > 0 || !(maximum > minimum)) return text;
  return { minimum, maximum };
}

export const healthTask = defineTask({
  name: "health",
  summary: "Can this judge be trusted? Repeats, biases of position, length and self, halo, use of the scale, drift.",
  library: { function: "judgeHealth", options: "HealthOptions", first: "scores" },
  input: z.strictObject({
    scores: field(z.string().exactOptional(), "a file or folder of scores, or of evaluations", { operand: "SCORES" }),
    run: field(z.string().exactOptional(), "instead of SCORES: the evaluations of a run in the store", {
      value: "RUN",
    }),
    store: spending.store,
    score: field(z.string().default("overall"), "the judge's score", { value: "COLUMN" }),
    aspects: field(z.array(z.string()).exactOptional(), "its scores by aspect [those in criteria or aspects]", {
      value: "COLUMN,…",
    }),
    anchors: field(z.string().exactOptional(), "earlier scores of the same pinned texts, for drift", { value: "FILE" }),
    comparisons: field(
      z.string().exactOptional(),
      "pairwise outcomes, a row each: first, second, winner (first, second or tie), judge",
      { value: "FILE" },
    ),
    stress: field(z.string().exactOptional(), "a stress test of the same judge: `fabula stress --json`", {
      value: "FILE",
    }),
    votes: field(z.string().exactOptional(), "blind votes given in the web app: its votes.jsonl, or its library", {
      value: "PATH",
    }),
    scale: field(scale.exactOptional(), "the ends of the scale [known for evaluations]", {
      value: "LOW,HIGH",
      fromText: scaleFrom,
      type: "{ readonly minimum: number; readonly maximum: number }",
    }),
    resamples: field(z.number().int().min(1).default(1000), "bootstrap resamples", { value: "N" }),
    seed: seed(),
  }),
  async run({ scores, run, store, score, aspects, resamples, seed: drawn, ...given }, { onProgress, host }) {
    const { checkHealth } = await import("./check-health.ts");
    if ((scores === undefined) === (run === undefined))
      throw new FabulaError("E_USAGE", "Give one file or folder of scores, or a run: `fabula health scores.jsonl`.");
    return checkHealth({
      scores: scores ?? { name: `run ${run}`, evaluations: await evaluationsOf(host, run!, store) },
      ...defined(given),
      columns: { score, ...defined({ aspects }) },
      seed: drawn,
      resamples,
      onProgress,
    });
  },
  output: { kind: "judge-health", body: (report) => report },
});

export const probeTask = defineTask({
  name: "probe",
  summary: "Ask whether a judge already knows a book, and whether that changes its verdict.",
  library: { function: "probeJudge", options: "ProbeOptions", first: "book" },
  input: z.strictObject({
    book,
    judge: field(reader, "the judge to probe: openai:MODEL, ollama:MODEL, MODEL@http://host/v1, …", {
      value: "NAME",
      type: "string | ChatModel",
    }),
    runs: field(z.number().int().min(2).max(50).default(5), "judgements of each version", { value: "N" }),
    rubric: rubric("long-story", "the aspects to judge"),
    ...spending,
  }),
  async run({ book: source, judge, runs, rubric: aspects, ...input }, services): Promise<Asked<ContaminationReport>> {
    const { probeContamination } = await import("./probe-contamination.ts");
    const outcome = await probeContamination(source, {
      judge,
      runs,
      rubric: aspects,
      settings: runSettingsOf(input, services.host),
      services: runServicesOf(services),
      onProgress: services.onProgress,
    });
    return fromModels(outcome);
  },
  output: { kind: "probe", body: askedBody },
});

export const stressTask = defineTask({
  name: "stress",
  summary: "Does a judge react to damage it should notice?",
  library: { function: "stressJudge", options: "StressOptions", first: "books" },
  input: z.strictObject({
    books,
    judge: judge(
      "crowd",
      "the judge to test: crowd, editor, grader, openai:MODEL, ollama:MODEL, MODEL@http://host/v1, …",
    ),
    strength: field(z.number().min(0.05).max(1).default(1), "how much of the book is damaged, from 0 to 1", {
      value: "PART",
      remote: true,
    }),
    ...group(WITH_MODELS, {
      method: field(method, "how a language model reads the book [summary]", { value: "NAME", remote: true }),
      runs: field(z.number().int().min(1).max(50).default(3), "how many times a language model judges each version", {
        value: "N",
        remote: true,
      }),
    }),
    seed: field(z.number().int().default(1), "the same seed damages the same places", { value: "N", remote: true }),
    ...judgeRunFields,
  }),
  async run(input, services): Promise<Asked<StressReport>> {
    const { books: files, seed, strength, runs } = input;
    const judges = judgesOf(input);
    const { signal, onProgress } = services;
    if (judges.kind === "models") {
      const { stressWithModels } = await import("./stress-with-models.ts");
      const outcome = await stressWithModels({
        files,
        seed,
        strength,
        judge: judges.models[0]!,
        method: input.method ?? "summary",
        runs,
        settings: runSettingsOf(input, services.host),
        services: runServicesOf(services),
        onProgress,
      });
      return fromModels(outcome);
    }
    if (input.dryRun) return planWithoutModels(`judge ${countOf(files.length, "book")} and every damaged copy`);
    const { jurorNamed } = await import("../../jury/juror.ts");
    const { stressBooks } = await import("./stress-books.ts");
    const juror = jurorNamed(judges.name);
    return withoutModels(await stressBooks({ files, seed, strength, judge: juror, signal, onProgress }));
  },
  output: { kind: "stress", body: askedBody },
});
