import { crossValidate, type HeldOutPair, type TestDesign } from "../../training/personal/cross-validate.ts";
import { readTrainingData } from "../../training/personal/training-data.ts";
import { defineEval, type Figure } from "../part.ts";
import { capped, gain } from "./personal-figures.ts";

/** The cuts of the personal predictor's other figures. */
const CUTS = [11, 12, 13];
/** Much-read books have hundreds of pairs. */
const PAIRS_PER_BOOK = 12;
/** With three reviews alone, with the reader's reviews of the books learnt from as well, and with long lists of stars. */
const DESIGNS: Readonly<Record<"three" | "known" | "stars", TestDesign>> = {
  three: { pairsPerReader: 3, lengths: [3], shown: ["whole"] },
  known: { pairsPerReader: 3, lengths: [3], shown: ["whole"], earlier: { averages: true, fewestKnown: 4 } },
  stars: { pairsPerReader: 20, lengths: [0], shown: ["stars"], earlier: { averages: false, fewestKnown: 10 } },
};
/** Groups of long histories: from so many ratings to so many. */
const LONG: readonly (readonly [number, number])[] = [
  [10, 100],
  [10, 19],
  [20, 100],
];

const OF_THREE = (pair: HeldOutPair) => pair.meanOfHistory;
const OF_ALL = (pair: HeldOutPair) => pair.meanOfAll;

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
      ...LONG.flatMap(([least, most]) =>
        gains(
          pooled("stars").filter(({ known }) => known >= least && known <= most),
          `stars-${least}-${most}`,
          `above the reader's mean, stars alone, ${least} to ${most} ratings, no averages known`,
          OF_ALL,
        ),
      ),
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
