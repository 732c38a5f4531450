import { groupBy } from "../../src/core/group-by.ts";
import { seededRandom } from "../../src/core/random.ts";
import { FACTORISATION, factorise, type Rating } from "../../src/reader/baselines.ts";
import { crossValidate, type HeldOutPair, type TestDesign } from "../../training/personal/cross-validate.ts";
import { sampleTestPairs } from "../../training/personal/sample-histories.ts";
import { type ReviewTable, readTrainingData } from "../../training/personal/training-data.ts";
import { defineEval, type Figure } from "../part.ts";
import {
  type Case,
  type CorrelationName,
  CUTS,
  capped,
  correlation,
  gain,
  PAIRS_PER_BOOK,
} from "./personal-figures.ts";

const SEED = 1;
const GENRES_SHOWN = 6;
const CURVE = [1, 2, 3, 4, 5];
const DESIGNS: Readonly<Record<"three" | "curve", TestDesign>> = {
  three: { pairsPerReader: 3, lengths: [3], shown: ["whole", "aspects", "conclusion", "stars"] },
  curve: { pairsPerReader: 6, lengths: CURVE, shown: ["whole"] },
};
const NAMES: Readonly<Record<CorrelationName, string>> = {
  pearson: "Pearson",
  spearman: "Spearman",
  kendall: "Kendall τ-b (it flatters predictions with many ties, as a mean of three whole stars has)",
};

const AGAINST_MEAN = {
  predicted: (pair: HeldOutPair) => pair.predicted,
  baseline: (pair: HeldOutPair) => pair.meanOfHistory,
};

export default defineEval({
  id: "personal",
  title:
    "Personal predictor, on readers and books unseen in training (three fresh cuts pooled; readers and books resampled)",
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
    const fewPerBook = held.flatMap((cut) =>
      capped(
        (cut.get("three") ?? []).filter(({ shown }) => shown === "whole"),
        PAIRS_PER_BOOK,
      ),
    );
    return [
      ...gainFigures(whole, "gain", "above the mean of three"),
      ...gainFigures(fewPerBook, "gain-capped", `above the mean of three, at most ${PAIRS_PER_BOOK} pairs of a book`),
      ...genreFigures(table, whole),
      ...mainFigures(whole),
      ...shownFigures(three),
      ...CURVE.flatMap((length) =>
        curveFigures(
          curve.filter((pair) => pair.length === length),
          length,
        ),
      ),
      coverage(whole),
      ...groupCoverage(whole),
      ...factorisationFigures(table),
    ];
  },
});

function gainFigures(pairs: readonly HeldOutPair[], id: string, words: string): Figure[] {
  return (["pearson", "spearman"] as const).map((by) =>
    gain(pairs, { id: `${by}-${id}`, name: `${NAMES[by]} ${words}`, by, ...AGAINST_MEAN }),
  );
}

/** Where the gain comes from: pairs about stories of the commonest genres. */
function genreFigures(table: ReviewTable, pairs: readonly HeldOutPair[]): Figure[] {
  const byGenre = groupBy(
    pairs.flatMap((pair) => table.books[pair.book]!.genres.map((genre) => ({ genre, pair }))),
    ({ genre }) => genre,
  );
  return [...byGenre]
    .sort((left, right) => right[1].length - left[1].length)
    .slice(0, GENRES_SHOWN)
    .map(([genre, members]) =>
      gain(
        members.map(({ pair }) => pair),
        {
          id: `pearson-gain-${genre.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`,
          name: `Pearson above the mean of three, ${genre}`,
          by: "pearson",
          ...AGAINST_MEAN,
        },
      ),
    );
}

function mainFigures(pairs: readonly HeldOutPair[]): Figure[] {
  return (["pearson", "spearman", "kendall"] as const).flatMap((by) => {
    const three = { by, ...AGAINST_MEAN };
    const withAverage = { ...three, predicted: (pair: HeldOutPair) => pair.predictedWithAverage };
    const figures = [correlation(pairs, { id: `${by}-three`, name: `${NAMES[by]}, three earlier reviews`, ...three })];
    if (by === "kendall") return figures;
    return [
      ...figures,
      correlation(pairs, {
        id: `${by}-average-known`,
        name: `${NAMES[by]}, three earlier reviews and the story's average rating`,
        ...withAverage,
      }),
      gain(pairs, {
        id: `${by}-average-known-gain`,
        name: `${NAMES[by]} above the mean of three, average known`,
        ...withAverage,
      }),
      correlation(pairs, {
        id: `${by}-bias-plus-forecast`,
        name: `${NAMES[by]} of the baseline reader bias + item forecast`,
        ...three,
        predicted: (pair) => pair.biasPlusForecast,
      }),
    ];
  });
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
      {
        id: `pearson-three-${shown}`,
        name: `Pearson, three earlier reviews, ${words}`,
        by: "pearson",
        ...AGAINST_MEAN,
      },
    ),
  );
}

function curveFigures(pairs: readonly HeldOutPair[], length: number): Figure[] {
  return (["pearson", "spearman"] as const).map((by) =>
    correlation(pairs, {
      id: `${by}-k${length}`,
      name: `${NAMES[by]}, ${length} earlier review${length > 1 ? "s" : ""}, readers of at least six`,
      by,
      ...AGAINST_MEAN,
    }),
  );
}

export function coverage(
  pairs: readonly (Case & Pick<HeldOutPair, "interval">)[],
  id = "coverage",
  words = "",
): Figure {
  const inside = pairs.filter(({ rating, interval }) => rating >= interval[0] && rating <= interval[1]).length;
  return {
    id,
    name: `Share of ratings inside the 80% interval${words}`,
    value: inside / pairs.length,
    interval: null,
    n: new Set(pairs.map(({ query }) => query)).size,
    better: "higher",
    compare: { name: "promised", value: 0.8 },
  };
}

const FIFTHS = ["lowest", "second", "middle", "fourth", "highest"];

/** By fifth of the prediction, and for the strictest and the kindest fifth of readers by what they gave before. */
export function groupCoverage(pairs: readonly HeldOutPair[]): Figure[] {
  const fifth = (sorted: readonly HeldOutPair[], at: number) =>
    sorted.slice(Math.round((at * sorted.length) / 5), Math.round(((at + 1) * sorted.length) / 5));
  const byPrediction = [...pairs].sort((left, right) => left.predicted - right.predicted);
  const byLevel = [...pairs].sort((left, right) => left.level - right.level);
  return [
    ...FIFTHS.map((name, at) =>
      coverage(fifth(byPrediction, at), `coverage-${name}-fifth`, `, ${name} fifth of the predictions`),
    ),
    coverage(fifth(byLevel, 0), "coverage-strict", ", strictest fifth of readers"),
    coverage(fifth(byLevel, 4), "coverage-kind", ", kindest fifth of readers"),
  ];
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
        book: table.book[pair.query]!,
        rating: table.rating[pair.query]!,
        factorised: model.predict(history, table.book[pair.query]!),
        mean: history.reduce((sum, row) => sum + row.rating, 0) / history.length,
      });
    }
  }
  return (["pearson", "spearman"] as const).map((by) =>
    correlation(cases, {
      id: `${by}-factorisation-known-books`,
      name: `${NAMES[by]} of the baseline matrix factorisation, readers unseen, books known`,
      by,
      predicted: (pair) => pair.factorised,
      baseline: (pair) => pair.mean,
    }),
  );
}
