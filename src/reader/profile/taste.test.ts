import { describe, expect, it } from "vitest";
import { randomInteger, seededRandom, shuffled } from "../../core/random.ts";
import type { PastReview } from "../predictor/story.ts";
import { HISTORY_CURVE, thinProfileInWords } from "./profile-depth.ts";
import { levelDrift, readerTaste } from "./taste.ts";

const vocabulary = { version: 1, aspects: { plot: ["plot"] }, others: {} };
const review = (title: string, genre: string, rating: number, words: string) => ({
  title,
  genres: [genre],
  rating,
  average_rating: 4,
  review: words,
});

const othersOf = ({ average_rating }: PastReview) => average_rating ?? null;
const taste = (reviews: readonly PastReview[], seed = 1) =>
  readerTaste(reviews, { othersOf, givenUpStars: 2 }, vocabulary, (aspect) => aspect, seededRandom(seed));

describe("what a reader rewards and punishes compared with others", () => {
  it("names genres and aspects with the reviews behind them, beyond the reader's general level", () => {
    const reviews = [0, 1, 2, 3, 4].flatMap((at) => [
      review(`Wings ${at}`, "Fantasy", 5, "I flew through it. What a plot!"),
      review(`Clues ${at}`, "Mystery", 2, "I guessed it on page nine."),
    ]);
    const { rewards, punishes } = taste(reviews);
    expect(rewards.map(({ name }) => name).sort()).toEqual(["Fantasy", "plot"]);
    expect(punishes).toMatchObject([{ kind: "genre", name: "Mystery", reviews: 5 }]);
    const plot = rewards.find(({ kind }) => kind === "aspect")!;
    // Ten books say little: the interval shows how little, and excludes zero.
    expect(plot).toMatchObject({ difference: expect.closeTo(3), mean: 5, elsewhere: 2 });
    expect(plot.interval[0]).toBeGreaterThan(0);
    expect(plot.interval[1] - plot.interval[0]).toBeGreaterThan(0.5);
    expect(plot.evidence[0]).toMatchObject({
      title: "Wings 0",
      rating: 5,
      others: 4,
      isAverage: true,
      quote: "What a plot!",
    });
  });

  it("counts books given up, without making stars of them in the evidence", () => {
    const reviews = [0, 1, 2, 3, 4, 5].flatMap((at) => [
      review(`Wings ${at}`, "Fantasy", 5, ""),
      { title: `Clues ${at}`, genres: ["Mystery"], average_rating: 4, status: "did-not-finish" as const },
    ]);
    const { punishes } = taste(reviews);
    expect(punishes).toMatchObject([{ kind: "genre", name: "Mystery", reviews: 6, givenUp: 6 }]);
    expect(taste([...reviews].reverse())).toEqual(taste(reviews));
    expect(punishes[0]!.evidence.map(({ rating }) => rating)).toEqual([null, null]);
  });

  it("does not read indifference to what others give as punishing what they love", () => {
    const random = seededRandom(3);
    const reviews = Array.from({ length: 160 }, (_, at) => ({
      ...review(`book ${at}`, at % 2 === 0 ? "Loved" : "Hated", 1 + ((randomInteger(random, 5) + at) % 5), ""),
      average_rating: at % 2 === 0 ? 4.7 : 3.1,
    }));
    expect(taste(reviews)).toMatchObject({ rewards: [], punishes: [] });
  });

  it("names nothing from only four ratings, whatever they are", () => {
    const four = [review("a", "Fantasy", 5, ""), review("b", "Fantasy", 5, ""), review("c", "Mystery", 1, "")];
    expect(taste([...four, review("d", "Mystery", 1, "")])).toMatchObject({ rewards: [], punishes: [] });
  });

  it("names moods and pace of books whose averages, genres and plots are unknown, as in StoryGraph's export", () => {
    const reviews = Array.from({ length: 40 }, (_, at) => ({
      ...{ title: `Book ${at}`, genres: [], moods: [at % 4 === 0 ? "dark" : "hopeful"] },
      ...{ pace: at % 3 === 0 ? "slow" : "fast", rating: 3 + (at % 4 === 0 ? 1.5 : 0) + (at % 2) / 4 },
    }));
    const { compared, rewards } = taste(reviews);
    expect(compared).toBe(0);
    expect(rewards).toMatchObject([{ kind: "mood", name: "dark", reviews: 10, mean: 4.5 }]);
    expect(rewards[0]!.evidence[0]).toMatchObject({ others: null, isAverage: false });
    // Where the averages of some are known, the rest still count.
    const some = reviews.map((one, at) => (at % 5 === 0 ? { ...one, average_rating: 3.5 + (at % 3) / 2 } : one));
    expect(taste(some)).toMatchObject({ compared: 8, rewards: [{ kind: "mood", name: "dark", reviews: 10 }] });
  });

  it("names nothing from two ratings of books about which nothing is known", () => {
    expect(
      taste([
        { title: "A", genres: [], rating: 4 },
        { title: "B", genres: [], rating: 2 },
      ] as never),
    ).toMatchObject({ rewards: [], punishes: [] });
  });

  it("sees no drift in ratings of books about which nothing is known", () => {
    const dated = (at: number, known: object) => ({
      ...{ title: `Book ${at}`, genres: [], rating: at < 12 ? 3 + (at % 2) : 4 + (at % 2) },
      ...{ date: `20${10 + at}-01-01`, ...known },
    });
    const years = Array.from({ length: 24 }, (_, at) => at);
    const known = years.map((at) => dated(at, { average_rating: 4 }));
    expect(levelDrift(known, othersOf)?.difference).toBeCloseTo(1);
    const unknown = years.map((at) => dated(at, {}));
    expect(levelDrift(unknown, othersOf)).toBeNull();
  });

  it("is found in at most one of twenty readers who rate at random, however many genres they read", () => {
    const random = seededRandom(11);
    const genres = Array.from({ length: 15 }, (_, at) => `genre ${at}`);
    const readers = 200;
    let withTaste = 0;
    for (let reader = 0; reader < readers; reader++) {
      const reviews = Array.from({ length: 10 + (reader % 4) * 15 }, (_, at) => ({
        ...review(`book ${at}`, "", 1 + randomInteger(random, 5), random() < 0.5 ? "The plot." : "The prose."),
        genres: shuffled(genres, random).slice(0, 3),
      }));
      const { rewards, punishes } = taste(reviews, reader);
      if (rewards.length + punishes.length > 0) withTaste++;
    }
    // One in twenty is 10 of 200; 19 is three standard deviations above that.
    expect(withTaste).toBeLessThanOrEqual(19);
  });

  it("is found if a reader of thirty books gives a genre one star more", () => {
    const random = seededRandom(5);
    let found = 0;
    for (let reader = 0; reader < 40; reader++) {
      const reviews = Array.from({ length: 30 }, (_, at) => {
        const genre = `genre ${at % 5}`;
        return review(`book ${at}`, genre, 3 + random() + (genre === "genre 0" ? 1 : 0), "");
      });
      const { rewards } = taste(reviews, reader);
      if (rewards.some(({ name }) => name === "genre 0")) found++;
    }
    expect(found).toBeGreaterThan(36);
  });

  it("says how many more ratings would help, until there are enough", () => {
    const [now, then] = [HISTORY_CURVE[1], HISTORY_CURVE[4]].map((value) => value.toFixed(2));
    expect(thinProfileInWords(2)).toMatch(new RegExp(`with 2 ratings.* ${now};.*3 more.* ${then}\\.`));
    expect(thinProfileInWords(0)).toContain("No ratings yet");
    expect(thinProfileInWords(5)).toBeNull();
  });
});
