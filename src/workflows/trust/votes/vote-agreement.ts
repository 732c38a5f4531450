import type { JudgeAgreement, Vote, VotedSide } from "../../../api/votes.ts";
import { groupBy } from "../../../core/group-by.ts";
import { mean, wilsonInterval } from "../../../stats/distribution.ts";
import { sidedWith } from "./vote.ts";

/** What one vote says of one of its two judges. */
export interface SideOutcome extends VotedSide {
  readonly outcome: "won" | "lost" | "tied";
  readonly bookId: string;
  readonly own: number | null;
  /** What was answered: an own score of a book's aspect is one answer, however many pairs of judges it decides. */
  readonly answer: string;
}

export function outcomesOf(votes: readonly Vote[]): SideOutcome[] {
  return votes.flatMap((vote) => {
    const winner = sidedWith(vote);
    const outcome = (place: "A" | "B") => (winner === "tie" ? "tied" : winner === place ? "won" : "lost");
    const place = vote.choice === "score" ? [vote.voter, vote.bookId, vote.aspect] : [vote.id];
    const shared = { bookId: vote.bookId, own: vote.score, answer: JSON.stringify(place) };
    return [
      { ...vote.sides[0], ...shared, outcome: outcome("A") },
      { ...vote.sides[1], ...shared, outcome: outcome("B") },
    ];
  });
}

/** How often voters sided with each judge, the most trusted first. */
export function agreementWithVotes(votes: readonly Vote[]): JudgeAgreement[] {
  const judges = [...groupBy(outcomesOf(votes), ({ way }) => way).values()].map((outcomes): JudgeAgreement => {
    const { name, judge } = outcomes.at(-1)!;
    const won = outcomes.filter(({ outcome }) => outcome === "won").length;
    const tied = outcomes.filter(({ outcome }) => outcome === "tied").length;
    const sided = won + tied / 2;
    const answers = new Set(outcomes.map(({ answer }) => answer)).size;
    const distances = outcomes.flatMap(({ own, score }) => (own === null ? [] : [Math.abs(own - score)]));
    return {
      name,
      judge,
      votes: outcomes.length,
      won,
      tied,
      books: new Set(outcomes.map(({ bookId }) => bookId)).size,
      share: sided / outcomes.length,
      interval: wilsonInterval((sided / outcomes.length) * answers, answers, 0.95),
      distance: distances.length === 0 ? null : { n: distances.length, value: mean(distances) },
    };
  });
  return judges.sort((left, right) => right.share - left.share || left.name.localeCompare(right.name));
}
