import { z } from "zod";
import { costFields } from "../../core/cost.ts";
import { FabulaError } from "../../core/errors.ts";
import type { Goal } from "../../judge/pairwise.ts";
import { JUROR_IDS, JURY } from "../../jury/juror.ts";
import { type Asked, fromModels, planWithoutModels, withoutModels } from "../define/asked.ts";
import {
  aspects,
  evaluating,
  judge,
  judgeRunFields,
  judgesOf,
  summariser,
  WITH_MODELS,
} from "../define/judge-fields.ts";
import {
  books,
  defined,
  rubric,
  runServicesOf,
  runSettingsOf,
  spending,
  TEXT_INPUT,
  textInput,
} from "../define/shared-fields.ts";
import { refuseStandardInput, runHereOrShared, settingsWithoutModels } from "../define/shared-work.ts";
import { defineTask, field, group } from "../define/task.ts";

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
    const { scoreItems } = await import("./score-items.ts");
    const { scoresInto } = await import("../tables.ts");
    const { assembleScores, piecesOfItems } = await import("../jobs/score-items.ts");
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

const SCALE = '{this} "{given}" is not a scale: write the lowest and the highest score, as in 1-5.';

export const repliesTask = defineTask({
  name: "replies",
  summary: "Read verdicts from saved replies of any model.",
  library: { function: "readReplies", options: "RepliesOptions", first: "files" },
  input: z.strictObject({
    files: field(z.array(z.union([z.string(), textInput])).min(1), "the files that hold the replies", {
      operand: "FILE...",
      remote: () => z.array(textInput).min(1),
      type: `readonly (${TEXT_INPUT})[]`,
    }),
    rubric: rubric("long-story", "the aspects to look for"),
    scale: field(
      z
        .strictObject({ minimum: z.number(), maximum: z.number() }, SCALE)
        .refine(({ minimum, maximum }) => minimum < maximum, SCALE)
        .exactOptional(),
      "the scale the prompt asked for; scores are reported on it too (default: the rubric's). A score on another scale is converted in proportion: 7/10 is 3.5 on 1-5, 70 on 0-100",
      {
        value: "1-5",
        fromText: scaleFrom,
        remote: true,
        type: "{ readonly minimum: number; readonly maximum: number }",
      },
    ),
    aspect: field(
      z.string().exactOptional(),
      "every reply was asked about this aspect alone: the score it gives for the whole is the aspect's",
      { value: "ID", remote: true },
    ),
    critiques: field(z.boolean().default(false), "the critiques too", {
      help: "with --json: the critiques too",
      remote: true,
    }),
  }),
  async run({ files, rubric: named, scale, aspect, critiques }) {
    const { loadRubric } = await import("../../criteria/load-rubric.ts");
    const { readReplies } = await import("./read-replies.ts");
    const replies = await readReplies(files, typeof named === "string" ? await loadRubric(named) : named, {
      ...(scale && { scale }),
      ...(aspect !== undefined && { aspect }),
    });
    return replies.map(({ critiques: words, assessment, ...verdicts }) =>
      critiques ? { ...verdicts, critiques: words, assessment } : verdicts,
    );
  },
  output: { kind: "replies", body: (replies) => ({ replies }) },
});

function scaleFrom(text: string): unknown {
  const [, minimum, maximum] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  return maximum === undefined ? text : { minimum: Number(minimum), maximum: Number(maximum) };
}

export const rubricCheckTask = defineTask({
  name: "rubric check",
  summary:
    "Check a rubric file and name everything that is wrong with it. Its JSON Schema ships as assets/schemas/rubric.json.",
  library: { function: "checkRubric", options: "CheckRubricOptions", first: "file" },
  input: z.strictObject({
    file: field(z.union([z.string(), textInput]), "the rubric", {
      operand: "FILE",
      remote: () => textInput,
      type: TEXT_INPUT,
    }),
  }),
  async run({ file }) {
    const { checkRubric } = await import("../../criteria/load-rubric.ts");
    const checked = checkRubric(typeof file === "string" ? await textOf(file) : file.text);
    return {
      file: typeof file === "string" ? file : (file.name ?? "text"),
      rubric: checked.kind === "rubric" ? checked.rubric : null,
      problems: checked.kind === "wrong" ? checked.problems : [],
    };
  },
  output: {
    kind: "rubric-check",
    body: ({ file, problems }) => ({ file, ok: problems.length === 0, problems }),
  },
});

async function textOf(file: string): Promise<string> {
  const { readFile } = await import("node:fs/promises");
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new FabulaError("E_RUBRIC_MISSING", `No rubric at "${file}": check the path.`, { cause });
  }
}

type Compared =
  | ({ readonly kind: "jury" } & import("./compare-with-jury.ts").JuryComparison)
  | ({ readonly kind: "model" } & import("./compare-books.ts").BookComparison);

const goal = z.custom<Goal>(
  (value) => typeof value === "object" && value !== null && "kind" in value,
  "{this} {given} is not a goal: give topN, such as top3, or a number of points, such as 0.5.",
);

/** `top3`, or the half width of the interval that every strength must reach. */
function goalFrom(text: string): Goal | string {
  const top = /^top\s?(\d+)$/i.exec(text);
  if (top && Number(top[1]) > 0) return { kind: "top", count: Number(top[1]) };
  const halfWidth = Number(text);
  return text.trim() !== "" && halfWidth > 0 && Number.isFinite(halfWidth) ? { kind: "width", halfWidth } : text;
}

export const compareTask = defineTask({
  name: "compare",
  summary:
    "Compare books aspect by aspect, without a key or a network by default; more than two are ranked, by a model in a tournament.",
  library: { function: "compareBooks", options: "CompareOptions", first: "books" },
  input: z.strictObject({
    books: field(books, "the books", {
      operand: "FILE FILE...",
      remote: (far) => z.array(far.book).min(2),
      type: "readonly BookInput[]",
    }),
    judge: judge(
      JURY,
      "who compares: jury, crowd, editor, grader, or a language model such as openai:MODEL, ollama:MODEL, MODEL@http://host/v1",
    ),
    ...group(WITH_MODELS, {
      summariser: field(summariser, "who writes the summaries of long books [the judge]", {
        value: "NAME",
        type: "string | ChatModel",
      }),
      runs: field(
        z.number().int().min(1).max(50).default(3),
        "how many times a language model is asked in each order",
        { value: "N", remote: true },
      ),
      meetings: field(
        z.number().int().min(1).exactOptional(),
        "meetings in a tournament; three per book unless given",
        { value: "N", remote: true },
      ),
      until: field(
        goal.exactOptional(),
        "stop a tournament when this is reached: topN (the order of the first N) or a number (every strength known to ± that)",
        { value: "GOAL", fromText: goalFrom, type: "Goal" },
      ),
      rubric: field(evaluating.rubric, "the aspects a language model compares [long-story]", {
        value: "NAME|FILE",
        type: "string | Rubric",
      }),
    }),
    aspects: field(aspects, "only these aspects", { value: "A,B", remote: true }),
    ...judgeRunFields,
  }),
  async run(input, services): Promise<Asked<Compared>> {
    const { books: sources, dryRun, aspects: chosen } = input;
    const judges = judgesOf(input);
    const { signal, onProgress } = services;
    if (judges.kind === "embedded" && dryRun) {
      const { booksInWords } = await import("./evaluate-books.ts");
      const { openBook } = await import("./open-book.ts");
      return planWithoutModels(booksInWords(await Promise.all(sources.map((source) => openBook(source)))));
    }
    if (judges.kind === "embedded") {
      const { compareWithJury } = await import("./compare-with-jury.ts");
      const asked = { judge: judges.name, signal, onProgress, ...defined({ aspects: chosen }) };
      return withoutModels({ kind: "jury", ...(await compareWithJury(sources, asked)) });
    }
    const { compareBooks } = await import("./compare-books.ts");
    const { summariser: writer, meetings, until, rubric } = input;
    const outcome = await compareBooks(sources, {
      judge: judges.models[0]!,
      runs: input.runs,
      ...defined({ summariser: writer, meetings, until, rubric, aspects: chosen }),
      settings: runSettingsOf(input, services.host),
      services: runServicesOf(services),
      onProgress,
    });
    return fromModels({ ...outcome, result: { kind: "model", ...outcome.result } });
  },
  output: {
    kind: "comparison",
    body: ({ result: { kind: _kind, ...result }, run }) => ({
      ...result,
      ...(run && { run: run.id, calls: run.summary.calls, ...costFields(run.summary) }),
    }),
  },
});
