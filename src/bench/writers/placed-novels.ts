import { averageChapters, groupByNovel } from "../population/novel-scores.ts";
import { compositeOf } from "../population/place-on-population.ts";
import type { ReferencePopulation } from "../population/reference-population.ts";
import type { ScoredChapter } from "../scored-chapter.ts";

/** A novel of a writer with its place on the population's scale. */
export interface PlacedNovel {
  readonly novel: string;
  /** The mean of each dimension over the chapters that have it. */
  readonly scores: readonly number[];
  readonly composite: number;
  /** The composite of each chapter that has every dimension. */
  readonly chapterComposites: readonly number[];
}

/** Everything that one writer wrote, novel by novel. */
export interface WriterNovels {
  readonly writer: string;
  readonly novels: readonly PlacedNovel[];
  readonly chapters: number;
  /** Novels left out because some dimension had no score. */
  readonly unplaced: number;
  readonly words: readonly number[];
}

/** Chapters of any number of writers, as novels with composites, in the order in which the writers first appear. */
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
    const chapterComposites = group.flatMap(({ scores: own }) =>
      own.every((score) => score !== null) ? [compositeOf(own, population)] : [],
    );
    return [{ novel: group[0]!.novel, scores, composite: compositeOf(scores, population), chapterComposites }];
  });
  return {
    writer,
    novels,
    chapters: chapters.length,
    unplaced: groups.length - novels.length,
    words: chapters.flatMap(({ words }) => (words === null ? [] : [words])),
  };
}
