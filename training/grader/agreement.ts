import { groupBy } from "../../src/core/group-by.ts";
import { type Random, randomInteger } from "../../src/core/random.ts";
import { kendallTau, pearson } from "../../src/stats/correlation.ts";
import { percentileBootstrap } from "../../src/stats/resampling.ts";
import { defined, isDefined, type Statistic } from "../../src/stats/statistic.ts";
import type { Corpus } from "./corpus.ts";
import type { Piece } from "./predict-chapters.ts";

export interface Agreement {
  readonly value: number;
  /** 95%, over writers drawn with replacement: chapters of one writer are not independent. */
  readonly interval: readonly [number, number] | null;
  readonly n: number;
}

export interface Judged {
  readonly writer: string;
  readonly family: string;
  readonly predicted: number;
  readonly given: number;
}

/** Pieces of text with the grade of one output beside them; those without a grade or a prediction are left out. */
export function judgedPieces(corpus: Corpus, pieces: readonly Piece[], output: number, slot: number): Judged[] {
  return pieces.flatMap(({ chapter, predictions }) => {
    const { writer, family, targets } = corpus.chapters[chapter]!;
    const judged = { writer, family, predicted: predictions[slot]!, given: targets[output]! };
    return Number.isNaN(judged.given) || Number.isNaN(judged.predicted) ? [] : [judged];
  });
}

/** How predictions follow the grades, piece by piece. */
export function pieceCorrelation(judged: readonly Judged[]): Statistic {
  return correlationOfPieces(byWriter(judged));
}

/** How the ranking of writers by the mean of their pieces follows theirs by the grades. */
export function writerCorrelation(judged: readonly Judged[]): Statistic {
  return correlationOfWriters(byWriter(judged));
}

/** {@link pieceCorrelation} with an interval: the mean over repeats, which differ in how the folds were dealt. */
export function pieceAgreement(repeats: readonly (readonly Judged[])[], random: Random): Agreement {
  return meanAgreement(repeats, correlationOfPieces, repeats[0]!.length, random);
}

/** {@link writerCorrelation} with an interval: the mean over repeats. */
export function writerAgreement(repeats: readonly (readonly Judged[])[], random: Random): Agreement {
  return meanAgreement(repeats, correlationOfWriters, byWriter(repeats[0]!).length, random);
}

type WriterPieces = readonly Judged[];

function byWriter(judged: readonly Judged[]): WriterPieces[] {
  return [...groupBy(judged, ({ writer }) => writer).values()];
}

function correlationOfPieces(writers: readonly WriterPieces[]): Statistic {
  const judged = writers.flat();
  return pearson(
    judged.map(({ predicted }) => predicted),
    judged.map(({ given }) => given),
  );
}

function correlationOfWriters(writers: readonly WriterPieces[]): Statistic {
  return kendallTau(
    writers.map((own) => own.reduce((sum, { predicted }) => sum + predicted, 0) / own.length),
    writers.map((own) => own.reduce((sum, { given }) => sum + given, 0) / own.length),
  );
}

function meanAgreement(
  repeats: readonly (readonly Judged[])[],
  correlation: (writers: readonly WriterPieces[]) => Statistic,
  n: number,
  random: Random,
): Agreement {
  const names = [...new Set(repeats.flat().map(({ writer }) => writer))];
  const pieces = repeats.map((judged) => groupBy(judged, ({ writer }) => writer));
  const statistic = (drawn: readonly string[]): Statistic => {
    const values = pieces.map((own) => correlation(drawn.map((name) => own.get(name)!)));
    const gap = values.find((value) => !isDefined(value));
    return gap ?? defined(values.reduce((sum, { value }) => sum + value!, 0) / values.length);
  };
  const { interval } = percentileBootstrap({
    draw: (source) => names.map(() => names[randomInteger(source, names.length)]!),
    statistic,
    random,
    resamples: 1000,
  });
  return { value: statistic(names).value ?? Number.NaN, interval, n };
}
