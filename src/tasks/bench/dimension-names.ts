import type { ReferencePopulation } from "../../bench/population/reference-population.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";

/**
 * What the dimensions are called in the rubric's language, by id. With a panel those of all its judges; a rubric of the user's
 * that is not at hand is passed over, and its dimensions go by their ids.
 */
export async function dimensionNames(
  { panel }: ReferencePopulation,
  rubric: string,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const source of [rubric, ...(panel ?? []).map((member) => member.rubric.id)]) {
    const found = await loadRubric(source).catch(() => null);
    for (const { id, name } of found?.criteria ?? []) if (!names.has(id)) names.set(id, name);
  }
  return names;
}
