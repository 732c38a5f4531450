import { z } from "zod";
import { groupBy } from "../core/group-by.ts";
import { verdictSchema } from "../core/verdict.ts";
import type { Rubric } from "../criteria/rubric.ts";
import { mean } from "../stats/distribution.ts";
import { meanInterval } from "../stats/special/student-t.ts";
import { scoreRow } from "./scoring.ts";

/** An anchor text scored again, with its first scores. */
export const driftRowSchema = z.object({
  round: z.number().int().positive(),
  date: z.string(),
  textHash: z.string(),
  stated: z.string().optional(),
  first: z.record(z.string(), verdictSchema),
  scores: z.record(z.string(), verdictSchema),
});
export type DriftRow = z.infer<typeof driftRowSchema>;

/** One round of scoring the anchor texts again. */
export interface DriftRound {
  readonly round: number;
  readonly date: string;
  /** Model versions stated in the replies. */
  readonly stated: readonly string[];
  readonly texts: number;
  /** Mean change since the first scores, in points of the rubric. */
  readonly change: number;
  /** 95 %, over texts; null if there are too few, or if all changed by the same amount. */
  readonly interval: readonly [number, number] | null;
}

/** How a judge's scores of the same texts have moved, round by round. */
export function driftRounds(rows: readonly DriftRow[], rubric: Rubric): DriftRound[] {
  return [...groupBy(rows, ({ round }) => round)].flatMap(([round, own]) => {
    const changes = own.flatMap(({ first, scores }) => {
      const [before, now] = [scoreRow(first, rubric), scoreRow(scores, rubric)];
      const moved = now.flatMap((score, index) =>
        score === null || before[index] == null ? [] : [score - before[index]],
      );
      return moved.length === 0 ? [] : [mean(moved)];
    });
    if (changes.length === 0) return [];
    const stated = [...new Set(own.flatMap((row) => row.stated ?? []))];
    const { date } = own[0]!;
    return [{ round, date, stated, texts: changes.length, change: mean(changes), interval: meanInterval(changes) }];
  });
}

/** Whether the judge has changed: its last round moved by more than chance. */
export function hasDrifted({ interval }: Pick<DriftRound, "interval">): boolean {
  return interval !== null && (interval[0] > 0 || interval[1] < 0);
}
