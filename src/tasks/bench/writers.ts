import { z } from "zod";
import type { WriterBenchmark } from "../../bench/benchmark-writers.ts";
import type { ReferencePopulation } from "../../bench/population/reference-population.ts";
import { FabulaError } from "../../core/errors.ts";
import { type Asked, askedBody, fromModels, planWithoutModels } from "../define/asked.ts";
import { isEmbedded, WITH_MODELS } from "../define/judge-fields.ts";
import { runServicesOf, runSettingsOf, seed, spending } from "../define/shared-fields.ts";
import { runHereOrShared, sharesWork } from "../define/shared-work.ts";
import { defineTask, field, group } from "../define/task.ts";
import {
  asksModels,
  filesNamed,
  folder,
  GRADER,
  names,
  PANEL_OR_JUDGE,
  population,
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
import type { PlacedText } from "./place.ts";
import type { WriterRun } from "./run.ts";
import type { DuelResult } from "./run-duels.ts";
import type { BookResult } from "./write-books.ts";

/** Tasks about writers: they write, and are placed, compared, ranked and followed over whole books. */

const NOVELS = "english-classics";
/** As many chapters of a text are judged as a population's novels have. */
const PLACED_CHAPTERS = 10;

export type Written = WriterRun & { readonly writer: string };

export interface WrittenBy {
  readonly writers: readonly Written[];
  readonly population: ReferencePopulation;
  /** Whether only the grader judged. */
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
    const { assertBuiltBy, hasWholeScores } = await import("./scorer.ts");
    const { piecesOfWriting, writtenByWorkers } = await import("../jobs/bench.ts");
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
    const wholeNumbers = hasWholeScores(found.population);
    const judging = { rubric: found.rubric, prompts: source, wholeNumbers };
    const { connections } = settings;
    await assertBuiltBy(found.population, judges, judging, { connections, isRepeated: repeats > 1 });
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
          wholeNumbers,
          rubricText: await rubricText(found.rubric),
        },
        models: [writer, ...judges.filter((judge) => judge !== GRADER)],
        pieces: piecesOfWriting(bench, sample),
      }),
      (opened, byWorkers) =>
        inRun(opened, runServicesOf(services), async (run) => {
          const { onProgress, signal } = services;
          const made = byWorkers ? await writtenByWorkers(byWorkers.results) : null;
          const asked = { ...work, ...sample, made, prompts: source, folder: bench, onProgress, signal };
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
    // The population of a panel names its judges, so there is nothing to choose.
    const judges = among.panel?.map(({ judge }) => judge.id) ?? scorersNamed(input);
    const models = asksModels(judges);
    if (input.dryRun && !models)
      return planWithoutModels(`place the texts of ${[...files, ...(lines === undefined ? [] : [lines])].join(", ")}`);
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
    return { result: { texts: done, unscored, out, byGrader: !models }, plan, run, plannedWork: null };
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
    // As for a population's novels, consecutive chapters from the middle of the book.
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
    const { rubricOf } = await import("./folder.ts");
    const { dimensionNames, rankScoredWriters } = await import("./population.ts");
    const { leaderboardDocument } = await import("../../report/bench/benchmark-table.ts");
    const rubricIn = async (file: string | undefined) =>
      file === undefined ? null : rubricOf(await loadPopulation(file));
    const used = input.rubric ?? (await rubricIn(input.population)) ?? USUAL_RUBRIC;
    const benchmark = await rankScoredWriters({
      scores: await filesNamed(scores),
      rubric: used,
      // Scores by the embedded grader are placed on the population that ships.
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

const writers = field(z.array(z.string().min(1)).min(1), "the models that write", { value: "A,B" });

export const benchBookTask = defineTask({
  name: "bench book",
  summary:
    "Have writers plan and write whole books, each chapter seeing what came before, and follow quality, repetition and continuity over the length.",
  input: z.strictObject({
    folder: folder("FOLDER", "a benchmark's folder with synopses, frozen or not"),
    writer: writers,
    judge: field(writers, "who scores every chapter and the whole: the grader, or language models", { value: "A,B" }),
    closely: field(z.string().exactOptional(), "a model that also reads every book closely, for its findings", {
      value: "MODEL",
    }),
    novels: whole(3, "books each writer writes"),
    chapters: whole(10, "chapters of a book", 3),
    context: whole(
      6000,
      "words of earlier chapters that a writer sees in full; older chapters as its own summaries",
      0,
    ),
    ...writing,
    rubric: field(rubric, "what is scored [the rubric of the benchmark]", { value: "NAME|FILE" }),
    prompts,
    seed: seed("the random seed for the choice of novels"),
    ...spending,
  }),
  async run(input, services): Promise<Asked<BookResult>> {
    const { runBooks } = await import("./write-books.ts");
    const { inRun } = await import("../../runner/open-run.ts");
    const { checkClosely } = await import("../books/check-books.ts");
    const { readingOptions } = await import("../books/read-story.ts");
    const { signal, onProgress } = services;
    const { closely, chapters, context, words, temperature, novels } = input;
    const outcome = await inRun(runSettingsOf(input, services.host), runServicesOf(services), async (run) => {
      const reader = closely === undefined ? null : await run.model(closely);
      return runBooks(run, {
        folder: input.folder,
        writers: [...new Set(input.writer)],
        judges: [...new Set(input.judge)],
        rubric: input.rubric ?? null,
        ...{ novels, chapters, context, words, temperature, seed: input.seed, maximumTokens: input.maxTokens },
        prompts: await promptsFrom(input.prompts),
        readClosely:
          reader &&
          (async (book) => {
            const options = readingOptions(book, { model: reader, temperature: 0, depth: "quick", onProgress });
            const { findings } = await checkClosely(book, options, signal);
            return findings.filter(({ origin }) => origin === "read");
          }),
        ...{ onProgress, signal },
      });
    });
    return fromModels(outcome);
  },
  output: { kind: "books-over-length", body: askedBody },
});

export const benchDuelTask = defineTask({
  name: "bench duel",
  summary:
    "Compare writers head to head on the same synopses, in both orders and with the human original among them, and rank them. Scores tell writers apart with fewer calls.",
  input: z.strictObject({
    folder: folder("FOLDER", "a benchmark's folder with texts of at least two writers, frozen or not"),
    judge: names("the judges who compare; without any, only existing answers and votes count"),
    writer: names("only these writers [all, and the human original]"),
    meetings: field(
      z.number().int().min(1).exactOptional(),
      "meetings of two writers in all, two calls each [10 per contestant]",
      {
        value: "N",
      },
    ),
    originals: field(
      z.string().exactOptional(),
      "the prepared folder with the originals' texts, where the benchmark does not have them",
      { value: "FOLDER" },
    ),
    votes: field(
      z.string().exactOptional(),
      "people's blind votes, besides those that the web app has stored in the folder",
      { value: "FILE.jsonl" },
    ),
    rubric: field(rubric, "what the judges compare by [the rubric of the benchmark]", { value: "NAME|FILE" }),
    prompts,
    seed: seed("the random seed for who is compared first"),
    ...spending,
  }),
  async run(input, services): Promise<Asked<DuelResult>> {
    const { runDuels } = await import("./run-duels.ts");
    const { inRun } = await import("../../runner/open-run.ts");
    const outcome = await inRun(runSettingsOf(input, services.host), runServicesOf(services), async (run) =>
      runDuels(run, {
        folder: input.folder,
        judges: [...new Set(input.judge ?? [])],
        writers: input.writer ?? [],
        meetings: input.meetings ?? null,
        originals: input.originals ?? null,
        votes: input.votes ?? null,
        rubric: input.rubric ?? null,
        prompts: await promptsFrom(input.prompts),
        seed: input.seed,
        onProgress: services.onProgress,
        signal: services.signal,
      }),
    );
    return fromModels(outcome);
  },
  output: { kind: "head-to-head", body: askedBody },
});
