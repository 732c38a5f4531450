import { type EmpiricalDistribution, empiricalDistribution } from "../../stats/distribution.ts";
import type { ReferencePopulation } from "./reference-population.ts";

export interface Placement {
  readonly composite: number;
  /** Share of the population at or below, 0–100: the paper's equation 3, which counts all ties. */
  readonly percentile: number;
  readonly dimensionPercentiles: readonly number[];
}

/** Places scores on a population; sorts each dimension once, when it is first asked for. */
export function placer(population: ReferencePopulation) {
  const composites = empiricalDistribution(population.novels.map((novel) => novel.composite));
  const sorted: EmpiricalDistribution[] = [];
  const dimensionAt = (dimension: number) => {
    sorted[dimension] ??= empiricalDistribution(population.novels.map((novel) => novel.scores[dimension]!));
    return sorted[dimension];
  };
  const share = (distribution: EmpiricalDistribution, value: number) => 100 * distribution.atOrBelow(value);
  return {
    percentile: (composite: number): number => share(composites, composite),
    dimensionPercentile: (dimension: number, score: number): number => share(dimensionAt(dimension), score),
    /** null when a dimension has no score: a text that was not judged whole has no place. */
    place(scores: readonly (number | null)[]): Placement | null {
      const complete = scores.filter((score): score is number => score !== null);
      if (complete.length !== population.dimensions.length) return null;
      const composite = compositeOf(complete, population);
      return {
        composite,
        percentile: share(composites, composite),
        dimensionPercentiles: complete.map((score, dimension) => share(dimensionAt(dimension), score)),
      };
    },
  };
}

type Scale = Pick<ReferencePopulation, "means" | "deviations" | "weights">;

export function compositeOf(scores: readonly number[], scale: Scale): number {
  let composite = 0;
  for (let dimension = 0; dimension < scores.length; dimension++)
    composite += partAt(dimension, scores[dimension]!, scale);
  return composite;
}

/** What each dimension adds to a composite; null where it has no score. */
export function partsOfComposite(scores: readonly (number | null)[], scale: Scale): (number | null)[] {
  return scores.map((score, dimension) => (score === null ? null : partAt(dimension, score, scale)));
}

function partAt(dimension: number, score: number, { means, deviations, weights }: Scale): number {
  const deviation = deviations[dimension]!;
  return deviation > 0 ? (weights[dimension]! * (score - means[dimension]!)) / deviation : 0;
}
