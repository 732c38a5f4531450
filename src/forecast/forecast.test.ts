import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { measureForecast } from "../../training/forecast/measure-forecast.ts";
import { audiencesOf, ratedBookSchema, trainForecast } from "../../training/forecast/train-forecast.ts";
import { seededRandom } from "../core/random.ts";
import { kendallTau } from "../stats/index.ts";
import { authorEffect, type Forecast, forecaster } from "./forecast.ts";
import { encodeForecast, readForecastModel, WEIGHTS_FILE } from "./forecast-model.ts";

const FILLER = "the a of and in with story who finds that her his they must".split(" ");

/** A world of two tastes: readers love lighthouses and dislike swamps, in premise and genre alike. */
function inventedBooks(count: number) {
  const random = seededRandom(9);
  return Array.from({ length: count }, (_, index) => {
    const loved = random() < 0.5;
    const lesser = random() < 0.5;
    const words = Array.from({ length: 30 }, () => FILLER[Math.floor(random() * FILLER.length)]!);
    return ratedBookSchema.parse({
      id: `book-${index}`,
      // Every third book's author is a favourite: all of that author's books do better than their words say.
      author: `author ${index % 30}`,
      title: `The ${lesser ? "Long" : "Short"} Way`,
      genres: [loved ? "Maritime" : "Swamp", "Adult"],
      premise: [...words, loved ? "lighthouse" : "swamp"].join(" "),
      words: 60_000 + Math.floor(random() * 60_000),
      plot_summary: [...words, lesser ? "reunion" : "betrayal", loved ? "lighthouse" : "swamp"].join(" "),
      characters: "a keeper and the sea",
      average_rating:
        Math.round(
          (3.6 + (loved ? 0.4 : -0.4) + (lesser ? 0.15 : -0.15) + (index % 3 === 0 ? 0.1 : -0.1) + 0.1 * random()) *
            100,
        ) / 100,
      ratings_5_to_1: index % 2 === 0 ? [50, 40, 30, 10, 5] : [50_000, 40_000, 30_000, 10_000, 5000],
    });
  });
}

const books = inventedBooks(90);
const trained = trainForecast(
  { books, reviews: [], aspects: [], map: () => ({ kind: "unmapped" }) },
  { seed: 1, onProgress: () => {} },
);
const forecast = forecaster(trained.model);

function made(result: ReturnType<typeof forecast>): Forecast {
  if (result.kind !== "forecast") throw new Error(result.reason);
  return result;
}

describe("a forecast", () => {
  it("orders books it has not seen as readers do, and covers nine in ten of their ratings", () => {
    const genres = books.map((book) => String(book.genres));
    const quality = measureForecast(trained.unseen, trained.targets, trained.model.names, {
      genres,
      kinds: genres,
      audiences: audiencesOf(books),
      authors: books.map(({ author }) => author),
    });
    expect(quality.rating.kendall).toBeGreaterThan(0.6);
    expect(quality.coverage).toBeGreaterThan(0.8);
    expect(quality.withinGenre.kendall).toBeGreaterThan(0.3);
    expect(quality.withinKind.kendall).toBe(quality.withinGenre.kendall);
    expect(quality.byFields.genres!.kendall).toBeLessThan(quality.rating.kendall);
  });

  it("chose its design inside every fold, and the one that ships by the same rule", () => {
    expect(trained.unseen.designs).toHaveLength(10);
    const best = Math.max(...trained.choice.scores.map(({ kendall }) => kendall));
    expect(trained.choice.scores.find(({ design }) => design === trained.model.training.design)!.kendall).toBe(best);
  });

  it("says exactly what moved it: the reasons add up to the rating less the baseline", () => {
    const all = forecaster(trained.model, { reasons: 10_000 });
    const { rating, baseline, why } = made(all(books[3]!));
    const sum = why.reduce((total, { effect }) => total + effect, 0);
    expect(baseline + sum).toBeCloseTo(rating, 2);
    expect(why.find(({ term }) => term !== null)!.term).toMatch(/lighthouse|swamp|maritime/);
  });

  it("is made from whatever is given, with a wider interval the less that is", () => {
    const whole = made(forecast(books[0]!));
    const alone = made(forecast({ premise: books[0]!.premise ?? null }));
    expect(alone.fields).toEqual(["premise"]);
    expect(alone.interval[1] - alone.interval[0]).toBeGreaterThan(whole.interval[1] - whole.interval[0]);
    expect(made(forecast({ genres: ["Maritime"] })).rating).toBeGreaterThan(
      made(forecast({ genres: ["swamp"] })).rating,
    );
  });

  it("is moved by how the author's earlier books were rated, less by one than by many, and says so", () => {
    const [book] = books;
    const plain = made(forecast(book!));
    const liked = { title: "Before", average_rating: plain.rating + 0.5 };
    const one = made(forecast({ ...book!, earlier_books: [liked] }));
    const many = made(forecast({ ...book!, earlier_books: [liked, liked, liked, liked] }));
    expect(one.rating).toBeGreaterThan(plain.rating);
    expect(many.rating).toBeGreaterThan(one.rating);
    expect(many.rating).toBeLessThan(plain.rating + 0.5);
    const all = made(forecaster(trained.model, { reasons: 10_000 })({ ...book!, earlier_books: [liked] }));
    expect(all.baseline + all.why.reduce((total, { effect }) => total + effect, 0)).toBeCloseTo(all.rating, 2);
    expect(all.why.find(({ field }) => field === "earlier_books")!.effect).toBeCloseTo(one.rating - plain.rating, 2);
    // One earlier book is told by the share alone; very many by all that they missed.
    expect(authorEffect([0.4], 0.5)).toBeCloseTo(0.2);
    expect(
      authorEffect(
        Array.from({ length: 1000 }, () => 0.4),
        0.5,
      ),
    ).toBeCloseTo(0.4, 2);
  });

  it("has a range of its own for each size of audience", () => {
    const ranges = [undefined, 100, 500_000].map((ratings) => {
      const { rating, interval } = made(forecast({ ...books[1]!, expected_ratings: ratings }));
      return [interval[0] - rating, interval[1] - rating];
    });
    expect(ranges[1]).not.toEqual(ranges[2]);
    expect(ranges[1]).not.toEqual(ranges[0]);
  });

  it("is not made from a sentence or a title alone", () => {
    const reason = "too little to go by (3 words and no genres)";
    expect(forecast({ plot_summary: "The lighthouse sat." })).toMatchObject({
      kind: "unscored",
      reason: expect.stringContaining(reason),
    });
    expect(forecast({ title: "The Long Way" })).toMatchObject({ kind: "unscored" });
    // Exports write an empty list where genres are unknown.
    expect(forecast({ plot_summary: "The lighthouse sat.", genres: [] })).toMatchObject({ kind: "unscored" });
  });

  it("is explained by words that say something", () => {
    const all = forecaster(trained.model, { reasons: 10_000 });
    const terms = made(all(books[3]!)).why.flatMap(({ term }) => term ?? []);
    expect(terms.length).toBeGreaterThan(3);
    expect(terms.filter((term) => ["the", "a", "of", "and", "in", "with", "they"].includes(term))).toEqual([]);
  });

  it("is not made from nothing, nor from a language it has not learnt", () => {
    expect(forecast({})).toMatchObject({ kind: "unscored", reason: expect.stringContaining("give a title") });
    expect(forecast({ premise: "" }).kind).toBe("unscored");
    const foreign = { plot_summary: "一个关于灯塔看守人的故事，他必须在暴风雨之夜做出选择。" };
    expect(forecast(foreign)).toMatchObject({ kind: "unscored", reason: expect.stringContaining("English") });
  });

  it("ignores what it cannot read when there is something it can", () => {
    const mixed = made(
      forecast({ genres: ["Maritime"], premise: "Ein Leuchtturmwärter sucht seinen verschollenen Bruder." }),
    );
    expect(mixed.fields).toEqual(["genres"]);
    expect(mixed.unrecognised).toEqual(["premise"]);
  });

  it("tells an empty list of genres from none given", () => {
    expect(forecast({ genres: null }).kind).toBe("unscored");
  });

  it("places the rating among the training books", () => {
    const ratings = books.map((book) => made(forecast(book)));
    const best = ratings.reduce((left, right) => (left.rating > right.rating ? left : right));
    const worst = ratings.reduce((left, right) => (left.rating < right.rating ? left : right));
    expect(best.percentile).toBeGreaterThan(70);
    expect(worst.percentile).toBeLessThan(30);
    const order = kendallTau(
      ratings.map(({ rating }) => rating),
      ratings.map(({ percentile }) => percentile),
    );
    expect(order.value).toBeGreaterThan(0.95);
  });
});

describe("a forecast on disk", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "forecast-"));
    await writeFile(join(folder, WEIGHTS_FILE), encodeForecast(trained.model));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it("forecasts what it forecast before it was written", () => {
    const again = forecaster(readForecastModel(folder));
    for (const book of books.slice(0, 5)) expect(made(again(book)).rating).toBeCloseTo(made(forecast(book)).rating, 3);
  });

  it("is refused once a bit of it has changed", async () => {
    const path = join(folder, WEIGHTS_FILE);
    const bytes = await readFile(path);
    bytes[bytes.length - 100]! ^= 1;
    await writeFile(path, bytes);
    expect(() => readForecastModel(folder)).toThrow(/do not match their checksum/);
  });
});
