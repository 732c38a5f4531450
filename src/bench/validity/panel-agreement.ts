import type { Random } from "../../core/random.ts";
import { mean } from "../../stats/distribution/mean.ts";
import { averageChapters, groupByNovel } from "../population/novel-scores.ts";
import { populationOfSeat } from "../population/panel.ts";
import type { ReferencePopulation } from "../population/reference-population.ts";
import type { ScoredChapter } from "../scored-chapter.ts";
import { wordsIn } from "../words/words-in.ts";
import { type Leaderboard, leaderboard } from "../writers/leaderboard.ts";
import { type CrossJudge, crossJudge } from "./cross-judge.ts";
import { modelFamily, type SelfPreference, selfPreference } from "./self-preference.ts";

export interface PanelAgreement {
  readonly judges: readonly {
    readonly judge: string;
    readonly board: Leaderboard;
    /** The judge's own dimensions, and each writer's means in them; null where the judge gave none. */
    readonly dimensions: readonly string[];
    readonly means: ReadonlyMap<string, readonly (number | null)[]>;
    /** Against the first judge of another family. */
    readonly selfPreference: SelfPreference | null;
  }[];
  /** Every two judges: do they order the writers alike? */
  readonly pairs: readonly { readonly first: string; readonly second: string; readonly agreement: CrossJudge }[];
}

/** Each judge's own leaderboard beside the panel's, and how well they agree. Null for a single judge. */
export function panelAgreement(
  chapters: readonly ScoredChapter[],
  population: ReferencePopulation,
  random: Random,
): PanelAgreement | null {
  const seats = population.panel ?? [];
  if (seats.length < 2) return null;
  const judges = seats.map(({ judge, dimensions }, index) => {
    const own = chapters.map((chapter) => ({ ...chapter, scores: [chapter.scores[index] ?? null] }));
    return {
      judge: judge.id,
      board: leaderboard(own, populationOfSeat(population, index), random),
      dimensions,
      means: writerMeans(chapters, index, dimensions.length),
    };
  });
  const pairs = judges.flatMap((first, index) =>
    judges.slice(index + 1).map((second) => ({
      ...{ first: first.judge, second: second.judge, agreement: crossJudge(first.board, second.board) },
    })),
  );
  const words = wordsIn(population.language);
  return {
    judges: judges.map((own) => {
      const other = judges.find(({ judge }) => modelFamily(judge) !== modelFamily(own.judge));
      return { ...own, selfPreference: selfPreference(own.judge, own.board, other ?? null, words) };
    }),
    pairs,
  };
}

/** What one judge gave each writer, dimension by dimension: a mean of novels, as everywhere. */
function writerMeans(chapters: readonly ScoredChapter[], seat: number, dimensions: number) {
  const byWriter = new Map<string, ScoredChapter[]>();
  for (const chapter of chapters) {
    const scores = chapter.seatScores?.[seat];
    if (!scores) continue;
    const own = byWriter.get(chapter.writer) ?? [];
    own.push({ ...chapter, scores });
    byWriter.set(chapter.writer, own);
  }
  return new Map(
    [...byWriter].map(([writer, own]) => {
      const novels = [...groupByNovel(own).values()].map((group) => averageChapters(group, dimensions));
      return [
        writer,
        Array.from({ length: dimensions }, (_, dimension) => {
          const known = novels.flatMap((novel) => novel[dimension] ?? []);
          return known.length === 0 ? null : mean(known);
        }),
      ];
    }),
  );
}
