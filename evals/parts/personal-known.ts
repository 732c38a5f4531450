import { crossValidate, type HeldOutPair, type TestDesign } from "../../training/personal/cross-validate.ts";
import { LONGEST_HISTORY } from "../../training/personal/train-personal-model.ts";
import { readTrainingData } from "../../training/personal/training-data.ts";
import { defineEval, type Figure } from "../part.ts";
import { coverage } from "./personal.ts";
import { CUTS, capped, gain, PAIRS_PER_BOOK } from "./personal-figures.ts";

/**
 * With three reviews alone, with the reader's reviews of the books learnt from as well, with long lists of stars, and with those
 * where the average of every book is known, as in a library's export.
 */
const DESIGNS: Readonly<Record<"three" | "known" | "stars" | "averages", TestDesign>> = {
  three: { pairsPerReader: 3, lengths: [3], shown: ["whole"] },
  known: { pairsPerReader: 3, lengths: [3], shown: ["whole"], earlier: { averages: true, fewestKnown: 4 } },
  stars: { pairsPerReader: 20, lengths: [0], shown: ["stars"], earlier: { averages: false, fewestKnown: 10 } },
  averages: { pairsPerReader: 20, lengths: [0], shown: ["stars"], earlier: { averages: true, fewestKnown: 10 } },
};
/** Groups of long histories: from so many ratings to so many. */
const LONG: readonly (readonly [number, number])[] = [
  [10, LONGEST_HISTORY],
  [10, 19],
  [20, LONGEST_HISTORY],
];

const OF_THREE = (pair: HeldOutPair) => pair.meanOfHistory;
const OF_ALL = (pair: HeldOutPair) => pair.meanOfAll;
/** A reader's mean knows nothing of the book: beside a known average, what can be had without a model is that and the reader's bias. */
const OF_AVERAGE = (pair: HeldOutPair) => pair.biasPlusAverage;

export default defineEval({
  id: "personal-known",
  title:
    "Personal predictor, new books of readers known in training (three fresh cuts pooled; readers and books resampled)",
  data: {
    "longstoryeval-books": "LongStoryEval's books (books.jsonl.gz)",
    "longstoryeval-reviews": "LongStoryEval's structured reviews (reviews.jsonl.gz)",
  },
  async run(paths, onProgress) {
    const table = await readTrainingData(paths["longstoryeval-books"], paths["longstoryeval-reviews"]);
    const held = CUTS.map((seed, cut) =>
      crossValidate(table, { books: 3, readers: 1, seed }, DESIGNS, (progress) =>
        onProgress({ ...progress, note: `cut ${cut + 1} of ${CUTS.length}` }),
      ),
    );
    const pooled = (name: keyof typeof DESIGNS) => held.flatMap((cut) => cut.get(name) ?? []);
    const fewPerBook = (name: keyof typeof DESIGNS) =>
      held.flatMap((cut) => capped(cut.get(name) ?? [], PAIRS_PER_BOOK));
    return [
      ...gains(pooled("three"), "three", "above the mean of three, three reviews given", OF_THREE),
      ...gains(
        fewPerBook("three"),
        "three-capped",
        `above the mean of three, three reviews given, at most ${PAIRS_PER_BOOK} pairs of a book`,
        OF_THREE,
      ),
      ...gains(
        pooled("known"),
        "history",
        "above the mean of three, the reader's reviews of the books learnt from given too",
        OF_THREE,
      ),
      ...gains(
        fewPerBook("known"),
        "history-capped",
        `above the mean of three, those reviews given too, at most ${PAIRS_PER_BOOK} pairs of a book`,
        OF_THREE,
      ),
      ...gains(pooled("known"), "history-all", "above the mean of all the reader's ratings given", OF_ALL),
      ...LONG.flatMap(([least, most]) => {
        const long = (name: keyof typeof DESIGNS) =>
          pooled(name).filter(({ known }) => known >= least && known <= most);
        const said = `stars alone, ${least} to ${most} ratings`;
        const unknown = long("stars");
        const averages = long("averages").map((pair) => ({
          ...pair,
          predicted: pair.predictedWithAverage,
          interval: pair.intervalWithAverage,
        }));
        const id = `${least}-${most}`;
        return [
          ...gains(unknown, `stars-${id}`, `above the reader's mean, ${said}, no averages known`, OF_ALL),
          coverage(unknown, `coverage-stars-${id}`, `, ${said}, no averages known`),
          ...gains(averages, `averages-mean-${id}`, `above the reader's mean, ${said}, all averages known`, OF_ALL),
          ...gains(
            averages,
            `averages-${id}`,
            `above the book's average plus the reader's bias, ${said}, all averages known`,
            OF_AVERAGE,
          ),
          coverage(averages, `coverage-averages-${id}`, `, ${said}, all averages known`),
        ];
      }),
    ];
  },
});

function gains(pairs: readonly HeldOutPair[], id: string, words: string, baseline: typeof OF_ALL): Figure[] {
  const names = { pearson: "Pearson", spearman: "Spearman" } as const;
  return (["pearson", "spearman"] as const).map((by) =>
    gain(pairs, {
      ...{ id: `${by}-${id}`, name: `${names[by]} ${words}`, by, baseline },
      predicted: ({ predicted }) => predicted,
    }),
  );
}
