import { stat } from "node:fs/promises";
import { z } from "zod";
import type { WriterBenchmark } from "../../bench/benchmark-writers.ts";
import type { ReferencePopulation } from "../../bench/population/reference-population.ts";
import { FabulaError } from "../../core/errors.ts";
import { countOf } from "../../core/wording.ts";
import { isOfTheJury } from "../../jury/juror.ts";
import { loadPrices } from "../../models/prices.ts";
import type { SiteData } from "../../report/bench/site/site-data.ts";
import { type Asked, fromModels, wouldDo } from "../define/asked.ts";
import { field, group } from "../define/field.ts";
import { isEmbedded, judgeRunFields, WITH_MODELS } from "../define/judge-fields.ts";
import { runServicesOf, runSettingsOf, spending } from "../define/model-fields.ts";
import { seed } from "../define/shared-fields.ts";
import { runHereOrShared, settingsWithoutModels, sharesWork } from "../define/shared-work.ts";
import { defineTask, type TaskServices } from "../define/task.ts";
import type { BuiltPopulation } from "./build.ts";
import { promptsFrom } from "./frozen.ts";
import type { PlacedText } from "./place.ts";
import type { WriterRun } from "./run.ts";

/** Tasks of the novelist benchmark: from novels to a population, from writers to their place on it. */

const NOVELS = "english-classics";
const GRADER = "grader";
/** How many texts a language model scores repeatedly by default. */
const CHECKED_TEXTS = 10;
/** Of a text that is placed as many chapters count as a novel of a population has. */
const PLACED_CHAPTERS = 10;

const folder = (operand = "FOLDER") => field(z.string(), "the benchmark's folder", { operand });
const whole = (standard: number, description: string, minimum = 1, maximum = Number.MAX_SAFE_INTEGER) =>
  field(z.number().int().min(minimum).max(maximum).default(standard), description, { value: "N" });
const corpus = field(z.array(z.string()).min(1), "the novels: files, or folders of them", {
  operand: "FILE|FOLDER...",
});
const chapters = whole(10, "consecutive chapters per novel");
const minimumWorks = whole(1, "leave out authors with fewer works");
const anchors = (description: string) => field(z.string().exactOptional(), description, { value: "FOLDER" });
const checkRepeats = (maximum?: number) => whole(11, "how many times each of them is scored", 2, maximum);
const description = (text: string) => field(z.string().default(""), text, { value: "TEXT" });
const prompts = field(
  z.string().exactOptional(),
  "prompts of your own, LANGUAGE/NAME.md: this is how another language is added",
  { value: "FOLDER" },
);
const preset = field(
  z.enum(["paper"]).exactOptional(),
  "paper: the judges give whole scores, as WebNovelBench asks for them",
  { value: "paper" },
);
const rubric = field(
  z.string().exactOptional(),
  "the dimensions a language model scores; by default those in the language of the novels",
  { value: "NAME|FILE" },
);
const population = (text: string) => field(z.string().exactOptional(), text, { value: "NAME|FILE" });

/** Who scores. */
const scoring = {
  judge: field(z.string().default(GRADER), "who scores: the grader, or a language model", { value: "NAME" }),
  panel: field(z.array(z.string()).exactOptional(), "several judges score together, each counted the same", {
    value: "J1,J2",
  }),
};

const writing = {
  maxTokens: whole(4096, "tokens a chapter may have", 16),
  temperature: field(z.number().min(0).max(2).default(0.6), "the writer's temperature", { value: "T" }),
  words: whole(1000, "about how long a chapter should be", 50),
};

const PANEL_OR_JUDGE = {
  fields: ["judge"],
  when: ({ said }: { said(option: string): boolean }) => said("panel"),
  sentence: "{panel} names all the judges: leave {judge} out.",
};

const RUBRIC_OF_MODELS = "{rubric} is for judges that are language models: name one.";

/** The judges by name. Of those that ship with Fabula only the grader has criteria to score chapters by. */
function scorersNamed({ judge = GRADER, panel }: { readonly judge?: string; readonly panel?: readonly string[] }) {
  return [...new Set(panel ?? [judge])].map((name) => {
    if (name === GRADER || !isEmbedded({ judge: name })) return name;
    throw new FabulaError(
      "E_JUDGE_UNKNOWN",
      `The benchmark scores criteria, and the ${name} has none: use --judge grader or a language model.`,
    );
  });
}

const asksModels = (judges: readonly string[]) => !isEmbedded({ panel: judges });

/** The files that are named: each by itself, joined by commas, or as a quoted glob. */
async function filesNamed(values: readonly string[]): Promise<string[]> {
  const { glob } = await import("tinyglobby");
  const files: string[] = [];
  for (const value of values) {
    const isFile = await stat(value).then(
      () => true,
      () => false,
    );
    for (const name of isFile ? [value] : value.split(",").flatMap((part) => part.trim() || [])) {
      const found =
        isFile || !/[*?[{]/.test(name)
          ? [name]
          : await glob(name, { onlyFiles: true, expandDirectories: false, absolute: false });
      if (found.length === 0) throw new FabulaError("E_FILE_READ", `No file matches ${name}: check the pattern.`);
      files.push(...found.sort());
    }
  }
  return files;
}

/** Workers of a shared store have the prompts that ship: with others the work is done here. */
function sharing(services: TaskServices, own: string | undefined): TaskServices {
  if (own === undefined || !services.workers) return services;
  if (services.workers.detach)
    throw new FabulaError("E_USAGE", "Workers have only the prompts that ship with Fabula: leave --detach out.");
  const { workers, ...here } = services;
  return here;
}

export const benchPrepareTask = defineTask({
  name: "bench prepare",
  summary:
    "Prepare a benchmark from a corpus: remove near-duplicates, take ten consecutive chapters of each novel, and give a reason for every exclusion.",
  input: z.strictObject({
    corpus,
    out: field(z.string(), "the benchmark's folder", { value: "FOLDER" }),
    chapters,
    minimumWorks,
    similarity: field(
      z.number().min(0.5).max(1).default(0.9),
      "the similarity above which two texts count as the same",
      {
        value: "SHARE",
      },
    ),
    list: field(
      z.string().exactOptional(),
      "a CSV or TSV with a heading: file (or title), and genre, year or author of each novel",
      { value: "FILE" },
    ),
    seed: seed("the random seed for the choice of chapters"),
  }),
  async run({ corpus: named, out, list, ...options }, { onProgress, signal }) {
    const { corpusFiles } = await import("./corpus.ts");
    const { readNovelList } = await import("./folder.ts");
    const { prepareBench } = await import("./prepare.ts");
    return prepareBench({
      ...options,
      files: await corpusFiles(named),
      folder: out,
      ...(list !== undefined && { list: await readNovelList(list) }),
      onProgress,
      signal,
    });
  },
  output: {
    kind: "bench-chapters",
    body: ({ novels, chapters: chosen, languages, excluded, warnings }) => ({
      ...{ novels, chapters: chosen, languages, excluded, warnings },
    }),
  },
});

export const benchSynopsisTask = defineTask({
  name: "bench synopsis",
  summary: "Retell every chosen chapter as a synopsis, and measure and limit how much of the original wording leaks.",
  input: z.strictObject({
    folder: folder(),
    model: field(z.string(), "the model that retells", { value: "MODEL" }),
    leakLimit: field(z.number().min(0).max(1).default(0.1), "largest share copied word for word", { value: "SHARE" }),
    attempts: whole(3, "attempts per chapter", 1, 10),
    prompts,
    ...spending,
  }),
  async run({ folder: bench, model, leakLimit, attempts, prompts: own, ...asked }, services) {
    const { makeSynopses } = await import("./synopses/make-synopses.ts");
    const { inRun } = await import("../../runner/open-run.ts");
    const source = await promptsFrom(own);
    const { onProgress, signal } = services;
    const outcome = await inRun(runSettingsOf(asked, services.host), runServicesOf(services), (run) =>
      makeSynopses(run, { folder: bench, model, leakLimit, attempts, prompts: source, onProgress, signal }),
    );
    const failed = outcome.result.filter((row) => row.synopsis === null);
    const worstLeak = Math.max(0, ...outcome.result.flatMap((row) => row.leak ?? []));
    return fromModels({ ...outcome, result: { chapters: outcome.result.length, failed, worstLeak } });
  },
  output: {
    kind: "bench-synopses",
    body: ({ result, run }) => ({ ...result, failed: result.failed.length, run: run?.id }),
  },
});

/** What a benchmark's populations are made of: one of each judge, and with several the panel's last. */
export interface Built {
  readonly built: readonly BuiltPopulation[];
  readonly document: object;
}

async function withDocument(built: readonly BuiltPopulation[]): Promise<Built> {
  const { builtSummary } = await import("../../report/bench/built-population.ts");
  const [last, ...others] = built.toReversed().map(builtSummary);
  return { built, document: { ...last, ...(others.length > 0 && { judges: others.toReversed() }) } };
}

const named = {
  id: field(z.string().exactOptional(), "the population's name; the folder's by default", { value: "NAME" }),
  description: description("what kind of novels they are, for reports"),
};

export const benchBuildTask = defineTask({
  name: "bench build",
  summary: "Score the chosen chapters and make a reference population that texts can be placed on.",
  input: z.strictObject({
    folder: folder("[FOLDER]"),
    ...scoring,
    ...group(WITH_MODELS, { rubric, prompts }),
    preset,
    anchors: anchors("a prepared folder of classics, expected to score above the others; shown in reports"),
    repeats: whole(1, "scores per chapter, averaged", 1, 100),
    checkRepeats: checkRepeats(100),
    checkTexts: field(
      z.number().int().min(0).max(10_000).exactOptional(),
      `texts scored repeatedly to measure how consistent a judge is [${CHECKED_TEXTS}; 0 for grader, whose scores never vary]`,
      { value: "N" },
    ),
    ...named,
    ...judgeRunFields,
  }),
  rules: [PANEL_OR_JUDGE],
  async run({ folder: bench, prompts: own, ...input }, services): Promise<Asked<Built> | null> {
    const judges = scorersNamed(input);
    const models = asksModels(judges);
    if (judges.some(isOfTheJury)) {
      const { refuseForeignFolder } = await import("./english-only.ts");
      await refuseForeignFolder(bench);
    }
    if (input.dryRun && !models) {
      const { chosenChapters } = await import("./writers.ts");
      return wouldDo(`score the ${countOf((await chosenChapters(bench)).total, "chapter")} of ${bench}`);
    }
    const { buildPopulations } = await import("./build.ts");
    const { defaultRubric } = await import("./folder.ts");
    const { inRunIfNeeded, scorerNamed } = await import("./scorer.ts");
    const { piecesOfChapters, replayingScorer } = await import("../jobs/bench.ts");
    const { rubricText } = await import("../../criteria/load-rubric.ts");
    const { signal, onProgress } = services;
    const wholeNumbers = input.preset === "paper";
    const dimensions = input.rubric ?? (await defaultRubric(bench));
    const asked = { rubric: dimensions, prompts: await promptsFrom(own), wholeNumbers };
    const check = { texts: input.checkTexts ?? (models ? CHECKED_TEXTS : 0), repeats: input.checkRepeats };
    const classics = input.anchors ?? null;
    const outcome = await runHereOrShared(
      models ? runSettingsOf(input, services.host) : settingsWithoutModels(input, services),
      sharing(services, own),
      async () => ({
        kind: "score-chapters",
        options: { judges, rubric: dimensions, wholeNumbers, rubricText: await rubricText(dimensions) },
        models: judges.filter((judge) => judge !== GRADER),
        pieces: piecesOfChapters({ folder: bench, anchors: classics, repeats: input.repeats, check }),
      }),
      (settings, shared) =>
        inRunIfNeeded(models, settings, runServicesOf(services), async (opened) => {
          const scorers = await Promise.all(judges.map((judge) => scorerNamed(judge, asked, opened)));
          const answering = shared && !models ? [await replayingScorer(scorers[0]!, shared.results())] : scorers;
          return buildPopulations(answering, {
            folder: bench,
            id: input.id ?? bench.replace(/\/+$/, ""),
            description: input.description,
            repeats: input.repeats,
            check,
            anchors: classics,
            concurrency: opened?.concurrency ?? 1,
            dryRun: opened?.dryRun ?? false,
            onProgress,
            signal,
          });
        }),
    );
    if (!outcome) return null;
    const { result, plan = null, run = null } = outcome;
    return { result: plan ? (null as never) : await withDocument(result), plan, run, wouldDo: null };
  },
  output: { kind: "bench-population", body: (asked) => asked!.result.document },
});

/** A population from scores alone: nothing is judged, and nothing but the scores is known of the texts. */
export const benchBuildScoresTask = defineTask({
  name: "bench build",
  summary: "Make a reference population from scores alone, such as published ones.",
  input: z.strictObject({
    scores: field(
      z.array(z.string()).min(1),
      "build from scores alone, such as published ones, instead of a folder; needs {rubric} and {out}",
      { value: "FILE", repeats: true },
    ),
    out: field(z.string(), "where the population built from {scores} is written", { value: "FILE" }),
    rubric: field(
      z.string(),
      "the dimensions a language model scores; by default those in the language of the novels",
      {
        value: "NAME|FILE",
      },
    ),
    ...named,
  }),
  async run({ scores, out, rubric: given, id, description: about }) {
    const { writeWholeFile } = await import("../../core/files.ts");
    const { loadRubric } = await import("../../criteria/load-rubric.ts");
    const { populationFromScores, publishedScores } = await import("./population.ts");
    const { chapters: scored, made } = await publishedScores(await filesNamed(scores), await loadRubric(given));
    const { population: built, excluded } = populationFromScores(scored, {
      id: id ?? "published scores",
      description: about,
      ...made,
    });
    await writeWholeFile(out, `${JSON.stringify(built)}\n`);
    return withDocument([{ population: built, excluded, unscored: 0, file: out }]);
  },
  output: { kind: "bench-population", body: ({ document }) => document },
});

export type Written = WriterRun & { readonly writer: string };

export interface WrittenBy {
  readonly writers: readonly Written[];
  readonly population: ReferencePopulation;
  /** Whether nobody but the grader judged. */
  readonly byGrader: boolean;
}

/** The writer's level according to each judge, when there are several. */
export function levelsByJudge({ byJudge }: WriterRun) {
  return byJudge.flatMap(({ judge, board }) =>
    board.rows.map((row) => ({ judge, level: row.level, interval: row.interval })),
  );
}

export const benchRunTask = defineTask({
  name: "bench run",
  summary: "Have a writer model expand sampled synopses, score what it wrote, and place it among the population.",
  input: z.strictObject({
    folder: folder(),
    writer: field(z.array(z.string().min(1)).min(1), "the model that writes; M1,M2 for several", {
      value: "MODEL",
      repeats: true,
    }),
    ...scoring,
    ...group({ ...WITH_MODELS, refused: { ...WITH_MODELS.refused!, sentence: RUBRIC_OF_MODELS } }, { rubric }),
    prompts,
    population: population("the population; the folder's own by default"),
    novels: whole(100, "novels to write, one per part of the population"),
    repeats: whole(1, "scores per chapter, averaged; as the population was built", 1, 100),
    ...writing,
    seed: seed("the random seed for the choice of novels and the intervals"),
    ...spending,
  }),
  rules: [PANEL_OR_JUDGE],
  async run({ folder: bench, prompts: own, ...input }, services): Promise<Asked<WrittenBy> | null> {
    const { populationOfFolder } = await import("./folder.ts");
    const { runWriter } = await import("./run.ts");
    const { hasWholeScores } = await import("./scorer.ts");
    const { piecesOfWriting } = await import("../jobs/bench.ts");
    const { rubricText } = await import("../../criteria/load-rubric.ts");
    const { inRun } = await import("../../runner/open-run.ts");
    const writers = [
      ...new Set(input.writer.flatMap((names) => names.split(",").flatMap((name) => name.trim() || []))),
    ];
    const judges = scorersNamed(input);
    const found = await populationOfFolder(bench, judges, input);
    const { temperature, words, repeats, novels } = input;
    const work = { judges, rubric: found.rubric, repeats, maximumTokens: input.maxTokens, temperature, words };
    const sample = { novels, population: found.population, seed: input.seed };
    const source = await promptsFrom(own);
    const settings = runSettingsOf(input, services.host);
    const shared = sharing(services, own);
    const writer = writers[0]!;
    if (writers.length > 1 && sharesWork(settings, shared)) {
      throw new FabulaError(
        "E_USAGE",
        "Workers of a shared store take one --writer at a time: give one, or add --local.",
      );
    }
    const outcome = await runHereOrShared(
      settings,
      shared,
      async () => ({
        kind: "write-chapters",
        options: {
          ...work,
          writer,
          wholeNumbers: hasWholeScores(found.population),
          rubricText: await rubricText(found.rubric),
        },
        models: [writer, ...judges.filter((judge) => judge !== GRADER)],
        pieces: piecesOfWriting(bench, sample),
      }),
      (opened) =>
        inRun(opened, runServicesOf(services), async (run) => {
          const { onProgress, signal } = services;
          const asked = { ...work, ...sample, prompts: source, folder: bench, onProgress, signal };
          const runs: Written[] = [];
          for (const name of writers)
            runs.push({ writer: name, ...(await runWriter(run, { ...asked, writer: name })) });
          return { writers: runs, population: found.population, byGrader: !asksModels(judges) };
        }),
    );
    return outcome && fromModels(outcome);
  },
  output: {
    kind: "bench-writers",
    body: (asked) => {
      const documents = asked!.result.writers.map((written) => writerDocument(written, asked!.run?.id ?? null));
      return documents.length === 1 ? documents[0]! : { writers: documents };
    },
  },
});

function writerDocument(result: Written, run: string | null): object {
  const { writer, name, level, unwritten, unscored, rates, scores } = result;
  const judges = levelsByJudge(result);
  return {
    writer,
    ...(name !== writer && { name }),
    ...{ level, unwritten, unscored, rates, scores: scores[0], run },
    ...(judges.length > 0 && { judges, scoreFiles: scores }),
  };
}

export interface PlacedTexts {
  readonly texts: number;
  readonly unscored: number;
  readonly out: string;
  readonly byGrader: boolean;
}

export const benchPlaceTask = defineTask({
  name: "bench place",
  summary:
    "Place a chapter among single chapters, or a book among novels, of a reference population: any format that `fabula read` reads, or a JSONL of texts.",
  input: z.strictObject({
    files: field(z.array(z.string()).default([]), "the texts", { operand: "[FILE...]" }),
    population: field(z.string().default(NOVELS), "the population to place them on: the one that ships, or your own", {
      value: "NAME|FILE",
    }),
    in: field(z.string().exactOptional(), "texts as JSONL lines of id and text; - is stdin", { value: "FILE" }),
    out: field(z.string().default("-"), "a line per text; - is stdout", { value: "FILE" }),
    ...scoring,
    rubric,
    prompts,
    ...spending,
  }),
  rules: [
    PANEL_OR_JUDGE,
    {
      // A population of a panel names its own judges, which may be language models.
      fields: ["rubric", "prompts", "resume", "maxCost", "refresh", "batch"].concat(
        "concurrency requestsPerMinute tokensPerMinute prices".split(" "),
      ),
      when: ({ input, said }) => isEmbedded(input) && !said("population"),
      sentence: WITH_MODELS.refused!.sentence,
    },
  ],
  async run({ files, in: lines, out, ...input }, services): Promise<Asked<PlacedTexts>> {
    if (files.length === 0 && lines === undefined)
      throw new FabulaError("E_USAGE", "Give a text, or texts with --in FILE.");
    const { loadPopulation } = await import("../../bench/population/reference-population.ts");
    const { writeJsonLines } = await import("../../core/json-lines.ts");
    const { eachBounded } = await import("../../runner/map-bounded.ts");
    const { rubricOf } = await import("./folder.ts");
    const { notPlaced, textPlacer, whyNotPlaced } = await import("./place.ts");
    const { hasWholeScores, inRunIfNeeded, scorerNamed } = await import("./scorer.ts");
    const { signal, onProgress } = services;
    const among = await loadPopulation(input.population);
    // A population of a panel names its judges; there is nothing to choose.
    const judges = among.panel?.map(({ judge }) => judge.id) ?? scorersNamed(input);
    const models = asksModels(judges);
    if (input.dryRun && !models)
      return wouldDo(`place the texts of ${[...files, ...(lines === undefined ? [] : [lines])].join(", ")}`);
    const asked = {
      rubric: input.rubric ?? rubricOf(among),
      prompts: await promptsFrom(input.prompts),
      wholeNumbers: hasWholeScores(among),
    };
    const isOnlyOne = files.length === 1 && lines === undefined;
    let done = 0;
    let unscored = 0;
    const outcome = await inRunIfNeeded(
      models,
      runSettingsOf(input, services.host),
      runServicesOf(services),
      async (run) => {
        const place = textPlacer(await Promise.all(judges.map((judge) => scorerNamed(judge, asked, run))), among);
        async function* placed(): AsyncGenerator<PlacedText> {
          const items = textsToPlace(files, lines, (warning) => services.onNote?.(warning));
          for await (const [, text] of eachBounded(items, run?.concurrency ?? 1, async ({ id, chapters: texts }) => {
            const reason = whyNotPlaced(texts, among);
            if (reason === null) return place(id, texts, signal);
            if (isOnlyOne) throw new FabulaError("E_TEXT_PLACE", `${id} cannot be placed: ${reason}.`);
            return notPlaced(id, texts, reason, among);
          })) {
            if (text.percentile.kind === "unscored") unscored++;
            onProgress({ stage: "Placing", done: ++done, total: null });
            yield text;
          }
        }
        if (run?.dryRun) for await (const _ of placed());
        else await writeJsonLines(out, placed());
      },
    );
    const { plan = null, run = null } = outcome;
    return { result: { texts: done, unscored, out, byGrader: !models }, plan, run, wouldDo: null };
  },
  output: {
    kind: "placed-texts",
    body: ({ result: { texts, unscored, out }, run }) => ({ texts, unscored, out, ...(run && { run: run.id }) }),
  },
});

async function* textsToPlace(
  files: readonly string[],
  lines: string | undefined,
  onWarning: (warning: string) => void,
): AsyncGenerator<{ readonly id: string; readonly chapters: readonly string[] }> {
  const { jsonLines } = await import("../../core/json-lines.ts");
  const { readBook } = await import("../../text/read-book.ts");
  for (const file of files) {
    const book = await readBook(file);
    for (const warning of book.warnings) onWarning(`${file}: ${warning}`);
    // As the novels of a population: consecutive chapters, from the middle of the book.
    const first = Math.max(0, Math.floor((book.chapters.length - PLACED_CHAPTERS) / 2));
    const chosen = book.chapters.slice(first, first + PLACED_CHAPTERS).map(({ text }) => text);
    if (chosen.length < book.chapters.length)
      onWarning(`${file}: ${chosen.length} consecutive chapters of ${book.chapters.length} are scored.`);
    yield { id: file, chapters: chosen };
  }
  const item = z.looseObject({ id: z.union([z.string(), z.number()]).transform(String), text: z.string() });
  if (lines !== undefined) for await (const { id, text } of jsonLines(lines, item)) yield { id, chapters: [text] };
}

export interface Ranking {
  readonly benchmark: WriterBenchmark;
  /** The names of the dimensions, for reports. */
  readonly names: ReadonlyMap<string, string>;
  readonly document: object;
}

const USUAL_RUBRIC = "novel-bench-en";

export const benchReportTask = defineTask({
  name: "bench report",
  summary: "Rank writers from scores of their chapters, with intervals and validity checks.",
  input: z.strictObject({
    scores: field(z.array(z.string()).min(1), "scores as others publish them; the same as naming the files", {
      value: "FILE",
      repeats: true,
      operand: "[SCORES.jsonl...]",
    }),
    rubric: field(
      z.string().exactOptional(),
      `the rubric the scores were given by; by default the population's, or ${USUAL_RUBRIC} without one`,
      { value: "NAME|FILE" },
    ),
    population: population(
      "the population to place them on; for the grader's scores the one that ships, else the stories themselves",
    ),
    second: field(
      z.array(z.string()).exactOptional(),
      "a second judge's scores of the same stories: FILE1,FILE2 or a quoted glob; may be given again",
      { value: "FILE", repeats: true },
    ),
    secondRubric: field(z.string().exactOptional(), "its rubric, if it is a different one", { value: "NAME|FILE" }),
    secondPopulation: field(z.string().exactOptional(), "its population", { value: "FILE" }),
    seed: seed("the random seed for the intervals"),
  }),
  async run({ scores, seed: drawn, ...input }): Promise<Ranking> {
    const { loadPopulation } = await import("../../bench/population/reference-population.ts");
    const { dimensionNames } = await import("./dimension-names.ts");
    const { rubricOf } = await import("./folder.ts");
    const { rankScoredWriters } = await import("./population.ts");
    const { leaderboardDocument } = await import("../../report/bench/benchmark-table.ts");
    const rubricIn = async (file: string | undefined) =>
      file === undefined ? null : rubricOf(await loadPopulation(file));
    const used = input.rubric ?? (await rubricIn(input.population)) ?? USUAL_RUBRIC;
    const benchmark = await rankScoredWriters({
      scores: await filesNamed(scores),
      rubric: used,
      // Scores by the judge that ships are placed on the population that ships.
      population: input.population ?? (used === GRADER ? NOVELS : null),
      second:
        input.second === undefined
          ? null
          : {
              scores: await filesNamed(input.second),
              rubric: input.secondRubric ?? (await rubricIn(input.secondPopulation)) ?? used,
              population: input.secondPopulation ?? null,
            },
      seed: drawn,
    });
    const names = await dimensionNames(benchmark.population, used);
    return { benchmark, names, document: leaderboardDocument(benchmark) };
  },
  output: { kind: "leaderboard", body: ({ document }) => document },
});

export interface MadeSite {
  readonly site: string;
  readonly folder: string;
  readonly data: SiteData;
  /** Chapters that are missing or unscored. */
  readonly gaps: number;
}

export const benchLeaderboardTask = defineTask({
  name: "bench leaderboard",
  summary:
    "Make a leaderboard you can publish, in one command: prepare the novels, build the population, have every writer write, and write a static site.",
  input: z.strictObject({
    corpus,
    writers: field(
      z.string(),
      'one model per line, followed by cutoff=2024, name="…", maker="…" and released=2025-03 where they are known',
      {
        value: "FILE",
      },
    ),
    judges: field(z.array(z.string()).default([GRADER]), "who scores; several form a panel", { value: "J1,J2" }),
    out: field(z.string(), "where the site is written", { value: "FOLDER" }),
    bench: field(z.string().exactOptional(), "where the benchmark is kept between runs [OUT.bench]", {
      value: "FOLDER",
    }),
    synopses: field(z.string().exactOptional(), "who retells the chapters [the first judge that is a model]", {
      value: "MODEL",
    }),
    rubric,
    prompts,
    preset,
    title: field(z.string().exactOptional(), "the site's title", { value: "TEXT" }),
    description: description("what kind of novels they are"),
    anchors: anchors("a prepared folder of classics, expected to score above the others"),
    list: field(z.string().exactOptional(), "a CSV or TSV of the novels' genre, year and author", { value: "FILE" }),
    chapters,
    novels: whole(100, "novels each writer writes"),
    minimumWorks,
    repeats: whole(1, "scores per chapter, averaged"),
    checkTexts: whole(CHECKED_TEXTS, "texts scored repeatedly to measure how consistent a judge is", 0),
    checkRepeats: checkRepeats(),
    maxTokens: writing.maxTokens,
    temperature: field(writing.temperature, "the writers' temperature", { value: "T" }),
    words: writing.words,
    renamed: field(
      z.boolean().default(false),
      "also have them write with the names changed, to see how much remembering a novel helps",
    ),
    probe: field(z.boolean().default(false), "also ask the writers which of the novels they recognise"),
    seed: seed("the random seed for every choice and interval"),
    ...spending,
  }),
  rules: [
    {
      fields: ["rubric"],
      when: ({ input }) => !asksModels(input.judges),
      sentence: RUBRIC_OF_MODELS,
    },
  ],
  async run(input, services): Promise<Asked<MadeSite>> {
    const { readWriterList } = await import("./leaderboard/writer-list.ts");
    const site = input.out.replace(/\/+$/, "");
    const writers = await readWriterList(input.writers);
    const judges = scorersNamed({ panel: input.judges });
    const synopsisModel = input.synopses ?? judges.find((judge) => judge !== GRADER);
    if (synopsisModel === undefined) {
      throw new FabulaError("E_USAGE", "The embedded grader cannot retell a chapter: name a model with --synopses.");
    }
    const { readNovelList } = await import("./folder.ts");
    const { makeLeaderboard } = await import("./leaderboard/make-leaderboard.ts");
    const { inRun } = await import("../../runner/open-run.ts");
    const { chapters: perNovel, novels, repeats, temperature, words, renamed, probe, seed: drawn } = input;
    const { onProgress, signal } = services;
    const onNote = (note: string) => services.onNote?.(note);
    const options = {
      corpus: input.corpus,
      folder: input.bench ?? `${site}.bench`,
      ...{ writers, judges, synopsisModel, novels, repeats, temperature, words, renamed, probe },
      rubric: input.rubric,
      prompts: await promptsFrom(input.prompts),
      wholeNumbers: input.preset === "paper",
      chapters: perNovel,
      minimumWorks: input.minimumWorks,
      similarity: 0.9,
      list: input.list === undefined ? null : await readNovelList(input.list),
      anchors: input.anchors ?? null,
      check: { texts: input.checkTexts, repeats: input.checkRepeats },
      maximumTokens: input.maxTokens,
      description: input.description,
      seed: drawn,
      ...{ onNote, onProgress, signal },
    };
    const settings = runSettingsOf(input, services.host);
    const outcome = await inRun(settings, runServicesOf(services), (run) => makeLeaderboard(run, options));
    const { result: made } = outcome;
    if (outcome.plan || !made) {
      await notePower(options.folder, writers.length, onNote);
      return { ...fromModels(outcome), result: null as never };
    }
    const { collectSite } = await import("./leaderboard/collect-site.ts");
    const { writeSite } = await import("./leaderboard/write-site.ts");
    const isChinese = made.populations.at(-1)?.language === "zh";
    const data = await collectSite(made, {
      ...options,
      title: input.title ?? (isChinese ? "小说写作排行榜" : "Novelists among human novels"),
      date: new Date().toISOString().slice(0, 10),
      prices: await loadPrices(settings.prices, settings.connections.judges),
    });
    await writeSite(site, data, made, { ...options, keepsFindings: true });
    const gaps = made.runs.reduce((sum, { unwritten, unscored }) => sum + unwritten + unscored, 0);
    return fromModels({ ...outcome, result: { site, folder: options.folder, data, gaps } });
  },
  output: {
    kind: "leaderboard-site",
    body: ({ result: { site, folder: bench, data, gaps }, run }) => ({
      ...{ site, folder: bench, writers: data.benchmark.board.rows, unplaced: data.benchmark.board.unplaced, gaps },
      run: run?.id,
    }),
  },
});

/** Before more is paid for: what the novels written so far say about how many are needed. */
async function notePower(bench: string, writers: number, onNote: (note: string) => void): Promise<void> {
  const { folderLanguage } = await import("../../bench/bench-folder.ts");
  const { powerInWords } = await import("../../bench/validity.ts");
  const { powerOfPilot } = await import("./leaderboard/power-of-pilot.ts");
  const power = await powerOfPilot(bench, writers, onNote);
  if (power) onNote(powerInWords(power, (await folderLanguage(bench)) ?? undefined));
}
