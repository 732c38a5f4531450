import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { inputs } from "../../test/support/inputs.ts";
import { learnTone } from "../../training/forecast/train-forecast.ts";
import { seededRandom } from "../core/random.ts";
import { loadRubric } from "../criteria/load-rubric.ts";
import { loadAspectVocabulary } from "./aspect-vocabulary.ts";
import { analyseCriteria } from "./criteria-analysis.ts";
import { type AspectMapper, aspectMapper, nameSimilarity } from "./map-aspect.ts";
import { mitigate } from "./mitigation.ts";
import { learnRatingScale, momentsOf } from "./normalise-ratings.ts";
import { sampleBook } from "./sample-reviews.ts";
import { wordOverlap } from "./structure-review.ts";

describe("names of aspects", () => {
  let map: AspectMapper;
  beforeAll(async () => {
    map = aspectMapper(await loadAspectVocabulary(), await loadRubric("long-story"));
  });

  it.each([
    ["Plot and Storyline", "plot", null],
    ["The Book's Overall Pacing", "plot", "plot-development"],
    ["Character Developement", "characters", "character-development"],
    ["depth of character", "characters", "characterisation"],
    ["WORLD BUILDING", "world", "world-building"],
    ["Author’s writing style", "writing", "writing-style"],
    ["Emotional Impact", "emotion", null],
    ["Expectation Fulfillment", "expectation", null],
    ["world", "world", null],
  ])("%s belongs to %s", (name, aspect, part) => {
    expect(map(name)).toMatchObject({ kind: "aspect", aspect, part });
  });

  it("knows what is said of books but is no aspect of the story, and what it does not know", () => {
    expect(map("Trigger warnings")).toMatchObject({ kind: "other", other: "content-warnings" });
    expect(map("Cover Art")).toMatchObject({ kind: "other", other: "design" });
    expect(map("Shipping damage")).toEqual({ kind: "unmapped" });
    expect(map("")).toEqual({ kind: "unmapped" });
  });

  it("compares names by their letter pairs", () => {
    expect(nameSimilarity("night", "nacht")).toBeCloseTo(0.25);
    expect(nameSimilarity("character depth", "depth character")).toBe(1);
    expect(nameSimilarity("plot", "x")).toBe(0);
  });
});

describe("ratings on one scale", () => {
  const random = seededRandom(3);
  const ratings = Array.from({ length: 4000 }, (_, index) => {
    const reader = Math.floor(index / (1 + (index % 7)));
    const generous = reader % 2 === 0 ? 0.8 : -0.8;
    return {
      reviewer: `r${reader % 900}`,
      rating: Math.min(5, Math.max(1, Math.round(3.5 + generous + 2 * (random() - 0.5)))),
    };
  });

  it("have the platform's mean and deviation exactly", () => {
    const platform = { mean: 3.93, deviation: 0.94 };
    const scale = learnRatingScale(ratings, platform);
    const after = momentsOf(ratings.map((rating) => ({ rating: scale.normalise(rating) })));
    expect(after.mean).toBeCloseTo(3.93, 9);
    expect(after.deviation).toBeCloseTo(0.94, 9);
  });

  it("rank the same star of a strict reader above that of a generous one", () => {
    const habits = [
      ...Array.from({ length: 40 }, (_, index) => ({ reviewer: "strict", rating: 2 + (index % 2) })),
      ...Array.from({ length: 40 }, (_, index) => ({ reviewer: "generous", rating: 4 + (index % 2) })),
    ];
    const scale = learnRatingScale(habits);
    expect(scale.normalise({ reviewer: "strict", rating: 4 })).toBeGreaterThan(
      scale.normalise({ reviewer: "generous", rating: 4 }),
    );
  });

  it("stay finite for readers who rated once, or always the same, or never", () => {
    const lone = [
      { reviewer: "once", rating: 5 },
      { reviewer: "same", rating: 3 },
      { reviewer: "same", rating: 3 },
      { reviewer: "other", rating: 1 },
    ];
    const scale = learnRatingScale(lone);
    for (const reviewer of ["once", "same", "other", "nobody"]) {
      expect(Number.isFinite(scale.normalise({ reviewer, rating: 4 }))).toBe(true);
    }
    const flat = learnRatingScale([{ reviewer: "a", rating: 4 }]);
    expect(flat.normalise({ reviewer: "a", rating: 4 })).toBe(4);
  });
});

describe("reviews that follow the ratings", () => {
  it("match within a point and a rounding step at every star, or are not kept", () => {
    const counts = fc.tuple(...Array.from({ length: 5 }, () => fc.integer({ min: 0, max: 60 })));
    fc.assert(
      fc.property(counts, counts, fc.integer(), (available, ratings, seed) => {
        const reviews = available.flatMap((count, place) =>
          Array.from({ length: count }, () => ({ book: "b", rating: 5 - place })),
        );
        const total = ratings.reduce((sum, count) => sum + count, 0);
        const kept = sampleBook(
          reviews,
          [ratings[0]!, ratings[1]!, ratings[2]!, ratings[3]!, ratings[4]!],
          seededRandom(seed),
        );
        expect(new Set(kept).size).toBe(kept.length);
        if (kept.length === 0 || total === 0) return;
        ratings.forEach((count, place) => {
          const share = kept.filter(({ rating }) => rating === 5 - place).length / kept.length;
          // Up to a point may be missing at each of the other stars, which makes this one's share larger.
          expect(Math.abs(share - count / total)).toBeLessThan(0.06 + 1 / kept.length);
        });
      }),
      { numRuns: inputs(60) },
    );
  });

  it("are as many as the scarcest star allows", () => {
    const reviews = [
      ...Array.from({ length: 100 }, () => ({ book: "b", rating: 5 })),
      ...Array.from({ length: 10 }, () => ({ book: "b", rating: 3 })),
    ];
    const { kept, mitigation } = mitigate(reviews, new Map([["b", [50, 0, 50, 0, 0]]]), seededRandom(1));
    expect(kept.filter(({ rating }) => rating === 3)).toHaveLength(10);
    expect(kept.length).toBeLessThanOrEqual(21);
    expect(kept.length).toBeGreaterThanOrEqual(20);
    expect(mitigation.largestDifference).toBeLessThan(3);
  });
});

describe("what readers write", () => {
  it("must stand on the review's own words", () => {
    expect(wordOverlap("The harbour felt real", "the harbour felt REAL, you can smell the rope")).toBe(1);
    expect(wordOverlap("A triumph of modern fiction", "meh")).toBe(0);
    expect(wordOverlap("", "meh")).toBe(0);
  });

  it("has a tone that can be learnt from the stars", () => {
    const lessons = Array.from({ length: 200 }, (_, index) =>
      index % 2 === 0
        ? { text: "the characters are vivid and moving", rating: 5 }
        : { text: "the characters are flat and not believable", rating: 2 },
    );
    const tone = learnTone(lessons);
    expect(tone("vivid and moving")).toBeGreaterThan(4);
    expect(tone("flat, not believable")).toBeLessThan(3);
  });

  it("is counted by rating and genre, and compared with the book's rating", () => {
    const books = new Map(
      Array.from({ length: 12 }, (_, index) => [`b${index}`, { genres: ["Horror"], averageRating: 3 + index / 10 }]),
    );
    const reviews = [...books].flatMap(([book, { averageRating }]) =>
      Array.from({ length: 6 }, (_, index) => ({
        book,
        rating: Math.min(5, averageRating + index / 10),
        aspects: new Set(index % 2 === 0 || averageRating > 3.5 ? ["plot"] : ["themes"]),
      })),
    );
    const analysis = analyseCriteria(reviews, books, ["plot", "themes"], seededRandom(1));
    expect(analysis.overall.reviews).toBe(72);
    expect(analysis.overall.shares.plot! + analysis.overall.shares.themes!).toBeCloseTo(100);
    expect(analysis.byGenre[0]).toMatchObject({ group: "Horror", reviews: 72 });
    expect(analysis.significance[0]).toMatchObject({ aspect: "plot", kendall: 1 });
    expect(analysis.significance[1]).toMatchObject({ aspect: "themes", kendall: null });
  });
});
