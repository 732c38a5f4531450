import type { Vote } from "../../../api/votes.ts";
import { csvLine } from "../../../core/csv.ts";
import { sidedWith } from "./vote.ts";

const COLUMNS = [
  ...["id", "at", "voter", "book", "aspect", "judge_a", "score_a", "judge_b", "score_b"],
  ...["choice", "sided_with", "human"],
];

/** Votes as a table, a row each; `human` is the voter's own score where one was given. All scores are from 0 to 100. */
export function votesAsCsv(votes: readonly Vote[]): string {
  const rows = votes.map((vote) => {
    const [first, second] = vote.sides;
    const sided = sidedWith(vote);
    return [
      ...[vote.id, vote.at, vote.voter, vote.title, vote.aspect],
      ...[first.name, first.score, second.name, second.score, vote.choice],
      ...[sided === "tie" ? null : sided === "A" ? first.name : second.name, vote.score],
    ];
  });
  return [COLUMNS, ...rows].map((row) => `${csvLine(row)}\n`).join("");
}
