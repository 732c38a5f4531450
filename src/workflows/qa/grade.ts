import { FabulaError } from "../../core/errors.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { unscored } from "../../core/verdict.ts";
import { rubricOf } from "../../criteria/load-rubric.ts";
import type { Rubric } from "../../criteria/rubric.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import type { GradingSetting } from "../../qa/choices.ts";
import { readQaDocuments } from "../../qa/dataset/read-documents.ts";
import { summaryFinder } from "../../qa/judging/find-summary.ts";
import { type Grade, gradeAnswer } from "../../qa/judging/grade-answer.ts";
import type { Prediction } from "../../qa/scoring/prediction.ts";
import { mapBounded } from "../../runner/map-bounded.ts";
import type { RunServices, RunSettings } from "../../runner/open-run.ts";
import { inRun, type RunOutcome } from "../runs/in-run.ts";

export interface GradingRequest {
  readonly judge: string | ChatModel;
  readonly setting: GradingSetting;
  /** The rubric's name or file. */
  readonly rubric: string | Rubric;
  /** Books with their summaries, for the `summary` setting. */
  readonly data?: string;
  readonly settings: RunSettings;
  readonly services: RunServices;
  readonly onProgress: ProgressListener;
}

/** A judge's grade for each answer; null where there is no answer to grade. */
export async function gradePredictions(
  predictions: readonly Prediction[],
  request: GradingRequest,
): Promise<RunOutcome<(Grade | null)[]>> {
  const { setting, services } = request;
  if (setting === "summary" && request.data === undefined) {
    throw new FabulaError("E_USAGE", "To grade with summaries, give the books that hold them with --data.");
  }
  const rubric = await rubricOf(request.rubric);
  const summaryOf = request.data === undefined ? null : summaryFinder(await readQaDocuments(request.data));
  return inRun(request.settings, services, async (run) => {
    const model = await run.model(request.judge);
    let done = 0;
    return mapBounded(predictions, run.concurrency, async (prediction): Promise<Grade | null> => {
      const grade = await gradeOne(prediction);
      request.onProgress({ stage: "grading", done: ++done, total: predictions.length });
      return grade;
    });

    async function gradeOne(prediction: Prediction): Promise<Grade | null> {
      const { question, answers } = prediction;
      if (prediction.prediction === null) return null;
      if (question === undefined) return ungraded("the line has no question");
      const summary = setting === "summary" ? (summaryOf?.(prediction) ?? null) : null;
      if (setting === "summary" && summary === null) return ungraded("no summary was found for this question");
      const graded = { question, references: answers, answer: prediction.prediction, summary };
      return gradeAnswer(model, rubric, graded, services.signal);
    }
  });
}

function ungraded(reason: string): Grade {
  return { verdict: unscored(reason), reason };
}
