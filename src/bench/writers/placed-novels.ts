import { averageChapters, groupByNovel, type ScoredChapter } from "../population/novel-scores.ts";
import { compositeOf, partsOfComposite } from "../population/place-on-population.ts";
import type { ReferencePopulation } from "../population/reference-population.ts";

/** A writer's novel with its place on the population's scale. */
export interface PlacedNovel {
  readonly novel: string;
  /** The mean of each dimension over the chapters that have a score. */
  readonly scores: readonly number[];
  readonly composite: number;
  /**
   * How much each dimension of a chapter contributes to the composite, by chapter number; null if chapters have no
   * numbers.
   */
  readonly parts: ReadonlyMap<number, readonly (number | null)[]> | null;
}

/** All of a writer's texts, novel by novel. */
export interface WriterNovels {
  readonly writer: string;
  readonly novels: readonly PlacedNovel[];
  readonly chapters: number;
  /** Novels left out because some dimension had no score. */
  readonly unplaced: number;
  readonly words: readonly number[];
}

/**
 * Groups chapters of any number of writers into novels with composites, in the order in which the writers first
 * appear.
 */
export function placedNovels(chapters: readonly ScoredChapter[], population: ReferencePopulation): WriterNovels[] {
  const byWriter = new Map<string, ScoredChapter[]>();
  for (const chapter of chapters) {
    const own = byWriter.get(chapter.writer);
    if (own) own.push(chapter);
    else byWriter.set(chapter.writer, [chapter]);
  }
  return [...byWriter].map(([writer, own]) => novelsOf(writer, own, population));
}

function novelsOf(writer: string, chapters: readonly ScoredChapter[], population: ReferencePopulation): WriterNovels {
  const groups = [...groupByNovel(chapters).values()];
  const novels = groups.flatMap((group): PlacedNovel[] => {
    const scores = averageChapters(group, population.dimensions.length);
    if (!scores.every((score) => score !== null)) return [];
    const composite = compositeOf(scores, population);
    return [{ novel: group[0]!.novel, scores, composite, parts: partsOf(group, population) }];
  });
  return {
    writer,
    novels,
    chapters: chapters.length,
    unplaced: groups.length - novels.length,
    words: chapters.flatMap(({ words }) => (words === null ? [] : [words])),
  };
}

function partsOf(group: readonly ScoredChapter[], population: ReferencePopulation): PlacedNovel["parts"] {
  if (group.some(({ isUnnumbered }) => isUnnumbered)) return null;
  const byNumber = new Map<number, ScoredChapter[]>();
  for (const chapter of group) byNumber.set(chapter.chapter, [...(byNumber.get(chapter.chapter) ?? []), chapter]);
  return new Map(
    [...byNumber].map(([number, chapters]) => [
      number,
      partsOfComposite(averageChapters(chapters, population.dimensions.length), population),
    ]),
  );
}
