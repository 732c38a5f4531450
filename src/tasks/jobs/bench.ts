import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import {
  benchFiles,
  type ScoreRow,
  type SynopsisRow,
  scoreRowSchema,
  synopsisRowSchema,
} from "../../bench/bench-folder.ts";
import type { ReferencePopulation } from "../../bench/population/reference-population.ts";
import type { ChapterScorer } from "../../bench/scoring.ts";
import { sha256 } from "../../core/hash.ts";
import { readJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import { seededRandom } from "../../core/random.ts";
import { shippedPrompts } from "../../prompts/own-prompts.ts";
import { defineJob, type Place } from "../../queue/job.ts";
import { type PieceDraft, PieceSetAside } from "../../queue/shared-runs.ts";
import { inRun } from "../../runner/open-run.ts";
import { type RepeatCheckOptions, SampleOfTexts } from "../bench/repeats.ts";
import { inRunIfNeeded, scorerNamed } from "../bench/scorer.ts";
import { scoreEach, type TextToScore } from "../bench/scoring.ts";
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

/** The key under which the scores of texts are stored. */
const resultSchema = z.array(
  z.object({ text: z.string(), repeat: z.number().int(), scores: scoreRowSchema.shape.scores }),
);

/** Scores chapters for a population. The grader's scores come back; a language model's are in the store. */
export const scoreChaptersJob = defineJob({
  options: z.object({ judges: z.array(z.string()), ...rubricOptions }),
  data: z.object({
    repeats: z.number().int(),
    texts: z.array(z.object({ novel: z.string(), writer: z.string(), chapter: z.number().int(), text: z.string() })),
  }),
  async perform(options, { texts, repeats }, { folder, settings, services }) {
    const { wholeNumbers } = options;
    const asked = { rubric: await rubricIn(folder, options), prompts: shippedPrompts, wholeNumbers };
    const models = options.judges.filter((judge) => judge !== "grader");
    const { signal } = services;
    const { result } = await inRunIfNeeded(models.length > 0, settings, services, async (run) => {
      const scored: z.infer<typeof resultSchema> = [];
      // With language models, the grader's part is computed by the process that combines the results.
      for (const judge of models.length > 0 ? models : ["grader"]) {
        const scorer = await scorerNamed(judge, asked, run);
        const work = { repeats, concurrency: run?.concurrency ?? 1, total: texts.length, signal };
        for await (const { text, rows } of scoreEach(texts, scorer, work)) {
          for (const { repeat, scores } of rows) scored.push({ text: sha256(text.text), repeat, scores });
        }
      }
      return scored;
    });
    return models.length > 0 ? undefined : result;
  },
});

/** The chapters of the folder and of its anchors, and the texts of the repeat check. */
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
  if (work.anchors !== null) {
    const { chapters } = await chosenChapters(work.anchors);
    yield* batches<TextToScore>(chapters, CHAPTERS_TOGETHER, dataOf(work.repeats), "anchors");
  }
  yield* batches<TextToScore>(sample.texts(), 1, dataOf(work.check.repeats), "repeats of chapter");
}

/** A scorer that returns the scores other machines have computed. */
export async function replayingScorer(scorer: ChapterScorer, results: AsyncIterable<unknown>): Promise<ChapterScorer> {
  const known = new Map<string, ScoreRow["scores"]>();
  for await (const result of results) {
    // A population without some of its chapters would be another population.
    if (result instanceof PieceSetAside) throw result.error;
    for (const { text, repeat, scores } of resultSchema.parse(result)) known.set(`${text}:${repeat}`, scores);
  }
  return {
    ...scorer,
    async score(text, repeat, signal) {
      return known.get(`${sha256(text)}:${repeat}`) ?? scorer.score(text, repeat, signal);
    },
  };
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
    await inRun(settings, services, async (run) => {
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
      const work = { repeats: options.repeats, concurrency: run.concurrency, total: texts.length, signal };
      // The process that combines the results computes the grader's part itself.
      for (const scorer of scorers.filter(({ id }) => id !== "grader"))
        for await (const _ of scoreEach(texts, scorer, work));
    });
  },
});

/** The synopses that the writer's sample takes, a few novels together. */
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
