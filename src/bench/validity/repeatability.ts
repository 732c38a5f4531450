import { mean } from "../../stats/distribution/mean.ts";
import { interquartileRange } from "../../stats/distribution/quantile.ts";
import { variance } from "../../stats/distribution/variance.ts";

export interface Repeatability {
  readonly text: string;
  readonly repeats: number;
  readonly mean: number;
  readonly interquartileRange: number;
  readonly variance: number;
}

/** How far repeated scores of one text spread: the paper repeats eleven times and reports IQR and variance. */
export function repeatability(scores: ReadonlyMap<string, readonly number[]>): Repeatability[] {
  return [...scores].flatMap(([text, repeats]) =>
    repeats.length < 2
      ? []
      : [
          {
            text,
            repeats: repeats.length,
            mean: mean(repeats),
            interquartileRange: interquartileRange(repeats),
            variance: variance(repeats),
          },
        ],
  );
}
