import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import {
  benchFiles,
  type SynopsisRow,
  scoreRowSchema,
  synopsisRowSchema,
  type WrittenRow,
  writtenChapterSchema,
} from "../../bench/bench-folder.ts";
import type { ReferencePopulation } from "../../bench/population/reference-population.ts";
import type { ChapterOpinion, ChapterScorer } from "../../bench/scoring.ts";
import { FabulaError } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { readJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import { seededRandom } from "../../core/random.ts";
import { unscored } from "../../core/verdict.ts";
import { shippedPrompts } from "../../prompts/own-prompts.ts";
import { defineJob, type Place } from "../../queue/job.ts";
import { type PieceDraft, PieceSetAside } from "../../queue/shared-runs.ts";
import { inRun } from "../../runner/open-run.ts";
import { type RepeatCheckOptions, SampleOfTexts } from "../bench/repeats.ts";
import { inRunIfNeeded, scorerNamed } from "../bench/scorer.ts";
import { type ScoringOptions, scoreEach, type TextToScore } from "../bench/scoring.ts";
import { chosenChapters, retold, sampleNovels, writeChapters } from "../bench/write-chapters.ts";
import { batches } from "./structure-reviews.ts";

const CHAPTERS_TOGETHER = 20;

const rubricOptions = {
  rubric: z.string(),
  wholeNumbers: z.boolean().default(false),
  /** The text of the user's own rubric. */
  rubricText: z.string().nullable(),
};

async function rubricIn(
  folder: Place["folder"],
  { rubric, rubricText }: { rubric: string; rubricText: string | null },
) {
  if (rubricText === null) return rubric;
  const file = join(folder, "rubric.yaml");
  await writeFile(file, rubricText);
  return file;
}

const opinionsSchema = z.array(
  scoreRowSchema.pick({ repeat: true, scores: true }).extend({
    reasons: z.record(z.string(), z.string()).exactOptional(),
    stated: z.string().exactOptional(),
  }),
);
const judgedSchema = z.object({
  /** The hashes of the texts. */
  texts: z.array(z.string()),
  /** Each judge's scores, in the order of the texts. */
  opinions: z.record(z.string(), z.array(opinionsSchema)),
});
type Judged = z.infer<typeof judgedSchema>;

async function judged(
  texts: readonly TextToScore[],
  scorers: readonly ChapterScorer[],
  work: Omit<ScoringOptions, "total">,
): Promise<Judged> {
  const opinions: Judged["opinions"] = {};
  for (const scorer of scorers) {
    const own: Judged["opinions"][string] = [];
    opinions[scorer.id] = own;
    for await (const { rows } of scoreEach(texts, scorer, { ...work, total: texts.length }))
      own.push(opinionsSchema.parse(rows));
  }
  return { texts: texts.map(({ text }) => sha256(text)), opinions };
}

/** Scores chapters for a population. */
export const scoreChaptersJob = defineJob({
  options: z.object({ judges: z.array(z.string()), ...rubricOptions }),
  data: z.object({
    repeats: z.number().int(),
    texts: z.array(z.object({ novel: z.string(), writer: z.string(), chapter: z.number().int(), text: z.string() })),
  }),
  async perform(options, { texts, repeats }, { folder, settings, services }) {
    const { judges, wholeNumbers } = options;
    const asked = { rubric: await rubricIn(folder, options), prompts: shippedPrompts, wholeNumbers };
    const asksModels = judges.some((judge) => judge !== "grader");
    const { result } = await inRunIfNeeded(asksModels, settings, services, async (run) => {
      const scorers = await Promise.all(judges.map((judge) => scorerNamed(judge, asked, run)));
      return judged(texts, scorers, { repeats, concurrency: run?.concurrency ?? 1, signal: services.signal });
    });
    return result;
  },
});

/**
 * The chapters of the folder, the texts of the repeat check, and the anchors, in the order in which a population is
 * built from them.
 */
export async function* piecesOfChapters(work: {
  readonly folder: string;
  readonly anchors: string | null;
  readonly repeats: number;
  readonly check: RepeatCheckOptions;
}): AsyncGenerator<PieceDraft> {
  const dataOf = (repeats: number) => (batch: readonly TextToScore[]) => ({
    repeats,
    texts: batch.map(({ novel, writer, chapter, text }) => ({ novel, writer, chapter, text })),
  });
  const sample = new SampleOfTexts(work.check.texts);
  async function* offered() {
    for await (const chapter of (await chosenChapters(work.folder)).chapters) {
      sample.offer(chapter);
      yield chapter;
    }
  }
  yield* batches<TextToScore>(offered(), CHAPTERS_TOGETHER, dataOf(work.repeats), "chapters");
  yield* batches<TextToScore>(sample.texts(), 1, dataOf(Math.max(2, work.check.repeats)), "repeats of chapter");
  if (work.anchors !== null) {
    const { chapters } = await chosenChapters(work.anchors);
    yield* batches<TextToScore>(chapters, CHAPTERS_TOGETHER, dataOf(work.repeats), "anchors");
  }
}

/** The result of a piece; if it was set aside, the hashes of its texts, if they are known here. */
type JudgedPiece = Judged | { readonly texts: readonly string[]; readonly setAside: PieceSetAside };

/** The queued pieces, each with its result. */
export async function* judgedChapters(
  drafts: AsyncIterator<PieceDraft>,
  results: AsyncIterable<unknown>,
): AsyncGenerator<JudgedPiece> {
  for await (const result of results) {
    const { value, done } = await drafts.next();
    const texts = done ? [] : scoreChaptersJob.data.parse(value.data).texts.map(({ text }) => sha256(text));
    if (result instanceof PieceSetAside) {
      yield { texts, setAside: result };
      continue;
    }
    const piece = judgedSchema.parse(result);
    if (!isDeepStrictEqual(piece.texts, texts)) {
      throw new FabulaError(
        "E_BENCH_CHANGED",
        "The folder's chapters changed while workers scored them. Give the same command again: what they scored is not paid for twice.",
      );
    }
    yield piece;
  }
}

/**
 * A scorer that returns the scores of the workers' judges. It is asked for the texts roughly in their order, so only
 * pieces that were read ahead are in memory. For a piece that was set aside it asks the model itself, which finds the
 * answers already paid for and says why the rest is missing. It does not ask an embedded judge, because the text may
 * have crashed every worker: that text stays unscored, with this reason.
 */
export function scorerOfWorkers(scorer: ChapterScorer, pieces: AsyncIterable<JudgedPiece>): ChapterScorer {
  const source = pieces[Symbol.asyncIterator]();
  const ready = new Map<string, ChapterOpinion[]>();
  const setAside = new Map<string, PieceSetAside>();
  /** A piece that was set aside and whose texts are not known: any text that is not found may belong to it. */
  let unknown: PieceSetAside | null = null;
  let isAllRead = false;
  let turn: Promise<unknown> = Promise.resolve();

  async function readPiece(): Promise<void> {
    const { value, done } = await source.next();
    if (done) isAllRead = true;
    else if ("setAside" in value) {
      for (const text of value.texts) setAside.set(text, value.setAside);
      if (value.texts.length === 0) unknown = value.setAside;
    } else {
      for (const [at, text] of value.texts.entries())
        for (const { repeat, ...opinion } of value.opinions[scorer.id]?.[at] ?? []) {
          const key = `${text}:${repeat}`;
          ready.set(key, [...(ready.get(key) ?? []), opinion]);
        }
    }
  }

  async function find(hash: string, repeat: number): Promise<ChapterOpinion | null> {
    const key = `${hash}:${repeat}`;
    while (!ready.has(key) && !setAside.has(hash) && !isAllRead) await readPiece();
    const [first, ...more] = ready.get(key) ?? [];
    if (more.length === 0) ready.delete(key);
    else ready.set(key, more);
    return first ?? null;
  }

  async function opinion(text: string, repeat: number, signal: AbortSignal): Promise<ChapterOpinion> {
    const hash = sha256(text);
    const found = turn.then(() => find(hash, repeat));
    turn = found.catch(() => {});
    const known = await found;
    if (known) return known;
    const lost = setAside.get(hash) ?? unknown;
    if (!lost) throw new Error("the workers scored fewer texts than there are");
    if (scorer.opinion) return scorer.opinion(text, repeat, signal);
    return { scores: Object.fromEntries(scorer.rubric.criteria.map(({ id }) => [id, unscored(lost.reason)])) };
  }

  return { ...scorer, opinion, score: async (text, repeat, signal) => (await opinion(text, repeat, signal)).scores };
}

/** Has a writer model write chapters from synopses, and scores them. */
export const writeChaptersJob = defineJob({
  options: z.object({
    writer: z.string(),
    judges: z.array(z.string()),
    maximumTokens: z.number().int(),
    temperature: z.number(),
    words: z.number().int(),
    repeats: z.number().int().default(1),
    ...rubricOptions,
  }),
  data: z.object({ synopses: z.array(synopsisRowSchema) }),
  async perform(options, { synopses }, { folder, settings, services }) {
    const { wholeNumbers } = options;
    const asked = { rubric: await rubricIn(folder, options), prompts: shippedPrompts, wholeNumbers };
    await writeJsonLines(benchFiles(folder).synopses, synopses);
    const { signal } = services;
    const { result } = await inRun(settings, services, async (run) => {
      const scorers = await Promise.all(options.judges.map((judge) => scorerNamed(judge, asked, run)));
      const written = await writeChapters(run, {
        ...options,
        folder,
        rubric: scorers[0]!.rubric,
        prompts: asked.prompts,
        novels: synopses.length,
        population: null,
        random: seededRandom(1),
        signal,
      });
      const texts = written.flatMap((row) => (row.text === null ? [] : [{ ...row, text: row.text }]));
      const work = { repeats: options.repeats, concurrency: run.concurrency, signal };
      return { written, judged: await judged(texts, scorers, work) };
    });
    return result;
  },
});

const writtenResultSchema = z.object({
  // As the worker wrote it, including the order of its fields.
  written: z.array(z.custom<WrittenRow>((value) => writtenChapterSchema.safeParse(value).success)),
  judged: judgedSchema,
});

/** The chapters that workers wrote, with the judges' scores. */
export async function writtenByWorkers(results: () => AsyncIterable<unknown>) {
  const written: WrittenRow[] = [];
  for await (const result of results())
    if (!(result instanceof PieceSetAside)) written.push(...writtenResultSchema.parse(result).written);
  async function* pieces(): AsyncGenerator<JudgedPiece> {
    for await (const result of results())
      yield result instanceof PieceSetAside
        ? { texts: [], setAside: result }
        : writtenResultSchema.parse(result).judged;
  }
  return { written, scorer: (scorer: ChapterScorer) => scorerOfWorkers(scorer, pieces()) };
}

/** The synopses that the writer's sample needs, a few novels per piece. */
export async function* piecesOfWriting(
  folder: string,
  sample: { readonly novels: number; readonly population: ReferencePopulation; readonly seed: number },
): AsyncGenerator<PieceDraft> {
  const synopses = await readJsonLines(benchFiles(folder).synopses, synopsisRowSchema);
  const { novels, population, seed } = sample;
  const chosen = new Set(sampleNovels(retold(synopses), { novels, population, random: seededRandom(seed) }));
  const wanted = synopses.filter(({ synopsis, novel }) => synopsis !== null && chosen.has(novel));
  yield* batches<SynopsisRow>(wanted, CHAPTERS_TOGETHER, (rows) => ({ synopses: rows }), "chapters");
}
