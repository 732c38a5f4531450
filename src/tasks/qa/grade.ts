import { FabulaError } from "../../core/errors.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { unscored } from "../../core/verdict.ts";
import { rubricOf } from "../../criteria/load-rubric.ts";
import type { Rubric } from "../../criteria/rubric.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import type { GradingProtocol, GradingSetting } from "../../qa/choices.ts";
import { readQaDocuments } from "../../qa/dataset/read-documents.ts";
import { type Grade, gradeAnswer, ownSummary, type SummaryFinder, summaryFinder } from "../../qa/grading.ts";
import type { Prediction } from "../../qa/scoring/prediction.ts";
import { mapBounded } from "../../runner/map-bounded.ts";
import { inRun, type RunOutcome, type RunServices, type RunSettings } from "../../runner/open-run.ts";

export interface GradingRequest {
  readonly judge: string | ChatModel;
  readonly setting: GradingSetting;
  /** How the judge is asked; `json` by default. */
  readonly protocol?: GradingProtocol;
  /** The rubric's name or file. */
  readonly rubric: string | Rubric;
  /** Books with their summaries, for the `summary` setting. */
  readonly data?: string;
  readonly settings: RunSettings;
  readonly services: RunServices;
  readonly onProgress: ProgressListener;
}

/** The name of a judge's column of grades: the judge, the protocol if it is not the default, and what the judge saw. */
export function gradeColumn({ judge, protocol }: Pick<GradingRequest, "judge" | "protocol">, setting: GradingSetting) {
  const name = typeof judge === "string" ? judge : judge.id;
  return protocol === "prometheus" ? `${name}-prometheus-${setting}` : `${name}-${setting}`;
}

/** A judge's grade for each answer; null if there is no answer. */
export async function gradePredictions(
  predictions: readonly Prediction[],
  request: GradingRequest,
): Promise<RunOutcome<(Grade | null)[]>> {
  const { setting } = request;
  if (setting === "summary" && request.data === undefined && !predictions.some((row) => ownSummary(row) !== null)) {
    throw new FabulaError("E_USAGE", "To grade with summaries, give the books that hold them with --data.");
  }
  return gradeItems(
    predictions.map((prediction) => ({ prediction, setting })),
    request,
  );
}

export interface GradedItem {
  readonly prediction: Prediction;
  readonly setting: GradingSetting;
}

/** Does the same in one run for answers graded with their references and answers graded with the summary as well. */
export async function gradeItems(
  items: readonly GradedItem[],
  request: Omit<GradingRequest, "setting">,
): Promise<RunOutcome<(Grade | null)[]>> {
  const { services, protocol } = request;
  const rubric = await rubricOf(request.rubric);
  const summaryOf = await summariesFor(request.data);
  return inRun(request.settings, services, async (run) => {
    const model = await run.model(request.judge);
    let done = 0;
    return mapBounded(items, run.concurrency, async (item): Promise<Grade | null> => {
      const grade = await gradeOne(item);
      request.onProgress({ stage: "grading", done: ++done, total: items.length });
      return grade;
    });

    async function gradeOne({ prediction, setting }: GradedItem): Promise<Grade | null> {
      const { question, answers } = prediction;
      if (prediction.prediction === null) return null;
      if (question === undefined) return ungraded("the line has no question");
      const summary = setting === "summary" ? summaryOf(prediction) : null;
      if (setting === "summary" && summary === null) return ungraded("no summary was found for this question");
      const graded = { question, references: answers, answer: prediction.prediction, summary };
      return gradeAnswer(model, rubric, graded, services.signal, protocol);
    }
  });
}

/** Finds the summary of an answer's book: in the books that were given, or in the answer itself. */
export async function summariesFor(data: string | undefined): Promise<SummaryFinder> {
  if (data === undefined) return ownSummary;
  const found = summaryFinder(await readQaDocuments(data));
  return (prediction) => found(prediction) ?? ownSummary(prediction);
}

function ungraded(reason: string): Grade {
  return { verdict: unscored(reason), reason };
}
