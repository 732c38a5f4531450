import { FabulaError } from "../core/errors.ts";
import type { RubricProblem } from "../criteria/load-rubric.ts";
import type { Rubric } from "../criteria/rubric.ts";
import type { ChatModel } from "../models/chat-model.ts";
import { type ChatModelOptions, createChatModel as createModel } from "../models/create-chat-model.ts";
import { resolveShortName } from "../models/own-judge.ts";
import type { Prediction } from "../qa/scoring/prediction.ts";
import type { agreementJson } from "../report/agreement/agreement-report.ts";
import type { TrustReport } from "../report/agreement/trust-report.ts";
import type { HealthReport } from "../report/health/health-report.ts";
import { openRun as open, type Run, type RunServices, type RunSettings } from "../runner/open-run.ts";
import { repliesTask, rubricCheckTask, scoreTask } from "../tasks/books/judge.ts";
import type { ImportedReply } from "../tasks/books/read-replies.ts";
import type { ScoreSummary } from "../tasks/books/score-items.ts";
import type { BookInput, TextInput } from "../tasks/define/shared-fields.ts";
import { qaScoreTask } from "../tasks/qa/answers.ts";
import type { ScoreAnswersReport } from "../tasks/qa/score.ts";
import { agreeTask } from "../tasks/trust/agreement.ts";
import { healthTask, probeTask, stressTask, trustTask } from "../tasks/trust/judges.ts";
import type { ContaminationReport } from "../tasks/trust/probe-contamination.ts";
import type { StressReport } from "../tasks/trust/stress-books.ts";
import { connectionsOf, taskFunction } from "./task-function.ts";
import type {
  AgreementOptions,
  CheckRubricOptions,
  HealthOptions,
  ProbeOptions,
  RepliesOptions,
  ScoreAnswersOptions,
  ScoreTextsOptions,
  StressOptions,
  TrustJudgesOptions,
} from "./task-options.ts";

/** The model behind a judge's name, with keys from the environment unless given. */
export function createChatModel(name: string, options: Partial<ChatModelOptions> = {}): Promise<ChatModel> {
  return createModel(name, { ...options, connections: connectionsOf(options.connections, [name]) });
}

/** Opens a run, with keys from the environment unless given, in memory unless a store is named. */
export async function openRun(settings: Partial<RunSettings> = {}, services: Partial<RunServices> = {}): Promise<Run> {
  const connections = connectionsOf(settings.connections);
  const run = await open(
    { store: ":memory:", ...settings, connections },
    { signal: new AbortController().signal, ...services },
  );
  return {
    ...run,
    // A program named in this call was named by the caller.
    model: async (judge) =>
      run.model(
        typeof judge === "string" && resolveShortName(judge, connections.judges).startsWith("command:")
          ? await createChatModel(judge, { connections })
          : judge,
      ),
  };
}

/** What is wrong with a rubric; `rubric` is the rubric itself if nothing is. */
export interface RubricCheck {
  readonly file: string;
  readonly rubric: Rubric | null;
  readonly problems: readonly RubricProblem[];
}

/** Lists everything that is wrong with a rubric file. */
export const checkRubric: (file: TextInput, options?: CheckRubricOptions) => Promise<RubricCheck> =
  taskFunction(rubricCheckTask);

/** The verdicts of a saved reply, with its critiques if they were requested. */
export type SavedReply = Omit<ImportedReply, "critiques" | "assessment"> &
  Partial<Pick<ImportedReply, "critiques" | "assessment">>;

/** Reads verdicts from saved replies of any model. */
export const readReplies: (
  files: TextInput | readonly TextInput[],
  options?: RepliesOptions,
) => Promise<readonly SavedReply[]> = taskFunction(repliesTask);

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

/** How well scores agree with people; the figures of the first metric are at the top level. */
export type AgreementResult = ReturnType<typeof agreementJson>;

/** Measures how well scores agree with people. */
export function agreement(table: string | Iterable<ScoreRow>, options: AgreementOptions): Promise<AgreementResult> {
  return agree(typeof table === "string" ? table : [...table], options);
}

const agree: (table: string | readonly ScoreRow[], options: AgreementOptions) => Promise<AgreementResult> =
  taskFunction(agreeTask, async (run) => agreeTask.output.body(await run()) as AgreementResult);

/** Shows a judge books and damaged copies of them, and reports whether it notices. */
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
