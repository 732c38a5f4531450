import type { Vote } from "../../../api/votes.ts";
import { groupBy } from "../../../core/group-by.ts";
import { mean } from "../../../stats/distribution/mean.ts";
import type { BlindVote } from "../../../stats/judge-health/agreement.ts";
import type { Judgement, OrderedComparison } from "../../../stats/judge-health/judgement.ts";
import { sidedWith } from "./vote.ts";
import { outcomesOf } from "./vote-agreement.ts";

interface HealthVotes {
  readonly votes: readonly BlindVote[];
  /** The voters themselves, under their names: does A win because it is A? */
  readonly comparisons: readonly OrderedComparison[];
  /** With what people thought of each book, where somebody gave it a score of their own. */
  readonly judgements: readonly Judgement[];
}

/** What blind votes say of the judges whose judgements are checked, and of the voters. */
export function healthVotes(votes: readonly Vote[], judgements: readonly Judgement[]): HealthVotes {
  const names = new Set(judgements.map(({ judge }) => judge));
  // Evaluations name a judge with its method, perhaps with more of its settings; a table of scores by its name alone.
  const nameOf = ({ name, judge }: { readonly name: string; readonly judge: string }) => {
    if (names.has(name)) return name;
    const near = [...names].filter((known) => known === judge || known.startsWith(`${name} · `));
    return near.length === 1 ? near[0]! : name;
  };
  const own = votes.filter(({ aspect, score }) => aspect === "overall" && score !== null);
  const human = new Map(
    [...groupBy(own, ({ title }) => title)].map(([title, given]) => [title, mean(given.map(({ score }) => score!))]),
  );
  return {
    votes: outcomesOf(votes).map((side) => ({ judge: nameOf(side), outcome: side.outcome })),
    comparisons: votes.map((vote) => {
      const winner = sidedWith(vote);
      const place = winner === "tie" ? "tie" : winner === "A" ? "first" : "second";
      return { judge: `voter ${vote.voter}`, first: `${vote.pair} A`, second: `${vote.pair} B`, winner: place };
    }),
    judgements: judgements.map((judgement) => {
      const rating = human.get(judgement.item);
      return rating === undefined || !Number.isNaN(judgement.human) ? judgement : { ...judgement, human: rating };
    }),
  };
}
