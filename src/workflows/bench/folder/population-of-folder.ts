import { benchFiles } from "../../../bench/bench-folder.ts";
import { panelId } from "../../../bench/population/panel.ts";
import { loadPopulation, type ReferencePopulation } from "../../../bench/population/reference-population.ts";
import { FabulaError } from "../../../core/errors.ts";
import { loadRubric } from "../../../criteria/load-rubric.ts";
import { rubricInNames } from "./rubric-of-folder.ts";

/**
 * The population that judges have built in a folder, and the rubric they used: the one that is named, or the one that they
 * used first. A population that was built with another rubric is found by naming it, never by building over it.
 */
export async function populationOfFolder(
  folder: string,
  judges: readonly string[],
  named: { readonly population?: string | undefined; readonly rubric?: string | undefined },
): Promise<{ readonly population: ReferencePopulation; readonly rubric: string }> {
  if (named.population !== undefined) {
    const population = await loadPopulation(named.population);
    return { population, rubric: named.rubric ?? rubricOf(population) };
  }
  const owner = judges.length > 1 ? panelId(judges) : judges[0]!;
  const { rubric } = named;
  if (rubric === undefined) {
    const population = await loadPopulation(benchFiles(folder).population(owner));
    return { population, rubric: rubricOf(population) };
  }
  const { id } = await loadRubric(rubric);
  const variants = await Promise.all(
    judges.map((judge) => rubricInNames(folder, judge, judge === "grader" ? "grader" : id)),
  );
  const variant = variants.find((found) => found !== null) ?? null;
  try {
    return { population: await loadPopulation(benchFiles(folder).population(owner, variant)), rubric };
  } catch (error) {
    if (variant === null || !(error instanceof FabulaError) || error.code !== "E_POPULATION_MISSING") throw error;
    const { rubric: other } = await loadPopulation(benchFiles(folder).population(judges[0]!));
    throw new FabulaError(
      "E_POPULATION_MISSING",
      `${owner} has built no population with the rubric ${id} in ${folder}, but one with ${other.id}: add --rubric ${other.id}.`,
      { cause: error },
    );
  }
}

/** Judges of a panel may have rubrics of their own; what is asked of language models is the first that is not embedded. */
export function rubricOf({ rubric, panel }: ReferencePopulation): string {
  return panel?.find((seat) => seat.judge.id !== "grader")?.rubric.id ?? rubric.id;
}
