import { contentHash } from "../../core/hash.ts";
import type { PopulationRecipe } from "./build-population.ts";
import type { ScoredChapter } from "./novel-scores.ts";
import { compositeOf } from "./place-on-population.ts";
import type { PanelMember, ReferencePopulation } from "./reference-population.ts";

/**
 * Combines several judges: each judge's composite is a dimension, all count the same, and the population consists of
 * the composites. A text that some judge could not score has no place on the panel: a mean over the others would
 * compare it with novels that a harder judge has scored.
 */
export function panelRecipe(
  populations: readonly ReferencePopulation[],
  names: { readonly id: string; readonly description: string },
): PopulationRecipe {
  return {
    ...names,
    judge: {
      id: panelId(populations.map(({ judge }) => judge.id)),
      version: contentHash(populations.map(({ judge }) => judge)).slice(0, 12),
    },
    rubric: { id: "panel", version: 1, hash: contentHash(populations.map(({ rubric }) => rubric.hash)) },
    dimensions: populations.map(({ judge }) => judge.id),
    weighting: "equal",
  };
}

export function panelId(judges: readonly string[]): string {
  return `panel ${judges.join("+")}`;
}

export function memberOf(population: ReferencePopulation): PanelMember {
  const { judge, rubric, dimensions, means, deviations, weights, prompt, settings } = population;
  return {
    ...{ judge, rubric, dimensions, means, deviations, weights },
    ...(prompt !== undefined && { prompt }),
    ...(settings !== undefined && { settings }),
  };
}

/** A judge's composite for scores in the order of its dimensions; null when one is missing. */
export function memberComposite(member: PanelMember, scores: readonly (number | null)[]): number | null {
  const complete = scores.filter((score): score is number => score !== null);
  return complete.length === member.dimensions.length ? compositeOf(complete, member) : null;
}

/** Joins chapters scored by every judge of the panel, in the order of its members, into chapters of composites. */
export function panelChapters(
  members: readonly PanelMember[],
  opinions: readonly (readonly ScoredChapter[])[],
): ScoredChapter[] {
  const joined = new Map<string, Joined>();
  for (const [index, chapters] of opinions.entries()) {
    for (const chapter of chapters) {
      const key = JSON.stringify([chapter.writer, chapter.novel, chapter.chapter]);
      const known: Joined = joined.get(key) ?? {
        ...{ chapter, sums: members.map(() => 0), counts: members.map(() => 0), own: members.map(() => null) },
      };
      joined.set(key, known);
      known.own[index] = chapter.scores;
      const composite = memberComposite(members[index]!, chapter.scores);
      if (composite === null) continue;
      known.sums[index]! += composite;
      known.counts[index]!++;
    }
  }
  return [...joined.values()].map(({ chapter, sums, counts, own }) => ({
    ...chapter,
    scores: sums.map((sum, index) => (counts[index] === 0 ? null : sum / counts[index]!)),
    scoresByJudge: own,
  }));
}

interface Joined {
  readonly chapter: ScoredChapter;
  readonly sums: number[];
  readonly counts: number[];
  readonly own: (readonly (number | null)[] | null)[];
}

/** The population as one judge of the panel sees it, with its composites only. */
export function populationOfMember(population: ReferencePopulation, index: number): ReferencePopulation {
  const member = population.panel![index]!;
  const only = <Novel extends { readonly scores: readonly number[] }>(novel: Novel) => ({
    ...novel,
    scores: [novel.scores[index]!],
    composite: novel.scores[index]!,
  });
  const { panel: _, ...rest } = population;
  return {
    ...rest,
    judge: member.judge,
    rubric: member.rubric,
    dimensions: [member.judge.id],
    ...{ means: [0], deviations: [1], weights: [1], explainedVariance: [1] },
    novels: population.novels.map(only),
    ...(population.anchors && { anchors: population.anchors.map(only) }),
    warnings: [],
  };
}
