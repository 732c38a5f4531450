import { kendallTau } from "../../stats/correlation/kendall-tau.ts";
import { spearman } from "../../stats/correlation/spearman.ts";
import type { Statistic } from "../../stats/statistic.ts";
import type { Leaderboard } from "../writers/leaderboard.ts";

export interface CrossJudge {
  readonly writers: number;
  readonly spearman: Statistic;
  readonly kendall: Statistic;
  /** The writers whose rank moves most from one judge to the other. */
  readonly moved: readonly { readonly writer: string; readonly from: number; readonly to: number }[];
}

/** Does a second judge give the same order? Over the writers that both have placed. */
export function crossJudge(first: Leaderboard, second: Leaderboard): CrossJudge {
  const other = new Map(second.rows.map((row) => [row.writer, row]));
  const shared = first.rows.flatMap((row) => {
    const match = other.get(row.writer);
    return match ? [{ writer: row.writer, first: row, second: match }] : [];
  });
  const levels = [shared.map((pair) => pair.first.composite), shared.map((pair) => pair.second.composite)] as const;
  const moved = shared
    .map((pair) => ({ writer: pair.writer, from: pair.first.rank, to: pair.second.rank }))
    .filter((move) => move.from !== move.to)
    .sort((left, right) => Math.abs(right.from - right.to) - Math.abs(left.from - left.to))
    .slice(0, 5);
  return { writers: shared.length, spearman: spearman(...levels), kendall: kendallTau(...levels), moved };
}
