import { FabulaError } from "../../core/errors.ts";
import { type BadLine, readFittingLines } from "../../core/json-lines.ts";
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
  /** Lines that are no answers: they are left out. */
  readonly badLines: readonly (BadLine & { readonly file: string })[];
  readonly datasets: readonly DatasetAgreement[];
}

/** Answers with scores and human ratings → how well each metric agrees with people, by system and by answer. */
export async function agreeOnAnswers(request: QaAgreeRequest): Promise<QaAgreeReport> {
  const answers: RatedAnswer[] = [];
  const badLines: (BadLine & { file: string })[] = [];
  for (const [done, file] of request.files.entries()) {
    request.onProgress({ stage: "reading answers", done, total: request.files.length });
    const { rows, bad } = await readFittingLines(file, ratedAnswerSchema);
    for (const answer of rows) answers.push(answer);
    badLines.push(...bad.map((line) => ({ file, ...line })));
  }
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
  return { answers: answers.length, unrated: answers.length - rated.length, badLines, datasets };
}

function isUnrated(answer: RatedAnswer): boolean {
  return Number.isNaN(humanRating(answer, "reference")) && Number.isNaN(humanRating(answer, "summary"));
}
