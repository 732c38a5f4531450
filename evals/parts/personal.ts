import { seededRandom } from "../../src/core/random.ts";
import { FACTORISATION } from "../../src/reader/personal/baselines/baseline-predictor.ts";
import type { Rating } from "../../src/reader/personal/baselines/matrix-factorisation.ts";
import { factorise } from "../../src/reader/personal/baselines/matrix-factorisation.ts";
import { crossValidate, type HeldOutPair, type TestDesign } from "../../src/reader/personal/training/cross-validate.ts";
import { sampleTestPairs } from "../../src/reader/personal/training/sample-histories.ts";
import { type ReviewTable, readTrainingData } from "../../src/reader/personal/training/training-data.ts";
import {
  percentileBootstrap,
  resampledKendall,
  resampledPearson,
  resampledSpearman,
  type Statistic,
} from "../../src/stats/index.ts";
import { defineEval, type Figure } from "../part.ts";

const SEED = 1;
/** Three ways to cut readers and books into folds, pooled: with one cut, which books fall together decides the second digit. */
const CUTS = [1, 2, 3];
const RESAMPLES = 500;
const CURVE = [1, 2, 3, 4, 5];
const CORRELATIONS = { pearson: resampledPearson, spearman: resampledSpearman, kendall: resampledKendall } as const;
const DESIGNS: Readonly<Record<"three" | "curve", TestDesign>> = {
  three: { pairsPerReader: 3, lengths: [3], shown: ["whole", "aspects", "conclusion", "stars"] },
  curve: { pairsPerReader: 6, lengths: CURVE, shown: ["whole"] },
};
type CorrelationName = keyof typeof CORRELATIONS;
const NAMES: Readonly<Record<CorrelationName, string>> = {
  pearson: "Pearson",
  spearman: "Spearman",
  kendall: "Kendall τ-b (it flatters predictions with many ties, as a mean of three whole stars has)",
};

interface Case {
  readonly reader: number;
  /** The review that is asked about: pooled cuts ask about some of them more than once. */
  readonly query: number;
  readonly rating: number;
}

export default defineEval({
  id: "personal",
  title: "Personal predictor, on readers and books unseen in training (three cuts pooled)",
  data: {
    "longstoryeval-books": "LongStoryEval's books (books.jsonl.gz)",
    "longstoryeval-reviews": "LongStoryEval's structured reviews (reviews.jsonl.gz)",
  },
  async run(paths, onProgress) {
    const table = await readTrainingData(paths["longstoryeval-books"], paths["longstoryeval-reviews"], [
      "whole",
      "aspects",
      "conclusion",
    ]);
    const held = CUTS.map((seed, cut) =>
      crossValidate(table, { books: 3, readers: 4, seed }, DESIGNS, (progress) =>
        onProgress({ ...progress, note: `cut ${cut + 1} of ${CUTS.length}` }),
      ),
    );
    const pooled = (name: keyof typeof DESIGNS) => held.flatMap((cut) => cut.get(name) ?? []);
    const three = pooled("three");
    const whole = three.filter(({ shown }) => shown === "whole");
    const curve = pooled("curve");
    return [
      ...mainFigures(whole),
      ...shownFigures(three),
      ...CURVE.flatMap((length) =>
        curveFigures(
          curve.filter((pair) => pair.length === length),
          length,
        ),
      ),
      coverage(whole),
      ...factorisationFigures(table),
    ];
  },
});

function mainFigures(pairs: readonly HeldOutPair[]): Figure[] {
  const base = (pair: HeldOutPair) => pair.meanOfHistory;
  return (["pearson", "spearman", "kendall"] as const).flatMap((name) => [
    correlation(pairs, name, `${name}-three`, `${NAMES[name]}, three earlier reviews`, (pair) => pair.predicted, base),
    ...(name === "kendall"
      ? []
      : [
          gain(pairs, name, `${name}-gain`, `${NAMES[name]} above the mean of three`, (pair) => pair.predicted, base),
          correlation(
            pairs,
            name,
            `${name}-average-known`,
            `${NAMES[name]}, three earlier reviews and the story's average rating`,
            (pair) => pair.predictedWithAverage,
            base,
          ),
          gain(
            pairs,
            name,
            `${name}-average-known-gain`,
            `${NAMES[name]} above the mean of three, average known`,
            (pair) => pair.predictedWithAverage,
            base,
          ),
          correlation(
            pairs,
            name,
            `${name}-bias-plus-forecast`,
            `${NAMES[name]} of the baseline reader bias + item forecast`,
            (pair) => pair.biasPlusForecast,
            base,
          ),
        ]),
  ]);
}

function shownFigures(pairs: readonly HeldOutPair[]): Figure[] {
  const forms = [
    ["aspects", "reviews given as aspects only"],
    ["conclusion", "reviews given as conclusion only"],
    ["stars", "stars alone, no words"],
  ] as const;
  return forms.map(([shown, words]) =>
    correlation(
      pairs.filter((pair) => pair.shown === shown),
      "pearson",
      `pearson-three-${shown}`,
      `Pearson, three earlier reviews, ${words}`,
      (pair) => pair.predicted,
      (pair) => pair.meanOfHistory,
    ),
  );
}

function curveFigures(pairs: readonly HeldOutPair[], length: number): Figure[] {
  return (["pearson", "spearman"] as const).map((name) =>
    correlation(
      pairs,
      name,
      `${name}-k${length}`,
      `${NAMES[name]}, ${length} earlier review${length > 1 ? "s" : ""}, readers of at least six`,
      (pair) => pair.predicted,
      (pair) => pair.meanOfHistory,
    ),
  );
}

function coverage(pairs: readonly HeldOutPair[]): Figure {
  const inside = pairs.filter(({ rating, interval }) => rating >= interval[0] && rating <= interval[1]).length;
  return {
    id: "coverage",
    name: "Share of ratings inside the 80% interval",
    value: inside / pairs.length,
    interval: null,
    n: new Set(pairs.map(({ query }) => query)).size,
    better: "higher",
    compare: { name: "promised", value: 0.8 },
  };
}

/** Where the books are known and only the reader is new, matrix factorisation can be asked too. */
function factorisationFigures(table: ReviewTable): Figure[] {
  const random = seededRandom(SEED);
  const cases: (Case & { factorised: number; mean: number })[] = [];
  const rows = Array.from({ length: table.rows }, (_, row) => row);
  const rating = (row: number): Rating => ({
    reader: table.reader[row]!,
    book: table.book[row]!,
    rating: table.rating[row]!,
  });
  for (let fold = 0; fold < 4; fold++) {
    const isHeld = (row: number) => table.reader[row]! % 4 === fold;
    const model = factorise(
      rows.filter((row) => !isHeld(row)).map(rating),
      { readers: table.readers, books: table.books.length },
      { ...FACTORISATION, random },
    );
    const held = { length: 3, minimum: 4, perReader: 1, random };
    for (const pair of sampleTestPairs(table, rows.filter(isHeld), held)) {
      const history = pair.history.map(rating);
      cases.push({
        reader: pair.reader,
        query: pair.query,
        rating: table.rating[pair.query]!,
        factorised: model.predict(history, table.book[pair.query]!),
        mean: history.reduce((sum, row) => sum + row.rating, 0) / history.length,
      });
    }
  }
  return (["pearson", "spearman"] as const).map((name) =>
    correlation(
      cases,
      name,
      `${name}-factorisation-known-books`,
      `${NAMES[name]} of the baseline matrix factorisation, readers unseen, books known`,
      (pair) => pair.factorised,
      (pair) => pair.mean,
    ),
  );
}

function correlation<C extends Case>(
  cases: readonly C[],
  name: CorrelationName,
  id: string,
  title: string,
  predicted: (pair: C) => number,
  baseline: (pair: C) => number,
): Figure {
  const ratings = cases.map(({ rating }) => rating);
  const statistic = CORRELATIONS[name](ratings, cases.map(predicted));
  return {
    ...figure(cases, id, title, statistic),
    compare: { name: "mean of the history", value: onAll(CORRELATIONS[name](ratings, cases.map(baseline)), cases) },
  };
}

function gain<C extends Case>(
  cases: readonly C[],
  name: CorrelationName,
  id: string,
  title: string,
  predicted: (pair: C) => number,
  baseline: (pair: C) => number,
): Figure {
  const ratings = cases.map(({ rating }) => rating);
  const ours = CORRELATIONS[name](ratings, cases.map(predicted));
  const theirs = CORRELATIONS[name](ratings, cases.map(baseline));
  return figure(cases, id, title, (positions) => {
    const [left, right] = [ours(positions), theirs(positions)];
    return left.value === null ? left : right.value === null ? right : { value: left.value - right.value };
  });
}

/** Whole readers are drawn, since one reader's pairs are not independent. */
function figure(
  cases: readonly Case[],
  id: string,
  name: string,
  statistic: (positions: ArrayLike<number>) => Statistic,
): Figure {
  const byReader = new Map<number, number[]>();
  for (const [position, { reader }] of cases.entries()) {
    byReader.set(reader, [...(byReader.get(reader) ?? []), position]);
  }
  const groups = [...byReader.values()];
  const { interval } = percentileBootstrap({
    draw: (random) => groups.flatMap(() => groups[Math.floor(random() * groups.length)]!),
    statistic,
    random: seededRandom(SEED),
    resamples: RESAMPLES,
  });
  return {
    id,
    name,
    value: onAll(statistic, cases),
    interval: interval && [interval[0], interval[1]],
    n: new Set(cases.map(({ query }) => query)).size,
    better: "higher",
  };
}

function onAll(statistic: (positions: ArrayLike<number>) => Statistic, cases: readonly Case[]): number {
  return statistic(Uint32Array.from(cases.keys())).value ?? Number.NaN;
}
