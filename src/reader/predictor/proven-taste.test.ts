import { describe, expect, it } from "vitest";
import { seededRandom, shuffled } from "../../core/random.ts";
import { loadPersonalModel } from "./personal-weights.ts";
import { personalPredictor } from "./predict-rating.ts";
import { pairSchema } from "./story.ts";

const predict = personalPredictor(loadPersonalModel());

function rated(history: readonly object[], genres: readonly string[]) {
  const query = { title: "Asked about", genres, average_rating: 4.1 };
  const prediction = predict(pairSchema.parse({ id: 1, history, query }));
  if (prediction.kind === "unscored") throw new Error(prediction.reason);
  return prediction;
}

/** Books of two genres, this many of each, with these stars. */
function shelf(each: number, science: readonly number[], romance: readonly number[]) {
  const books = (genre: string, stars: readonly number[]) =>
    Array.from({ length: each }, (_, at) => ({
      ...{ title: `${genre} ${at}`, genres: [genre], average_rating: 4.1 },
      rating: stars[at % stars.length]!,
    }));
  return [...books("Science Fiction", science), ...books("Romance", romance)];
}

/** The same books, each with a genre that all of them have. */
function fiction(books: ReturnType<typeof shelf>) {
  return books.map((book) => ({ ...book, genres: ["Fiction", ...book.genres] }));
}

const isOwn = ({ text }: { readonly text: string }) => /^(Your own ratings of|What your own ratings prove)/.test(text);

describe("a taste that a reader's own ratings prove", () => {
  it("is followed: a hundred books of five stars, a hundred of one", () => {
    const history = shelf(100, [5], [1]);
    expect(rated(history, ["Science Fiction"]).rating).toBeGreaterThan(4.7);
    expect(rated(history, ["romance"]).rating).toBeLessThan(1.5);
  });

  it("is named as a reason, and the reasons still add up to the rating", () => {
    const { rating, start, why } = rated(shelf(12, [5, 4, 4], [2, 3, 2]), ["Romance", "Western"]);
    expect(start + why.reduce((sum, { effect }) => sum + effect, 0)).toBeCloseTo(rating, 2);
    const own = why.find(isOwn)!;
    expect(own.effect).toBeLessThan(-0.5);
    expect(own.text).toBe("Your own ratings of Romance, which pull this one down further than chance explains.");
  });

  it("is remembered for a history, for as long as that stays the same", () => {
    const { history, query } = pairSchema.parse({
      ...{ id: 1, history: shelf(20, [5], [1]) },
      query: { title: "Asked about", genres: ["Romance"], average_rating: 4.1 },
    });
    const reading = personalPredictor(loadPersonalModel());
    const first = reading({ history, query });
    expect(reading({ history, query })).toEqual(first);
    for (const [at, book] of history.entries()) history[at] = { ...book, rating: 3 };
    expect(reading({ history, query })).toEqual(predict({ history: [...history], query }));
  });

  it("does not name a genre that the reader loves as a reason against a book", () => {
    const history = shelf(80, [5], [1]).slice(0, 100);
    const own = rated(history, ["Science Fiction", "Western", "Mystery", "Art"]).why.find(isOwn)!;
    expect(own.effect).toBeLessThan(0);
    expect(own.text).toMatch(/^What your own ratings prove about its genres, beyond /);
    expect(rated(history, ["Science Fiction", "Romance"]).why.find(isOwn)!.text).toContain("of Romance, which pull");
  });

  it("is still followed if every book has another genre too", () => {
    const history = fiction(shelf(80, [5], [2]).slice(0, 100));
    expect(rated(history, ["Fiction", "Romance"]).rating).toBeLessThan(3);
  });

  it.each([
    ["too few ratings", shelf(7, [5], [1]), ["Romance"]],
    ["the same stars for both", shelf(30, [5, 4, 3], [3, 5, 4]), ["Romance"]],
    ["five stars for all", shelf(30, [5], [5]), ["Romance"]],
    ["genres that the reader has not rated", shelf(30, [5], [1]), ["Western"]],
    ["a genre that every book has", fiction(shelf(80, [5], [2]).slice(0, 100)), ["Fiction"]],
    ["a story without genres", shelf(30, [5], [1]), []],
  ])("changes nothing with %s", (_, history, genres) => {
    expect(rated(history, genres).why.some(isOwn)).toBe(false);
  });

  it("is hardly ever found if genres are assigned to the books at random", () => {
    let found = 0;
    for (let reader = 0; reader < 100; reader++) {
      const books = shelf(20, [5, 4, 5], [2, 1, 3]);
      const genres = shuffled(
        books.map((book) => book.genres),
        seededRandom(reader),
      );
      const dealt = books.map((book, at) => ({ ...book, genres: genres[at]! }));
      if (rated(dealt, ["Romance"]).why.some(isOwn)) found++;
    }
    expect(found).toBeLessThanOrEqual(5);
  });
});
