import { join } from "node:path";
import type { TrainedJuror } from "../../src/jury/juror-file.ts";
import { calibrate } from "./calibrate.ts";
import { authorSplits, familySplits, predictSplits, type Settings, sourceSplits } from "./cross-validate.ts";
import { agreementRows, type FigureRow, heldOutRows } from "./figures.ts";
import type { Lesson, Source } from "./lesson.ts";
import { prepareMaterial } from "./material.ts";
import { loadGradedChapters } from "./sources/graded-chapters.ts";
import { loadReaderRatings } from "./sources/reader-ratings.ts";
import { COVERAGE, trainJuror } from "./train-juror.ts";

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
