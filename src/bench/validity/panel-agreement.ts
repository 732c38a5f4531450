import type { Random } from "../../core/random.ts";
import { populationOfSeat } from "../population/panel.ts";
import type { ReferencePopulation } from "../population/reference-population.ts";
import type { ScoredChapter } from "../scored-chapter.ts";
import { type Leaderboard, leaderboard } from "../writers/leaderboard.ts";
import { type CrossJudge, crossJudge } from "./cross-judge.ts";

export interface PanelAgreement {
  readonly judges: readonly { readonly judge: string; readonly board: Leaderboard }[];
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
  const judges = seats.map(({ judge }, index) => {
    const own = chapters.map((chapter) => ({ ...chapter, scores: [chapter.scores[index] ?? null] }));
    return { judge: judge.id, board: leaderboard(own, populationOfSeat(population, index), random) };
  });
  const pairs = judges.flatMap((first, index) =>
    judges.slice(index + 1).map((second) => ({
      ...{ first: first.judge, second: second.judge, agreement: crossJudge(first.board, second.board) },
    })),
  );
  return { judges, pairs };
}
