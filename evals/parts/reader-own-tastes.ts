import { seededRandom, shuffled } from "../../src/core/random.ts";
import { loadPersonalModel } from "../../src/reader/predictor/personal-weights.ts";
import { personalPredictor } from "../../src/reader/predictor/predict-rating.ts";
import { provenTaste, tasteBeyond } from "../../src/reader/predictor/proven-taste.ts";
import { pairSchema } from "../../src/reader/predictor/story.ts";
import { crossValidate, type HeldOutPair } from "../../training/personal/cross-validate.ts";
import type { ReviewTable } from "../../training/personal/training-data.ts";
import { gain } from "./personal-figures.ts";

const PROOFS = [1.5, 2, 3, 4, 5];
const FEWEST = 15;
const MADE_READERS = 200;

/** What a proven taste brings to real readers, by how much proof is asked for; and how often it is found in shuffled genres. */
export function reportTastes(table: ReviewTable, seed: number): void {
  const design = (averages: boolean) => ({
    pairsPerReader: 1000,
    lengths: [0],
    shown: ["stars"] as const,
    earlier: { averages, fewestKnown: FEWEST, others: true },
  });
  const held = crossValidate(
    table,
    { books: 3, readers: 1, seed },
    { unknown: design(false), known: design(true) },
    ({ done, total }) => console.error(`${done} of ${total} cells`),
  );
  for (const name of ["unknown", "known"] as const) {
    const pairs = held.get(name)!;
    console.log(`\nCut ${seed}, averages ${name}: ${pairs.length} ratings, ${readersOf(pairs)} readers`);
    for (const proof of PROOFS) {
      const moved = pairs.map((pair) => {
        const predicted = name === "known" ? pair.predictedWithAverage : pair.predicted;
        const added = addedTo(pair, table, name === "known", proof, false);
        return { ...pair, before: predicted, after: predicted + (added ?? 0), isOn: added !== null };
      });
      const on = moved.filter(({ isOn }) => isOn);
      const byChance = pairs.filter((pair) => addedTo(pair, table, name === "known", proof, true) !== null).length;
      const { value, interval } = gain(moved, {
        ...{ id: "taste", name: "taste", by: "pearson" },
        predicted: ({ after }) => after,
        baseline: ({ before }) => before,
      });
      const range = interval === null ? "" : ` (${interval.map((bound) => bound.toFixed(4)).join(" to ")})`;
      const off = (of: "before" | "after") =>
        (on.reduce((sum, pair) => sum + (pair[of] - pair.rating) ** 2, 0) / on.length).toFixed(2);
      const share = (count: number) => `${((100 * count) / pairs.length).toFixed(1)} %`;
      console.log(
        `  proof ${proof}: on for ${share(on.length)} (${readersOf(on)} readers), shuffled ${share(byChance)}; Pearson ${value?.toFixed(4)}${range}${on.length > 0 ? `; squared error where on ${off("before")} before, ${off("after")} after` : ""}`,
      );
    }
  }
}

function addedTo(pair: HeldOutPair, table: ReviewTable, isKnown: boolean, proof: number, isShuffled: boolean) {
  const { model, history, books } = pair.restsOn!;
  const own = books.map((book) => table.books[book]!.genres);
  const genres = isShuffled ? shuffled(own, seededRandom(pair.query)) : own;
  const pasts = history.map((past, at) => ({ past, genres: genres[at]! }));
  const head = isKnown ? model.heads.average : model.heads.forecast;
  return tasteBeyond(provenTaste(model, pasts, proof), model, head, history, table.books[pair.book]!);
}

function readersOf(pairs: readonly { readonly reader: number }[]): number {
  return new Set(pairs.map(({ reader }) => reader)).size;
}

/** Half science fiction, half romance; how much more of the gap between them is predicted than is there. */
export function reportMadeReaders(): void {
  const predict = personalPredictor(loadPersonalModel());
  const random = seededRandom(7);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const genreOf = (at: number) => (at % 2 === 0 ? "Science Fiction" : "Romance");
  for (const ratings of [20, 50, 100])
    for (const gap of [0, 0.5, 1, 2]) {
      const draw = (at: number) => {
        const average = 4 + 0.2 * normal();
        const rating = Math.round(average - 0.3 + (at % 2 === 0 ? gap : -gap) / 2 + 0.9 * normal());
        return { genres: [genreOf(at)], average_rating: average, rating: Math.min(5, Math.max(1, rating)) };
      };
      const made = { on: 0, inside: 0, gap: 0 };
      for (let reader = 0; reader < MADE_READERS; reader++) {
        const history = Array.from({ length: ratings }, (_, at) => draw(at));
        for (const at of [0, 1]) {
          const { rating, ...query } = draw(at);
          const prediction = predict(pairSchema.parse({ id: reader, history, query }));
          if (prediction.kind === "unscored") continue;
          const [low, high] = prediction.interval;
          made.gap += (at === 0 ? prediction.rating : -prediction.rating) / MADE_READERS;
          made.inside += rating >= low && rating <= high ? 1 / (2 * MADE_READERS) : 0;
          made.on += prediction.why.some(({ text }) => /your own ratings/i.test(text)) ? 1 / (2 * MADE_READERS) : 0;
        }
      }
      console.log(
        `${ratings} ratings, a gap of ${gap}: on for ${(100 * made.on).toFixed(0)} %, predicted gap ${made.gap.toFixed(2)}, ${(100 * made.inside).toFixed(0)} % inside`,
      );
    }
  const [loved, hated] = [0, 1].map((at) => {
    const history = Array.from({ length: 200 }, (_, one) => ({
      ...{ genres: [genreOf(one)], average_rating: 4.1 },
      rating: one % 2 === 0 ? 5 : 1,
    }));
    const prediction = predict(
      pairSchema.parse({ id: 1, history, query: { genres: [genreOf(at)], average_rating: 4.1 } }),
    );
    return prediction.kind === "unscored" ? null : prediction.rating.toFixed(2);
  });
  console.log(`100 at five stars and 100 at one: ${loved} and ${hated}`);
}
