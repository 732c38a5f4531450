import type { Vote } from "../../api/votes.ts";
import { groupBy } from "../../core/group-by.ts";
import type { ProgressListener } from "../../core/progress.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import type { HealthReport } from "../../report/health/health-report.ts";
import { mean } from "../../stats/distribution.ts";
import { type BlindVote, judgeHealth, type Scale } from "../../stats/judge-health/judge-health.ts";
import type { Judgement, OrderedComparison } from "../../stats/judge-health/judgement.ts";
import {
  type JudgementColumns,
  judgementsOf,
  readComparisons,
  readJudgements,
  readReactions,
} from "./read-judgements.ts";
import { outcomesOf, readVotes, sidedWith } from "./votes/vote.ts";

export interface HealthRequest {
  /** A file or folder of scores, or evaluations under a name. */
  readonly scores: string | { readonly name: string; readonly evaluations: readonly BookEvaluation[] };
  readonly anchors?: string;
  readonly comparisons?: string;
  /** What `fabula stress --json` printed for the same judge. */
  readonly stress?: string;
  /** Blind votes: a file, or a library folder of the web app. */
  readonly votes?: string;
  readonly scale?: Scale;
  readonly columns: JudgementColumns;
  readonly seed: number;
  readonly resamples: number;
  readonly onProgress: ProgressListener;
}

/** Checks from a judge's scores whether it is consistent and fair, and whether it distinguishes aspects and texts. */
export async function checkHealth(request: HealthRequest): Promise<HealthReport> {
  request.onProgress({ stage: "reading scores", done: 0, total: null });
  const { scores } = request;
  const { judgements, scale } =
    typeof scores === "string" ? await readJudgements(scores, request.columns) : judgementsOf(scores.evaluations);
  const anchors = request.anchors ? (await readJudgements(request.anchors, request.columns)).judgements : [];
  const comparisons = request.comparisons ? await readComparisons(request.comparisons) : [];
  const reactions = request.stress ? await readReactions(request.stress) : [];
  const given = request.votes ? healthVotes(await readVotes(request.votes), judgements) : null;
  request.onProgress({ stage: "checking", done: 0, total: null });
  return {
    scores: typeof scores === "string" ? scores : scores.name,
    judges: judgeHealth(
      {
        judgements: given?.judgements ?? judgements,
        anchors,
        comparisons: [...comparisons, ...(given?.comparisons ?? [])],
        scale: request.scale ?? scale,
        reactions,
        votes: given?.votes ?? [],
      },
      { seed: request.seed, resamples: request.resamples },
    ),
  };
}

interface HealthVotes {
  readonly votes: readonly BlindVote[];
  /** The voters' choices, treated as a judge's: do they favour the verdict shown first? */
  readonly comparisons: readonly OrderedComparison[];
  /** The voters' own scores of books, where they gave any. */
  readonly judgements: readonly Judgement[];
}

/** What blind votes say about the judges being checked, and about the voters. */
export function healthVotes(votes: readonly Vote[], judgements: readonly Judgement[]): HealthVotes {
  const names = new Set(judgements.map(({ judge }) => judge));
  // Evaluations identify a judge by name and method, perhaps with more of its settings; a table of scores only by
  // name.
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
