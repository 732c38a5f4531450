import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { seededRandom, shuffled } from "../../core/random.ts";
import { readEarlierReview, readStory } from "./personal-model.ts";
import { loadPersonalModel, personalWeightsPath } from "./personal-weights.ts";
import { personalPredictor } from "./predict-rating.ts";
import { pairSchema, pastReviewSchema, storySchema } from "./story.ts";

const predict = personalPredictor(loadPersonalModel());

function pair(input: { history?: unknown; query: unknown }) {
  return predict(pairSchema.parse({ id: 1, ...input }));
}

function rated(input: { history?: unknown; query: unknown }) {
  const prediction = pair(input);
  if (prediction.kind === "unscored") throw new Error(prediction.reason);
  return prediction;
}

const query = {
  title: "The Salt Road",
  genres: ["Fantasy", "Romance"],
  premise: "A smuggler and a tax collector must cross the flats before the tide returns.",
  plot_summary:
    "Ines carries forbidden salt across the flats. Tomas is sent to stop her. Storms force them to share a boat, and they fall in love. In the end the harbour burns, but they are reunited and forgive each other.",
  characters: "Ines, a smuggler who trusts nobody. Tomas, a tax collector who has begun to doubt.",
};
const loved = (title: string) => ({
  title,
  genres: ["Fantasy"],
  plot_summary: "A queen loses her crown and finds her sister.",
  rating: 5,
  review: "I adored this. Beautiful, captivating, I could not put it down and cannot wait for the next one!",
});
const hated = (title: string) => ({
  title,
  genres: ["Fantasy"],
  plot_summary: "A queen loses her crown and finds her sister.",
  rating: 2,
  review: "Boring and predictable. The characters were flat, the writing clumsy, and I struggled to finish it.",
});

describe("the embedded personal predictor", () => {
  it("expects more of a reader who loved everything than of one who did not", () => {
    const generous = rated({ history: ["a", "b", "c"].map(loved), query });
    const exacting = rated({ history: ["a", "b", "c"].map(hated), query });
    expect(generous.rating - exacting.rating).toBeGreaterThan(0.7);
    expect(generous.interval[0]).toBeLessThan(generous.rating);
    expect(generous.interval[1]).toBeGreaterThanOrEqual(generous.rating);
  });

  it("accounts for every hundredth of a star: start and effects add up to the rating", () => {
    const { rating, start, why } = rated({ history: [loved("a"), hated("b"), hated("c")], query });
    expect(start + why.reduce((sum, { effect }) => sum + effect, 0)).toBeCloseTo(rating, 2);
    expect(
      why
        .filter(({ about }) => about === "history")
        .map(({ title }) => title)
        .sort(),
    ).toEqual(["a", "b", "c"]);
  });

  it("considers the words, not only the stars", () => {
    const warm = { ...loved("a"), rating: 3 };
    const cold = { ...hated("a"), rating: 3 };
    expect(rated({ history: [warm], query }).rating).toBeGreaterThan(rated({ history: [cold], query }).rating);
  });

  it("reads stars out of the words when the stars are missing", () => {
    const { rating, why } = rated({ history: [{ ...hated("a"), rating: null }], query });
    expect(rating).toBeLessThan(rated({ history: [], query }).rating);
    expect(why.some(({ text }) => text.includes("read like"))).toBe(true);
  });

  it("does not depend on the order of the reviews", () => {
    const history = [loved("a"), hated("b"), { ...loved("c"), rating: 4 }, { ...hated("d"), rating: 3 }];
    const ratings = [1, 2, 3].map((seed) => rated({ history: shuffled(history, seededRandom(seed)), query }).rating);
    expect(new Set(ratings).size).toBe(1);
  });

  it("prefers a known average to its own forecast", () => {
    const low = rated({ history: [loved("a")], query: { ...query, average_rating: 3.1 } });
    const high = rated({ history: [loved("a")], query: { ...query, average_rating: 4.6 } });
    expect(high.rating - low.rating).toBeGreaterThan(0.7);
  });

  it("reads a review with aspects like the same words in one text", () => {
    const aspects = { Plot: "Boring and predictable.", Characters: "Flat." };
    const joined = rated({ history: [{ ...hated("a"), review: "Boring and predictable.\nFlat." }], query });
    expect(rated({ history: [{ ...hated("a"), review: aspects }], query }).rating).toBe(joined.rating);
  });

  it.each([
    ["no history", { query }],
    ["a history of nulls", { history: [{ title: null, rating: null, review: null, genres: null }], query }],
    ["a title alone", { history: [{ title: "x", rating: "4" }], query: { title: "y" } }],
    ["fields of the wrong kind", { history: [{ genres: 3, rating: [], review: 7, premise: {} }], query }],
    ["genres in one string", { history: [{ ...loved("a"), genres: "Fantasy, Romance" }], query }],
    ["an average of zero", { history: [loved("a")], query: { ...query, average_rating: 0 } }],
  ])("still gives a rating on the scale: %s", (_, input) => {
    const { rating } = rated(input);
    expect(rating).toBeGreaterThanOrEqual(1);
    expect(rating).toBeLessThanOrEqual(5);
  });

  it("treats missing genres and texts as those of the average story, never as none", () => {
    const model = loadPersonalModel();
    const stories = [query, { ...query, genres: ["Romance"] }, { ...query, genres: ["Horror"] }];
    const added = stories.map((story) => model.stories.shares(storySchema.parse(story), model.storyWeights).at(-1)!);
    expect(added.every((share) => share !== null)).toBe(true);
    const [withGenres, without] = [query, { ...query, genres: [] }].map((story) =>
      readStory(model, storySchema.parse(story)),
    );
    const plain = { usualRating: model.trust.usualRating, trust: 1 };
    const swing = (read: typeof without) => (read!.forecast! - plain.usualRating) / read!.trust + plain.usualRating;
    expect(swing(withGenres) - swing(without)).toBeCloseTo(added[0]! - model.usualShares.at(-1)!, 9);
    // A genre that no story of the training has says as little as none.
    expect(readStory(model, storySchema.parse({ ...query, genres: ["Xyzzy"] })).shares.at(-1)).toBe(0);
    // An earlier story without genres is neither nearer nor further than others.
    const [none, unlike] = [[], ["Horror"]].map((genres) =>
      readEarlierReview(
        model,
        pastReviewSchema.parse({ genres, plot_summary: "A queen.", rating: 5 }),
        readStory(model, storySchema.parse({ genres, plot_summary: "A queen." })),
        withGenres!,
      ),
    );
    expect([none!.kinship, unlike!.kinship]).toEqual([null, 0]);
  });

  it("gives the reason if nothing is known", () => {
    expect(pair({ history: [{ title: "x" }], query: { title: "y" } })).toEqual({
      kind: "unscored",
      reason: "neither an earlier review nor a description of the story could be used",
    });
  });

  it("refuses weights that were altered", () => {
    const bytes = readFileSync(personalWeightsPath());
    bytes[5000] = bytes[5000]! ^ 1;
    const path = join(mkdtempSync(join(tmpdir(), "fabula-personal-")), "weights.bin");
    writeFileSync(path, bytes);
    expect(() => loadPersonalModel(path)).toThrow(/checksum/);
  });
});

describe("what moved a prediction", () => {
  const review =
    "I adored Rhysand and his wings. Violet was captivating, Xaden even more; Xaden made me cry and I devoured every page.";
  const past = { title: "Wings", genres: ["Fantasy"], plot_summary: "Rhysand rescues Violet.", rating: 5, review };

  it("quotes words of taste, never the names of characters", () => {
    const { why } = rated({ history: [past], query });
    const text = why.find(({ about }) => about === "history")!.text;
    expect(text).toMatch(/“(adored|captivating|devoured|cry)”/);
    expect(text).not.toMatch(/rhysand|violet|xaden/i);
  });

  it("writes ratings from other scales without a tail of decimals", () => {
    const { why, because } = rated({ history: [{ ...past, rating: 1 + 8 / 9 }], query });
    expect(why.find(({ about }) => about === "history")!.text).toContain("Gave it 1.89, ");
    expect(because).toContain("1.89 stars for");
  });

  it("says in one sentence what in the history points that way", () => {
    expect(rated({ history: [past, loved("a")], query }).because).toMatch(
      /^5 stars for “(Wings|a)” .*point up most\.$/,
    );
    expect(rated({ history: [hated("b")], query }).because).toContain("Fantasy like this one) points down most.");
    expect(rated({ history: [], query }).because).toBeNull();
    // A reader below others' level: what speaks for the story is named where the rating is above what others give.
    const { rating, because } = rated({
      history: [loved("a"), hated("b"), hated("c")],
      query: { ...query, average_rating: 1 },
    });
    expect(rating).toBeGreaterThan(1.05);
    expect(because).toContain("up most");
  });
});

describe("books given up", () => {
  const shelf = (given: object) => ["a", "b", "c", "d"].map((title) => ({ title, genres: ["Fantasy"], ...given }));

  it("count as what readers give who give a book up: less than an unknown opinion, more than one star", () => {
    const { givenUp } = loadPersonalModel();
    // Measured in training: more than one star, and no more than the two that such reviews carry most often.
    expect(givenUp!.reviews).toBeGreaterThan(200);
    expect(givenUp!.rating).toBeGreaterThan(1.7);
    expect(givenUp!.rating).toBeLessThan(2.2);
    const gaveUp = rated({ history: shelf({ status: "did-not-finish" }), query });
    const oneStar = rated({ history: shelf({ rating: 1 }), query });
    const nothing = rated({ history: [], query });
    expect(oneStar.rating).toBeLessThan(gaveUp.rating);
    expect(gaveUp.rating).toBeLessThan(nothing.rating);
    const reason = gaveUp.why.find(({ about }) => about === "history")!;
    expect(reason.text).toMatch(/^Gave it up \(readers who say so give \d\.\d on average\)/);
  });

  it("keep the stars that their reader gave them", () => {
    const given = rated({ history: shelf({ status: "did-not-finish", rating: 4 }), query });
    expect(given.rating).toBe(rated({ history: shelf({ rating: 4 }), query }).rating);
  });
});

describe("a description the predictor does not know", () => {
  const history = ["a", "b", "c"].map(loved);
  const forecastEffect = (story: object) =>
    Math.abs(rated({ history, query: story }).why.find(({ about }) => about === "story")!.effect);

  it("sums up a long history by kinds of books instead of naming tiny effects", () => {
    const shelf = (genre: string, rating: number) =>
      Array.from({ length: 40 }, (_, at) => ({ title: `${genre} ${at}`, genres: [genre], rating }));
    const { rating, start, why } = rated({ history: [...shelf("Fantasy", 4.5), ...shelf("Thriller", 2)], query });
    expect(start + why.reduce((sum, { effect }) => sum + effect, 0)).toBeCloseTo(rating, 2);
    const [alike, others] = ["share a genre", "of other genres"].map((words) =>
      why.find(({ text }) => text.includes(words)),
    );
    expect(alike!.text).toMatch(
      /^(All|Other) books that share a genre with this one, \d+ reviews: \d\.\d\d stars above/,
    );
    expect(others!.text).toMatch(/^Books of other genres, \d+ reviews: \d\.\d\d stars below/);
    expect(why.filter(({ about, effect }) => about === "history" && Math.abs(effect) < 0.015)).toEqual([]);
  });

  it("counts for less the further it is from the stories of the training, and says so", () => {
    const strange = {
      plot_summary:
        "Le contrebandier traverse les marais avant la marée. La douanière le poursuit; ils partagent une barque et tombent amoureux. Le port brûle.",
    };
    const foreign = rated({ history, query: strange });
    expect(foreign.descriptionTrust).toBeLessThan(0.3);
    expect(foreign.notes.join(" ")).toContain("reader's own ratings decide");
    expect(rated({ history, query }).descriptionTrust).toBeGreaterThan(foreign.descriptionTrust);
    expect(forecastEffect(strange)).toBeLessThan(0.15);
  });
});
