import type { ProgressListener } from "../../core/progress.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import type { HealthReport } from "../../report/health/health-report.ts";
import { judgeHealth } from "../../stats/judge-health/judge-health.ts";
import type { Scale } from "../../stats/judge-health/scale-use.ts";
import { type JudgementColumns, judgementsOf, readComparisons, readJudgements } from "./read-judgements.ts";
import { readReactions } from "./read-reactions.ts";
import { healthVotes } from "./votes/health-votes.ts";
import { readVotes } from "./votes/read-votes.ts";

export interface HealthRequest {
  /** A file or folder of scores, or evaluations under a name. */
  readonly scores: string | { readonly name: string; readonly evaluations: readonly BookEvaluation[] };
  readonly anchors?: string;
  readonly comparisons?: string;
  /** What `fabula stress --json` printed for the same judge. */
  readonly stress?: string;
  /** Blind votes: a file, or a library of the web app. */
  readonly votes?: string;
  readonly scale?: Scale;
  readonly columns: JudgementColumns;
  readonly seed: number;
  readonly resamples: number;
  readonly onProgress: ProgressListener;
}

/** A judge's scores → is it steady and fair, and does it distinguish aspects and texts? */
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
