import { describe, expect, it } from "vitest";
import { seededRandom } from "../core/random.ts";
import { pearson } from "../stats/correlation.ts";
import { type BaselineName, baselinePredictor, factorise, type KnownRating, type Rating } from "./baselines.ts";
import { loadPersonalModel } from "./predictor/personal-weights.ts";
import { pairSchema } from "./predictor/story.ts";

const model = loadPersonalModel();
const past = (title: string, rating: number) => ({ title, genres: ["Fantasy"], rating });
const pair = (history: unknown[], query: unknown) => pairSchema.parse({ id: 1, history, query });
const rating = (name: BaselineName, asked: ReturnType<typeof pair>, ratings: KnownRating[] | null = null) => {
  const prediction = baselinePredictor(name, model, ratings)(asked);
  return prediction.kind === "predicted" ? prediction.rating : prediction.reason;
};

/** Half of the readers love the odd books, half the even ones. */
const ratings: KnownRating[] = Array.from({ length: 60 }, (_, reader) =>
  Array.from({ length: 10 }, (_, book) => ({
    reader: `r${reader}`,
    book: `Book ${book}`,
    rating: (reader + book) % 2 === 0 ? 5 : 2,
  })),
).flat();

describe("baselines", () => {
  it("give the mean of the stars, and nothing without stars", () => {
    expect(rating("mean", pair([past("a", 5), past("b", 2), { title: "c" }], { title: "d" }))).toBe(3.5);
    expect(rating("mean", pair([], { title: "d" }))).toMatch(/no earlier review/);
  });

  it("shift what everyone gives by how far the reader was from it before", () => {
    const query = { title: "d", average_rating: 4 };
    const strict = rating("bias-and-forecast", pair([{ ...past("a", 2), average_rating: 4 }], query));
    expect(strict).toBeGreaterThan(2);
    expect(strict).toBeLessThan(4);
    expect(rating("bias-and-forecast", pair([], query))).toBe(4);
    expect(rating("bias-and-forecast", pair([], {}))).toMatch(/neither/);
  });

  it("factorise what others gave, and recognise a kind of reader from three titles", () => {
    const history = [past("book 0", 5), past("Book 1", 2), past("Book 2", 5)];
    const even = rating("matrix-factorisation", pair(history, { title: "Book 4" }), ratings);
    const odd = rating("matrix-factorisation", pair(history, { title: "Book 5" }), ratings);
    expect(Number(even) - Number(odd)).toBeGreaterThan(0.5);
    expect(rating("matrix-factorisation", pair(history, { title: "Unread" }), ratings)).toMatch(/has no ratings/);
    expect(rating("matrix-factorisation", pair(history, { book: "book 4", title: "Other name" }), ratings)).toBe(even);
  });

  it("ask for the ratings that factorisation needs", () => {
    expect(() => baselinePredictor("matrix-factorisation", model, null)).toThrow(/--ratings/);
  });
});

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
