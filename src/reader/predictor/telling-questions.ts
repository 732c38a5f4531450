import { sumBy } from "../../stats/distribution.ts";
import { wordLikeness } from "./likeness.ts";
import { type PersonalModel, readStory } from "./personal-model.ts";
import type { Story } from "./story.ts";
import { genreSimilarity } from "./story-space.ts";
import { VOTE_NAMES } from "./votes.ts";

export interface TellingQuestion {
  /** Position in the list of books that could be asked about. */
  readonly candidate: number;
  /** The share of the uncertainty about the reader's ratings of the other stories that this rating would remove, from 0 to 1. */
  readonly settles: number;
  /** Positions of the stories that it says most about, nearest first. */
  readonly near: readonly number[];
}

/** How many stories of each kind are considered: more would take long and change little. The newest ratings come last. */
export const MOST = { history: 150, candidates: 200, wanted: 200 };
const NAMED = 2;
/** A rating that removes less is not worth asking for. */
const WORTH_ASKING = 0.001;

/**
 * Which ratings would teach most about a reader, one after the other. Ratings are assumed to vary together as the predictor's
 * votes do: by the reader's level, and the more the more alike two stories are. A rating that the history already implies, or
 * that says nothing about the wanted stories, settles little. The choice depends on no rating, known or expected (Bayesian
 * experimental design for a Gaussian process, A-optimality, greedy).
 */
export function tellingQuestions(
  model: PersonalModel,
  given: { readonly rated: readonly Story[]; readonly candidates: readonly Story[]; readonly wanted: readonly Story[] },
  count: number,
): TellingQuestion[] {
  const rated = given.rated.slice(-MOST.history);
  const candidates = given.candidates.slice(0, MOST.candidates);
  const wanted = given.wanted.slice(0, MOST.wanted);
  const stories = [...rated, ...candidates, ...wanted];
  const contents = stories.map((story) => readStory(model, story).content);
  const vote = (name: (typeof VOTE_NAMES)[number]) => model.heads.forecast.votes[VOTE_NAMES.indexOf(name)]!;
  const [byWords, byGenre] = [vote("likeness"), vote("kinship")].map((one) => Math.max(0, one / vote("rating")));
  // If one of two stories has no genres or no words, they count as alike as two stories usually are.
  const alike = (left: number, right: number) =>
    left === right
      ? byWords! + byGenre!
      : byWords! * (wordLikeness(contents[left]!, contents[right]!) ?? model.centres.likeness) +
        byGenre! * (genreSimilarity(stories[left]!, stories[right]!) ?? model.centres.kinship);
  const shared = stories.map((_, left) => Float64Array.from(stories, (__, right) => 1 + alike(left, right)));
  const learn = (from: number) => {
    const known = shared[from]!.slice();
    const total = known[from]! + model.shrinkage;
    for (const row of shared) {
      const share = row[from]! / total;
      for (let at = 0; at < row.length; at++) row[at] = row[at]! - share * known[at]!;
    }
  };
  for (const at of rated.keys()) learn(at);
  const places = wanted.map((_, at) => rated.length + candidates.length + at);
  const open = new Set(candidates.map((_, at) => rated.length + at));
  const before = sumBy(places, (at) => shared[at]![at]!);
  const chosen: TellingQuestion[] = [];
  while (chosen.length < count && open.size > 0 && before > 0) {
    const settledBy = (at: number) =>
      sumBy(places, (place) => shared[at]![place]! ** 2) / (shared[at]![at]! + model.shrinkage) / before;
    const [best, settles] = [...open]
      .map((at) => [at, settledBy(at)] as const)
      .reduce((most, one) => (one[1] > most[1] ? one : most));
    if (settles < WORTH_ASKING) break;
    const near = [...wanted.keys()]
      .filter((at) => alike(best, places[at]!) > 0)
      .sort((left, right) => alike(best, places[right]!) - alike(best, places[left]!))
      .slice(0, NAMED);
    chosen.push({ candidate: best - rated.length, settles, near });
    open.delete(best);
    learn(best);
  }
  return chosen;
}
