import { normalCumulative } from "../../stats/special/normal.ts";
import type { PersonalPrediction } from "./predict-rating.ts";

type Predicted = Extract<PersonalPrediction, { kind: "predicted" }>;

export interface Ranked<Item> {
  readonly item: Item;
  readonly prediction: Predicted;
  /** Shared by all that cannot be told from the first of them. */
  readonly rank: number;
  /** The chance that this one would be rated below the first of its rank, from one half (no telling) upwards. */
  readonly chanceBelowFirst: number;
}

/** Below this chance of being in the right order two stories share a rank. */
const TELLING = 0.6;
/** How many standard deviations the 80% interval is wide. */
const WIDTH_IN_DEVIATIONS = 2 * 1.2816;

/** Stories by predicted rating, those that the prediction cannot tell apart on the same rank. */
export function rankStories<Item>(
  stories: readonly { readonly item: Item; readonly prediction: Predicted }[],
): Ranked<Item>[] {
  const order = [...stories].sort((left, right) => right.prediction.rating - left.prediction.rating);
  const ranked: Ranked<Item>[] = [];
  let first = order[0];
  let rank = 1;
  order.forEach((story, index) => {
    let chance = chanceAbove(first!.prediction, story.prediction);
    if (chance >= TELLING) {
      [first, rank, chance] = [story, index + 1, 0.5];
    }
    ranked.push({ ...story, rank, chanceBelowFirst: chance });
  });
  return ranked;
}

/** The chance that the first gets the higher rating, both scattering around their predictions as held-out ratings did. */
function chanceAbove(first: Predicted, second: Predicted): number {
  const deviation = ({ interval: [low, high] }: Predicted) => (high - low) / WIDTH_IN_DEVIATIONS;
  const together = Math.hypot(deviation(first), deviation(second));
  return together > 0 ? normalCumulative((first.rating - second.rating) / together) : 0.5;
}
