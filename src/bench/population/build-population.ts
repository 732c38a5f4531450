import { FabulaError } from "../../core/errors.ts";
import { contentHash } from "../../core/hash.ts";
import { mean, standardDeviation, sum } from "../../stats/distribution.ts";
import { principalComponents } from "../../stats/linear/principal-components.ts";
import { wordsIn } from "../words.ts";
import { type NovelExclusion, NovelSums, type ScoredChapter } from "./novel-scores.ts";
import { compositeOf } from "./place-on-population.ts";
import type { ReferencePopulation } from "./reference-population.ts";

export interface PopulationRecipe {
  readonly id: string;
  readonly description: string;
  readonly judge: ReferencePopulation["judge"];
  readonly rubric: ReferencePopulation["rubric"];
  readonly dimensions: readonly string[];
  readonly prompt?: string;
  readonly settings?: string;
  readonly language?: string;
  /** Judges of a panel are weighted equally; dimensions of one judge by the first component. */
  readonly weighting?: "first component" | "equal";
}

/** With a first component this weak, one number no longer represents the dimensions. */
const WEAK_FIRST_COMPONENT = 0.5;

/**
 * WebNovelBench's construction (its equations 1 to 3): novel means, z-scores, the first principal component's
 * loadings as weights, and the weighted sum as composite. Texts are placed on the empirical distribution of the
 * composites.
 */
export function buildPopulation(
  chapters: Iterable<ScoredChapter> | NovelSums,
  { weighting = "first component", ...recipe }: PopulationRecipe,
): { population: ReferencePopulation; excluded: NovelExclusion[] } {
  const sums = chapters instanceof NovelSums ? chapters : NovelSums.of(chapters, recipe.dimensions);
  const { novels, excluded } = sums.average(recipe.dimensions);
  if (novels.length < 2) {
    throw new FabulaError(
      "E_POPULATION_SMALL",
      `A population needs at least two novels with all their scores, and there ${novels.length === 1 ? "is one" : "are none"}: see the exclusions.`,
      { evidence: excluded },
    );
  }
  const columns = recipe.dimensions.map((_, dimension) => novels.map((novel) => novel.scores[dimension]!));
  const means = columns.map((column) => mean(column));
  const deviations = columns.map((column) => standardDeviation(column));
  const { loadings, explained } = principalComponents(
    novels.map((novel) => novel.scores),
    { standardise: true },
  );
  const { weights, warnings } =
    weighting === "equal"
      ? { weights: equalWeights(recipe.dimensions), warnings: [] }
      : weightsOf(loadings[0]!, recipe.dimensions, recipe.language);
  const words = wordsIn(recipe.language).warnings;
  const constant = recipe.dimensions.filter((_, dimension) => deviations[dimension] === 0);
  if (constant.length > 0) warnings.push(words.constant(constant));
  if (explained[0]! < WEAK_FIRST_COMPONENT) {
    const percent = (explained[0]! * 100).toFixed(0);
    warnings.push(weighting === "equal" ? words.judgesDiffer(percent) : words.weakComponent(percent));
  }
  const base = { means, deviations, weights };
  return {
    population: {
      format: 1,
      ...recipe,
      dimensions: [...recipe.dimensions],
      corpus: {
        hash: contentHash(novels.map(({ novel, writer, scores }) => [novel, writer, scores])),
        novels: novels.length,
        excluded: excluded.length,
      },
      ...base,
      explainedVariance: [...explained],
      novels: novels.map((novel) => ({
        ...novel,
        scores: [...novel.scores],
        composite: compositeOf(novel.scores, base),
      })),
      warnings,
    },
    excluded,
  };
}

function equalWeights(dimensions: readonly string[]): number[] {
  return dimensions.map(() => 1 / dimensions.length);
}

/** The sign of a component is arbitrary; it is chosen so that better scores make a higher composite. */
function weightsOf(loadings: readonly number[], dimensions: readonly string[], language: string | undefined) {
  const words = wordsIn(language).warnings;
  const total = sum(loadings);
  const sign = total < 0 ? -1 : 1;
  const size = Math.abs(total);
  if (size < 1e-9) {
    return {
      weights: equalWeights(dimensions),
      warnings: [words.cancelled],
    };
  }
  const weights = loadings.map((loading) => (sign * loading) / size);
  const against = dimensions.filter((_, dimension) => weights[dimension]! < -1e-12);
  const warnings = against.length > 0 ? [words.against(against)] : [];
  return { weights, warnings };
}
