import { describe, expect, it } from "vitest";
import { seededRandom } from "../core/random.ts";
import { pearson } from "../stats/correlation.ts";
import { factorise, type Rating } from "./baselines.ts";

/** Two kinds of readers, two kinds of books: each kind of reader loves its own kind of book. */
function world(seed: number) {
  const random = seededRandom(seed);
  const ratings: Rating[] = [];
  for (let reader = 0; reader < 120; reader++) {
    for (let book = 0; book < 30; book++) {
      if (random() < 0.4) ratings.push({ reader, book, rating: taste(reader, book) + (random() - 0.5) });
    }
  }
  return ratings;
}
const taste = (reader: number, book: number) => 3 + (reader % 2 === book % 2 ? 1 : -1) + (book % 3) / 3;

describe("matrix factorisation", () => {
  const model = factorise(
    world(1),
    { readers: 120, books: 30 },
    { rank: 3, penalty: 1, biasPenalty: 1, rounds: 12, random: seededRandom(2) },
  );

  it("folds in a new reader from three ratings and recognises their kind", () => {
    const predicted: number[] = [];
    const truth: number[] = [];
    for (const reader of [0, 1]) {
      const history = [0, 1, 2].map((book) => ({ book, rating: taste(reader, book) }));
      for (let book = 3; book < 30; book++) {
        predicted.push(model.predict(history, book));
        truth.push(taste(reader, book));
      }
    }
    expect(pearson(predicted, truth).value).toBeGreaterThan(0.9);
  });

  it("falls back on the book's level for a reader without ratings", () => {
    expect(model.predict([], 2)).toBeGreaterThan(model.predict([], 0));
  });
});
