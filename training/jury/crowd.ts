import { join } from "node:path";
import { z } from "zod";
import { readJsonLines } from "../../src/core/json-lines.ts";
import type { TrainedJuror } from "../../src/jury/juror-file.ts";
import { loadJudgedChapters } from "../grader/judged-chapters.ts";
import { calibrate, prepareMaterial } from "./calibrate.ts";
import { authorSplits, familySplits, predictSplits, type Settings, sourceSplits } from "./cross-validate.ts";
import { agreementRows, type FigureRow, heldOutRows } from "./figures.ts";
import type { Lesson, Source } from "./fit-lessons.ts";
import { COVERAGE, trainJuror } from "./train-juror.ts";

const rating = z.number().min(0).max(1);
const storySchema = z.discriminatedUnion("source", [
  z.object({ source: z.literal("prompt-stories"), text: z.string(), rating_0_to_1: rating }),
  z.object({ source: z.literal("scary-stories"), text: z.string(), rating_0_to_1: rating }),
  z.object({
    source: z.literal("machine-stories"),
    text: z.string(),
    premise: z.string(),
    writer: z.string(),
    /** By reader: five marks of 1 to 5. */
    ratings: z.array(z.array(z.number().min(1).max(5)).min(1)).min(1),
  }),
]);
const pairSchema = z.object({ prompt: z.string(), preferred: z.string(), other: z.string() });

/** Stories that readers rated, from 0 to 1 whatever the scale was, and pairs of which they preferred one. */
async function loadReaderRatings(folder: string): Promise<Lesson[]> {
  const stories = await readJsonLines(join(folder, "stories.jsonl.gz"), storySchema);
  const pairs = await readJsonLines(join(folder, "pairs.jsonl.gz"), pairSchema);
  return [
    ...stories.map((story, place): Lesson => {
      const { source, text } = story;
      if (story.source !== "machine-stories") {
        return { text, source, target: story.rating_0_to_1, family: `${source} ${place}` };
      }
      const target = (meanOf(story.ratings.map(meanOf)) - 1) / 4;
      return { text, source, target, family: `premise ${story.premise}`, author: authorOf(story.writer) };
    }),
    ...pairs.flatMap(({ prompt, preferred, other }, pair): Lesson[] => {
      const shared = { source: "reader-pairs", family: `prompt ${prompt}`, pair } as const;
      return [
        { ...shared, text: preferred, target: 1 },
        { ...shared, text: other, target: 0 },
      ];
    }),
  ];
}

/** Four of the stories are by people, each of another; a model wrote eight or more. */
function authorOf(writer: string): string {
  return writer.startsWith("Human") ? "people" : writer;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

const RATED: readonly Source[] = ["prompt-stories", "scary-stories", "machine-stories"];
/** Neighbouring chapters of a story say much the same; every third teaches as much in a third of the time. */
const EVERY_CHAPTER = 3;
const FOLDS = 10;
const AUTHOR_FOLDS = 2;
const SEED = 1901;

/** Chosen inside the folds, by `npm run train -- select crowd`; see the card. */
export const CROWD_SETTINGS: Settings = {
  minimumTexts: 5,
  styleWeight: 0.05,
  penalty: 20,
  length: "text",
  sourceWeights: { "graded-chapters": 0.5 },
};

export async function loadCrowdLessons(data: string): Promise<Lesson[]> {
  const chapters = await loadGradedChapters(join(data, "judged-chapters", "chapters.jsonl.gz"));
  return [
    ...(await loadReaderRatings(join(data, "reader-ratings"))),
    ...chapters.filter((_, place) => place % EVERY_CHAPTER === 0),
  ];
}

export async function trainCrowd(
  data: string,
  say: (line: string) => void,
): Promise<{ readonly juror: TrainedJuror; readonly figures: readonly FigureRow[] }> {
  const lessons = await loadCrowdLessons(data);
  const material = prepareMaterial(lessons, CROWD_SETTINGS.minimumTexts);
  say(`${material.counted.hashes.length} n-grams in ${material.counted.words.length} texts`);
  const progress = (name: string) => (done: number, total: number) => say(`${name} ${done} of ${total}`);
  const held = predictSplits(material, familySplits(lessons, FOLDS, SEED), CROWD_SETTINGS, progress("fold"));
  const leftOut = predictSplits(material, sourceSplits(lessons, RATED), CROWD_SETTINGS, progress("source left out"));
  const authors = predictSplits(
    material,
    authorSplits(lessons, AUTHOR_FOLDS, SEED),
    CROWD_SETTINGS,
    progress("writer left out"),
  );
  const calibration = calibrate(material, {
    sources: RATED,
    unit: 100,
    coverage: COVERAGE,
    inside: held,
    outside: leftOut,
  });
  return {
    juror: trainJuror(material, CROWD_SETTINGS, calibration),
    figures: [
      ...heldOutRows(material, held, [...RATED, "reader-pairs", "graded-chapters"]),
      ...agreementRows(material, [authors.whole], "machine-stories", "writers left out as well"),
      ...RATED.flatMap((source) =>
        agreementRows(material, [leftOut.whole], source, "whole source left out").slice(0, 1),
      ),
    ],
  };
}

/** Chapters with the grader's overall grade; families are stories, so that a split can leave out both. */
async function loadGradedChapters(path: string): Promise<Lesson[]> {
  const chapters = await loadJudgedChapters(path);
  return chapters.map(
    ({ text, targets, story, writer }): Lesson => ({
      text,
      source: "graded-chapters",
      target: targets[0]!,
      family: story,
      writer,
    }),
  );
}
