import { groupBy } from "../../core/group-by.ts";
import { type Random, randomInteger } from "../../core/random.ts";
import { kendallTau } from "../../stats/correlation/kendall-tau.ts";
import { pearson } from "../../stats/correlation/pearson.ts";
import { percentileBootstrap } from "../../stats/resampling/percentile-bootstrap.ts";
import type { Statistic } from "../../stats/statistic.ts";
import type { Corpus } from "./corpus.ts";
import type { Piece } from "./predict-chapters.ts";

export interface Agreement {
  readonly value: number;
  /** 95%, over writers drawn with replacement: chapters of one writer are not independent. */
  readonly interval: readonly [number, number] | null;
  readonly n: number;
}

interface Judged {
  readonly writer: string;
  readonly predicted: number;
  readonly given: number;
}

/** Pieces of text with the grade of one output beside them; those without a grade or a prediction are left out. */
export function judgedPieces(corpus: Corpus, pieces: readonly Piece[], output: number, slot: number): Judged[] {
  return pieces.flatMap(({ chapter, predictions }) => {
    const { writer, targets } = corpus.chapters[chapter]!;
    const judged = { writer, predicted: predictions[slot]!, given: targets[output]! };
    return Number.isNaN(judged.given) || Number.isNaN(judged.predicted) ? [] : [judged];
  });
}

/** How predictions follow the grades, piece by piece. */
export function pieceAgreement(judged: readonly Judged[], random: Random): Agreement {
  const correlation = (list: readonly Judged[]) =>
    pearson(
      list.map(({ predicted }) => predicted),
      list.map(({ given }) => given),
    );
  return withInterval(byWriter(judged), (groups) => correlation(groups.flat()), random, judged.length);
}

/** How the ranking of writers follows theirs. */
export function writerAgreement(judged: readonly Judged[], random: Random): Agreement {
  const means = byWriter(judged).map((list) => ({
    predicted: list.reduce((sum, { predicted }) => sum + predicted, 0) / list.length,
    given: list.reduce((sum, { given }) => sum + given, 0) / list.length,
  }));
  const correlation = (list: typeof means) =>
    kendallTau(
      list.map(({ predicted }) => predicted),
      list.map(({ given }) => given),
    );
  return withInterval(means, correlation, random, means.length);
}

function withInterval<Group>(
  groups: readonly Group[],
  statistic: (drawn: Group[]) => Statistic,
  random: Random,
  n: number,
): Agreement {
  const draw = (source: Random) => groups.map(() => groups[randomInteger(source, groups.length)]!);
  const { interval } = percentileBootstrap({ draw, statistic, random, resamples: 1000 });
  return { value: statistic([...groups]).value ?? Number.NaN, interval, n };
}

function byWriter(judged: readonly Judged[]): Judged[][] {
  return [...groupBy(judged, ({ writer }) => writer).values()];
}
