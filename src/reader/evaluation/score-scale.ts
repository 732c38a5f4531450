import { clampStars, STARS } from "../predictor/personal-model.ts";

/** The scale on which a reader's scores are shown and asked for: 1–10 as in PerSE, or 1–5. */
export interface ScoreScale {
  readonly minimum: number;
  readonly maximum: number;
}

export const TEN: ScoreScale = { minimum: 1, maximum: 10 };
export const FIVE: ScoreScale = { minimum: 1, maximum: 5 };

/** Ends to ends, to one decimal; half a star or a quarter is the lowest score, not one below the scale. */
export function fromStars(stars: number, { minimum, maximum }: ScoreScale): number {
  const share = (clampStars(stars) - STARS.minimum) / (STARS.maximum - STARS.minimum);
  return Math.round((minimum + share * (maximum - minimum)) * 10) / 10;
}
