import { seededRandom } from "../../src/core/random.ts";
import { predictRidge } from "../../src/stats/linear/ridge-regression.ts";
import { dealFolds } from "../grader/folds.ts";
import type { CountedTexts } from "./counted-texts.ts";
import { type DesignOptions, learnDesign, textRows } from "./design.ts";
import { type FitOptions, fitLessons, type Lesson, type Source } from "./fit-lessons.ts";

/** Lessons with their texts counted; `readings` are other readings of the same texts, such as their first 200 words. */
export interface Material {
  readonly lessons: readonly Lesson[];
  /** By lesson: the number of its text among the counted ones. */
  readonly texts: readonly number[];
  readonly counted: CountedTexts;
  readonly readings: Readonly<Record<string, CountedTexts>>;
}

export type Settings = DesignOptions & FitOptions;

/** By lesson: what a juror that never saw its family (nor its writer) predicts; NaN where it was not tested. */
export interface HeldOut {
  readonly whole: Float64Array;
  readonly readings: Readonly<Record<string, Float64Array>>;
}

export interface Split {
  readonly training: readonly number[];
  readonly test: readonly number[];
}

/** Splits by family within each source; a lesson with a writer is tested only when its writer is left out as well. */
export function familySplits(lessons: readonly Lesson[], folds: number, seed: number): Split[] {
  const families = dealFolds(lessons.map(familyName), folds, seededRandom(seed));
  const writers = dealFolds(
    lessons.flatMap(({ writer }) => (writer === undefined ? [] : [writer])),
    folds,
    seededRandom(seed + 1),
  );
  return Array.from({ length: folds }, (_, fold) => {
    const training: number[] = [];
    const test: number[] = [];
    lessons.forEach((lesson, place) => {
      const family = families.get(familyName(lesson)) === fold;
      const writer = lesson.writer !== undefined && writers.get(lesson.writer) === fold;
      if (!family && !writer) training.push(place);
      else if (family && (writer || lesson.writer === undefined)) test.push(place);
    });
    return { training, test };
  });
}

/** Each of the sources left out as a whole. */
export function sourceSplits(lessons: readonly Lesson[], sources: readonly Source[]): Split[] {
  const places = lessons.map((_, place) => place);
  return sources.map((source) => ({
    training: places.filter((place) => lessons[place]!.source !== source),
    test: places.filter((place) => lessons[place]!.source === source),
  }));
}

/** Cells of one source: each author with a fold of families, tested by what learnt from neither. */
export function authorSplits(lessons: readonly Lesson[], folds: number, seed: number): Split[] {
  const signed = lessons.flatMap(({ author }, place) => (author === undefined ? [] : [place]));
  const families = dealFolds(
    signed.map((place) => familyName(lessons[place]!)),
    folds,
    seededRandom(seed),
  );
  const foldOf = (place: number) => families.get(familyName(lessons[place]!));
  const authors = [...new Set(signed.map((place) => lessons[place]!.author!))].sort();
  const splits = authors.flatMap((author) =>
    Array.from({ length: folds }, (_, fold): Split => {
      const isBoth = (place: number) => lessons[place]!.author === author && foldOf(place) === fold;
      const isEither = (place: number) => lessons[place]!.author === author || foldOf(place) === fold;
      return {
        training: [...lessons.keys()].filter((place) => !signed.includes(place) || !isEither(place)),
        test: signed.filter(isBoth),
      };
    }),
  );
  return splits.filter(({ test }) => test.length > 0);
}

function familyName({ family, source }: Lesson): string {
  // The same paragraph can be scored and stand in a pair: one family. Stories of different sources never share one.
  return source.startsWith("expert") ? family : `${source} ${family}`;
}

export function predictSplits(
  material: Material,
  splits: readonly Split[],
  settings: Settings,
  onSplit: (done: number, total: number) => void,
): HeldOut {
  const { lessons, texts, counted } = material;
  const whole = new Float64Array(lessons.length).fill(Number.NaN);
  const readings = Object.fromEntries(Object.keys(material.readings).map((name) => [name, whole.slice()]));
  splits.forEach(({ training, test }, done) => {
    const textsOf = (places: readonly number[]) => places.map((place) => texts[place]!);
    const design = learnDesign(counted, [...new Set(textsOf(training))], settings);
    const model = fitLessons(
      training.map((place) => lessons[place]!),
      textRows(counted, design, textsOf(training)),
      settings,
    );
    const predict = (reading: CountedTexts, into: Float64Array): void => {
      const predictions = predictRidge(model, textRows(reading, design, textsOf(test)));
      test.forEach((place, row) => {
        into[place] = predictions[row]!;
      });
    };
    predict(counted, whole);
    for (const [name, reading] of Object.entries(material.readings)) predict(reading, readings[name]!);
    onSplit(done + 1, splits.length);
  });
  return { whole, readings };
}
