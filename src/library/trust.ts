import { FabulaError } from "../core/errors.ts";
import type { Prediction } from "../qa/scoring/prediction.ts";
import type { agreementJson } from "../report/agreement/agreement-report.ts";
import type { TrustReport } from "../report/agreement/trust-report.ts";
import type { HealthReport } from "../report/health/health-report.ts";
import { scoreTask } from "../tasks/books/judge.ts";
import type { ScoreSummary } from "../tasks/books/score-items.ts";
import type { BookInput } from "../tasks/define/book-input.ts";
import { qaScoreTask } from "../tasks/qa/answers.ts";
import type { ScoreAnswersReport } from "../tasks/qa/score.ts";
import { agreeTask } from "../tasks/trust/agreement.ts";
import { healthTask, probeTask, stressTask, trustTask } from "../tasks/trust/judges.ts";
import type { ContaminationReport } from "../tasks/trust/probe-contamination.ts";
import type { StressReport } from "../tasks/trust/stress-books.ts";
import { taskFunction } from "./task-function.ts";
import type {
  AgreementOptions,
  HealthOptions,
  ProbeOptions,
  ScoreAnswersOptions,
  ScoreTextsOptions,
  StressOptions,
  TrustJudgesOptions,
} from "./task-options.ts";

/** Compares answers with their references: the mean of every metric. */
export function scoreAnswers(
  answers: string | Iterable<Prediction>,
  options: ScoreAnswersOptions = {},
): Promise<ScoreAnswersReport> {
  return scoreAll([typeof answers === "string" ? answers : [...answers]], options);
}

const scoreAll: (
  sources: readonly (string | readonly Prediction[])[],
  options: ScoreAnswersOptions,
) => Promise<ScoreAnswersReport> = taskFunction(qaScoreTask, async (score) => {
  const { file: _file, ...report } = (await score()).files[0]!;
  return report;
});

/** A row of a table of scores: a number, nothing, or a name in each column. */
export type ScoreRow = Readonly<Record<string, unknown>>;

/** How well scores agree with people, with the figures of the first metric at the top. */
export type AgreementResult = ReturnType<typeof agreementJson>;

/** Measures how well scores agree with people. */
export function agreement(table: string | Iterable<ScoreRow>, options: AgreementOptions): Promise<AgreementResult> {
  return agree(typeof table === "string" ? table : [...table], options);
}

const agree: (table: string | readonly ScoreRow[], options: AgreementOptions) => Promise<AgreementResult> =
  taskFunction(agreeTask, async (run) => agreeTask.output.body(await run()) as AgreementResult);

/** Shows a judge books and damaged copies of them: does it notice? */
export const stressJudge: (sources: Iterable<BookInput>, options?: StressOptions) => Promise<StressReport> =
  taskFunction(stressTask, async (ask, { dryRun }) => {
    refuseDryRun(dryRun);
    return (await ask()).result;
  });

/** Asks whether a language model already knows a book, and whether that changes its verdict. */
export const probeJudge: (source: BookInput, options: ProbeOptions) => Promise<ContaminationReport> = taskFunction(
  probeTask,
  async (ask, { dryRun }) => {
    refuseDryRun(dryRun);
    return (await ask()).result;
  },
);

/** Whether a judge is steady and fair, and tells aspects and texts apart: from a file or folder of its scores. */
export const judgeHealth: (scores: string, options?: HealthOptions) => Promise<HealthReport> = taskFunction(healthTask);

/** Says which judge to trust for the texts of a table, and how many more texts or runs would settle what is open. */
export const trustJudges: (table: string, options?: TrustJudgesOptions) => Promise<TrustReport> =
  taskFunction(trustTask);

/** Scores texts out of a file, one per line, into another. */
export const scoreTexts: (file: string, options?: ScoreTextsOptions) => Promise<ScoreSummary> = taskFunction(
  scoreTask,
  async (score) => (await score())!,
);

function refuseDryRun(dryRun: boolean): void {
  if (dryRun)
    throw new FabulaError("E_USAGE", "`dryRun` gives a plan and no result; the command shows one with --dry-run.");
}
