import { FabulaError } from "../../core/errors.ts";
import { readJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { type DatasetAgreement, metaEvaluate } from "../../qa/agreement/meta-evaluation.ts";
import { humanRating, type RatedAnswer, ratedAnswerSchema } from "../../qa/agreement/rated-answer.ts";
import type { ResampledUnit } from "../../stats/meta-evaluation/draws.ts";

export interface QaAgreeRequest {
  /** Files of scored and rated answers, of one system or several each. */
  readonly files: readonly string[];
  readonly metrics?: readonly string[];
  readonly over?: ResampledUnit;
  readonly resamples?: number;
  readonly seed: number;
  readonly onProgress: ProgressListener;
}

export interface QaAgreeReport {
  readonly answers: number;
  /** Answers without any human rating. */
  readonly unrated: number;
  readonly datasets: readonly DatasetAgreement[];
}

/** Answers with scores and human ratings → how well each metric agrees with people, by system and by answer. */
export async function agreeOnAnswers(request: QaAgreeRequest): Promise<QaAgreeReport> {
  const answers: RatedAnswer[] = [];
  for (const file of request.files)
    for (const answer of await readJsonLines(file, ratedAnswerSchema)) answers.push(answer);
  const rated = answers.filter((answer) => !isUnrated(answer));
  if (rated.length === 0) {
    throw new FabulaError(
      "E_QA_UNRATED",
      'None of these answers carries a human rating: each line needs "human", a number or {"reference": …, "summary": …}.',
    );
  }
  const datasets = metaEvaluate(answers, {
    seed: request.seed,
    ...(request.metrics && { metrics: request.metrics }),
    ...(request.over && { over: request.over }),
    ...(request.resamples !== undefined && { resamples: request.resamples }),
    onProgress: (stage, done, total) => request.onProgress({ stage, done, total }),
  });
  return { answers: answers.length, unrated: answers.length - rated.length, datasets };
}

function isUnrated(answer: RatedAnswer): boolean {
  return Number.isNaN(humanRating(answer, "reference")) && Number.isNaN(humanRating(answer, "summary"));
}
