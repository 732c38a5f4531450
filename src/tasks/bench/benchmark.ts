import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { countOf } from "../../core/wording.ts";
import { isOfTheJury } from "../../jury/juror.ts";
import { loadPrices } from "../../models/prices.ts";
import type { SiteData } from "../../report/bench/site/site-data.ts";
import { type Asked, fromModels, planWithoutModels } from "../define/asked.ts";
import { judgeRunFields, WITH_MODELS } from "../define/judge-fields.ts";
import { runServicesOf, runSettingsOf, seed, spending } from "../define/shared-fields.ts";
import { runHereOrShared, settingsWithoutModels } from "../define/shared-work.ts";
import { defineTask, field, group } from "../define/task.ts";
import type { BuiltPopulation } from "./build.ts";
import {
  asksModels,
  checkRepeats,
  filesNamed,
  folder,
  GRADER,
  PANEL_OR_JUDGE,
  prompts,
  promptsFrom,
  RUBRIC_OF_MODELS,
  rubric,
  scorersNamed,
  scoring,
  sharing,
  whole,
  writing,
} from "./fields.ts";

/** Tasks that build the novelist benchmark: from novels to a population and a leaderboard. */

/** How many texts a language model scores repeatedly by default. */
const CHECKED_TEXTS = 10;
const corpus = field(z.array(z.string()).min(1), "the novels: files, or folders of them", {
  operand: "FILE|FOLDER...",
});
const chapters = whole(10, "consecutive chapters per novel");
const minimumWorks = whole(1, "leave out authors with fewer works");
const anchors = (description: string) => field(z.string().exactOptional(), description, { value: "FOLDER" });
const description = (text: string) => field(z.string().default(""), text, { value: "TEXT" });
const preset = field(
  z.enum(["paper"]).exactOptional(),
  "paper: the judges give whole scores, as WebNovelBench asks for them",
  { value: "paper" },
);

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
    const { makeSynopses } = await import("./make-synopses.ts");
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

/** The populations that were built: one per judge; with several judges, the panel's comes last. */
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
      const { chosenChapters } = await import("./write-chapters.ts");
      return planWithoutModels(`score the ${countOf((await chosenChapters(bench)).total, "chapter")} of ${bench}`);
    }
    const { buildPopulations } = await import("./build.ts");
    const { defaultRubric } = await import("./folder.ts");
    const { inRunIfNeeded, scorerNamed } = await import("./scorer.ts");
    const { judgedChapters, piecesOfChapters, scorerOfWorkers } = await import("../jobs/bench.ts");
    const { rubricText } = await import("../../criteria/load-rubric.ts");
    const { signal, onProgress } = services;
    const wholeNumbers = input.preset === "paper";
    const dimensions = input.rubric ?? (await defaultRubric(bench));
    const asked = { rubric: dimensions, prompts: await promptsFrom(own), wholeNumbers };
    const check = { texts: input.checkTexts ?? (models ? CHECKED_TEXTS : 0), repeats: input.checkRepeats };
    const classics = input.anchors ?? null;
    const pieces = () => piecesOfChapters({ folder: bench, anchors: classics, repeats: input.repeats, check });
    const outcome = await runHereOrShared(
      models ? runSettingsOf(input, services.host) : settingsWithoutModels(input, services),
      sharing(services, own),
      async () => ({
        kind: "score-chapters",
        options: { judges, rubric: dimensions, wholeNumbers, rubricText: await rubricText(dimensions) },
        models: judges.filter((judge) => judge !== GRADER),
        pieces: pieces(),
      }),
      (settings, shared) =>
        inRunIfNeeded(models, settings, runServicesOf(services), async (opened) => {
          const scorers = await Promise.all(judges.map((judge) => scorerNamed(judge, asked, opened)));
          const answering = scorers.map((scorer) =>
            shared ? scorerOfWorkers(scorer, judgedChapters(pieces(), shared.results())) : scorer,
          );
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
    return { result: plan ? (null as never) : await withDocument(result), plan, run, plannedWork: null };
  },
  output: { kind: "bench-population", body: (asked) => asked!.result.document },
});

/** Builds a population from existing scores. Nothing is judged, so only the scores of the texts are known. */
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
      { value: "NAME|FILE" },
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

/** Tells the user, before more money is spent, how many novels are needed, judging by those written so far. */
async function notePower(bench: string, writers: number, onNote: (note: string) => void): Promise<void> {
  const { folderLanguage } = await import("../../bench/bench-folder.ts");
  const { powerInWords } = await import("../../bench/validity.ts");
  const { powerOfPilot } = await import("./standings.ts");
  const power = await powerOfPilot(bench, writers, onNote);
  if (power) onNote(powerInWords(power, (await folderLanguage(bench)) ?? undefined));
}
