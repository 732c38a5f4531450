import { type Random, randomInteger, seededRandom, shuffled } from "../../src/core/random.ts";
import { givenUpStars } from "../../src/reader/predictor/personal-model.ts";
import { loadPersonalModel } from "../../src/reader/predictor/personal-weights.ts";
import type { PastReview } from "../../src/reader/predictor/story.ts";
import { readerTaste } from "../../src/reader/profile/taste.ts";
import { wilsonInterval } from "../../src/stats/index.ts";
import { defineEval, type Figure } from "../part.ts";

const READERS = 1000;
const LENGTHS = [8, 15, 30, 60, 100];
const GENRES = 24;
const ASPECTS = ["plot", "characters", "prose", "pacing", "ending", "humour"];

/** Readers drawn by the seed whose tastes are known: none at all, or a star more for one genre. */
export default defineEval({
  id: "reader-tastes",
  title: "Tastes that `reader profile show` names, for readers drawn by chance (no data needed)",
  data: {},
  async run(_paths, onProgress) {
    const known = {
      othersOf: ({ average_rating }: PastReview) => average_rating ?? null,
      givenUpStars: givenUpStars(loadPersonalModel()),
    };
    const vocabulary = { version: 1, aspects: Object.fromEntries(ASPECTS.map((name) => [name, [name]])), others: {} };
    const share = (id: string, name: string, better: Figure["better"], draw: (random: Random, at: number) => Drawn) => {
      const random = seededRandom(47);
      let found = 0;
      for (let reader = 0; reader < READERS; reader++) {
        const { reviews, counts } = draw(random, reader);
        const { rewards, punishes } = readerTaste(reviews, known, vocabulary, (aspect) => aspect, random);
        if (counts([...rewards, ...punishes].map((entry) => entry.name))) found++;
        if (reader % 100 === 99) onProgress({ stage: id, done: reader + 1, total: READERS });
      }
      const interval = wilsonInterval(found, READERS, 0.95);
      return { id, name, value: found / READERS, interval, n: READERS, better };
    };
    const any = (names: readonly string[]) => names.length > 0;
    const favourite = (names: readonly string[]) => names.includes("genre 0");
    const length = (at: number) => LENGTHS[at % LENGTHS.length]!;
    return [
      share(
        "random",
        "Readers given a taste who rate at random, 8 to 100 ratings, any stars alike",
        "lower",
        (r, at) => ({
          reviews: books(r, length(at)).map((book) => ({ ...book, rating: 1 + randomInteger(r, 5) })),
          counts: any,
        }),
      ),
      share(
        "random-kind",
        "Readers given a taste who rate at random, mostly four and five stars",
        "lower",
        (r, at) => ({
          reviews: books(r, length(at)).map((book) => ({ ...book, rating: [3, 4, 4, 5, 5, 5][randomInteger(r, 6)]! })),
          counts: any,
        }),
      ),
      share("follow", "Readers given a taste who give what others give, give or take a star", "lower", (r, at) => ({
        reviews: books(r, length(at)).map((book) => ({ ...book, rating: whole(book.average_rating + noise(r)) })),
        counts: any,
      })),
      share(
        "random-unknown",
        "Readers given a taste who rate at random, moods and pace alone known of their books, as in StoryGraph's export",
        "lower",
        (r, at) => ({
          reviews: unknownBooks(r, length(at)).map((book) => ({ ...book, rating: 1 + randomInteger(r, 5) })),
          counts: any,
        }),
      ),
      ...[30, 60].map((ratings) =>
        share(
          `mood-${ratings}`,
          `Found: a mood that gets a star more, ${ratings} ratings, moods and pace alone known of the books`,
          "higher",
          (r) => ({
            reviews: unknownBooks(r, ratings).map((book) => {
              const extra = book.moods.includes(MOODS[0]) ? 1 : 0;
              return { ...book, rating: whole(3.4 + extra + noise(r)) };
            }),
            counts: (names) => names.includes(MOODS[0]),
          }),
        ),
      ),
      ...[15, 30, 60, 100].map((ratings) =>
        share(`favourite-${ratings}`, `Found: a genre that gets a star more, ${ratings} ratings`, "higher", (r) => ({
          reviews: books(r, ratings).map((book) => {
            const extra = book.genres.includes("genre 0") ? 1 : 0;
            return { ...book, rating: whole(book.average_rating - 0.5 + extra + noise(r)) };
          }),
          counts: favourite,
        })),
      ),
    ];
  },
});

interface Drawn {
  readonly reviews: readonly PastReview[];
  readonly counts: (names: readonly string[]) => boolean;
}

/** Genres differ in what others give them, as they do on any platform. */
function books(random: Random, count: number): (PastReview & { average_rating: number })[] {
  return Array.from({ length: count }, (_, at) => {
    // A reader reads some genres far more than others.
    const own = shuffled(
      Array.from({ length: GENRES }, (__, genre) => Math.floor(genre / (1 + random() * 3))),
      random,
    );
    const genres = [...new Set(own.slice(0, 3))];
    return {
      title: `Book ${at}`,
      genres: genres.map((genre) => `genre ${genre}`),
      average_rating: 3.4 + (genres[0]! / GENRES) * 1.1 + 0.2 * (random() - 0.5),
      review: `The ${shuffled(ASPECTS, random).slice(0, 2).join(" and the ")}.`,
    };
  });
}

const MOODS = ["dark", "hopeful", "tense", "reflective", "emotional", "funny", "sad", "adventurous"] as const;
const PACES = ["slow", "medium", "fast"];

/** Books without genres, descriptions or averages, each with two moods and a pace. */
function unknownBooks(random: Random, count: number) {
  return Array.from({ length: count }, (_, at) => ({
    ...{ title: `Book ${at}`, genres: [] },
    ...{ moods: shuffled(MOODS, random).slice(0, 2), pace: PACES[randomInteger(random, PACES.length)]! },
  }));
}

function noise(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function whole(rating: number): number {
  return Math.min(5, Math.max(1, Math.round(rating)));
}
