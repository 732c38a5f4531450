import { mean } from "../../stats/distribution/mean.ts";
import { placer } from "../population/place-on-population.ts";
import type { ReferencePopulation } from "../population/reference-population.ts";
import type { ScoredChapter } from "../scored-chapter.ts";
import { placedNovels } from "../writers/placed-novels.ts";

export interface GenreLevels {
  readonly genre: string;
  /** Human novels of the genre in the population. */
  readonly population: number;
  readonly writers: readonly {
    readonly writer: string;
    /** Mean percentile among the human novels of this genre; null where those are too few to be a population. */
    readonly level: number | null;
    readonly composite: number;
    readonly novels: number;
  }[];
}

const FEWEST_NOVELS = 10;

/** How writers stand genre by genre: a novel belongs to the genre of the human novel whose synopsis it was written from. */
export function genreLevels(chapters: readonly ScoredChapter[], population: ReferencePopulation): GenreLevels[] {
  const genres = new Map(
    population.novels.flatMap(({ novel, genre }) => (genre === undefined ? [] : [[novel, genre]])),
  );
  if (genres.size === 0) return [];
  const writers = placedNovels(chapters, population);
  return [...new Set(genres.values())].sort().map((genre) => {
    const humans = population.novels.filter((novel) => novel.genre === genre);
    const within = humans.length < FEWEST_NOVELS ? null : placer({ ...population, novels: humans });
    return {
      genre,
      population: humans.length,
      writers: writers.flatMap(({ writer, novels }) => {
        const own = novels.filter(({ novel }) => genres.get(novel) === genre).map(({ composite }) => composite);
        if (own.length === 0) return [];
        const level = within && mean(own.map((composite) => within.percentile(composite)));
        return [{ writer, level, composite: mean(own), novels: own.length }];
      }),
    };
  });
}
