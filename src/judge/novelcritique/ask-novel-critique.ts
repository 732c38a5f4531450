import { rescale } from "../../core/scale.ts";
import { isScored, scored, unscored, type Verdict } from "../../core/verdict.ts";
import type { Criterion, Rubric } from "../../criteria/rubric.ts";
import { type Answer, ask, type Reading } from "../../models/ask.ts";
import type { ChatModel, ChatReply } from "../../models/chat-model.ts";
import { refusalIn } from "../../models/read-reply.ts";
import { shippedPrompts } from "../../prompts/own-prompts.ts";
import { type PromptValues, renderPrompt } from "../../prompts/render-prompt.ts";
import type { JudgeReply } from "../judge-reply.ts";
import type { Judging } from "../material/judging.ts";
import { isPraise } from "./is-praise.ts";
import { aspectHeading, REVIEW_SCALE, readReview, type WrittenReview, writeReview } from "./review-layout.ts";

/** What the model is shown of a book. */
export interface BookSummary {
  readonly metadata: string;
  readonly plot: string;
  readonly characters: string | null;
  readonly excerpts: string | null;
}

const TOKENS_PER_ASPECT = 300;
const TOKENS_FOR_THE_WHOLE = 400;
const MIDDLE_SCORE = 3;

/**
 * The protocol of a model trained on readers' reviews (NovelCritique, LongStoryEval §4.2): one call for critiques, overall
 * assessment and score; then, for each aspect, one that sums up that aspect's critique alone and scores it. The model's
 * 1–5 is carried over to the rubric's scale in proportion, as every score is: 3.8 of 5 is 76 of 100. An aspect it wrote nothing on has no score.
 */
export async function askNovelCritique(
  model: ChatModel,
  judging: Judging,
  summary: BookSummary,
  sample: number,
  signal: AbortSignal,
): Promise<Answer<JudgeReply>> {
  const { metadata, plot, characters, excerpts } = summary;
  const names = judging.criteria.map(({ name }) => name);
  const review = await askInLayout(
    model,
    {
      prompt: "novel-critique",
      values: { metadata, plot, characters, excerpts, aspects: names.map(aspectHeading).join("\n") },
      criteria: judging.criteria,
      maximumTokens: TOKENS_FOR_THE_WHOLE + TOKENS_PER_ASPECT * names.length,
    },
    judging,
    sample,
    signal,
  );
  if (review.kind === "unanswered") return review;
  const scores = await Promise.all(
    judging.criteria.map(({ name }) => aspectScore(model, judging, summary, name, review.value, sample, signal)),
  );
  const onScale = (score: number | null) =>
    score === null ? null : rescale(score, REVIEW_SCALE, judging.rubric.scale);
  const aspects = judging.criteria.map(({ id, name }: Criterion, position) => {
    const critique = review.value.aspects[name];
    const { verdict } = scores[position]!;
    const score = isScored(verdict) ? verdict.score : null;
    const remarks = critique === undefined ? [] : [{ point: critique, quotes: [] }];
    const praises = isPraise(critique ?? "", (score ?? review.value.score ?? MIDDLE_SCORE) >= MIDDLE_SCORE);
    const sides = praises ? { strengths: remarks, weaknesses: [] } : { strengths: [], weaknesses: remarks };
    return [id, { ...sides, score: onScale(score), ...(!isScored(verdict) && { unscored: verdict.reason }) }] as const;
  });
  return {
    kind: "answered",
    attempts: [...review.attempts, ...scores.flatMap(({ attempts }) => attempts)],
    value: {
      aspects: Object.fromEntries(aspects),
      assessment: review.value.assessment,
      overall: onScale(review.value.score),
    },
  };
}

async function aspectScore(
  model: ChatModel,
  judging: Judging,
  { metadata }: BookSummary,
  aspect: string,
  review: WrittenReview,
  sample: number,
  signal: AbortSignal,
): Promise<{ readonly verdict: Verdict; readonly attempts: readonly ChatReply[] }> {
  const critique = review.aspects[aspect];
  if (critique === undefined) return { verdict: unscored("the review does not speak of it"), attempts: [] };
  const question = {
    prompt: "novel-critique-score",
    values: { metadata, aspect, critique },
    criteria: [],
    maximumTokens: TOKENS_FOR_THE_WHOLE,
  };
  const answer = await askInLayout(model, question, judging, sample, signal);
  const verdict = answer.kind === "answered" ? scored(answer.value.score!) : unscored(answer.reason);
  return { verdict, attempts: answer.attempts };
}

interface LayoutQuestion {
  readonly prompt: string;
  readonly values: PromptValues;
  /** The aspects it asks for. */
  readonly criteria: readonly Criterion[];
  readonly maximumTokens: number;
}

async function askInLayout(
  model: ChatModel,
  { prompt, values, criteria, maximumTokens }: LayoutQuestion,
  { temperature, rubric, prompts = shippedPrompts }: Judging,
  sample: number,
  signal: AbortSignal,
): Promise<Answer<WrittenReview>> {
  const template = await prompts(prompt, "en");
  // A part asked for without its whole has a heading of its own.
  const asked: Rubric = { ...rubric, criteria: criteria.map(({ parent: _whole, ...criterion }) => criterion) };
  const read = (reply: ChatReply): Reading<WrittenReview> => {
    const refusal = refusalIn(reply);
    if (refusal) return refusal;
    const value = readReview(reply.text, asked);
    const reason = "the reply states no score from 1 to 5";
    return value.score === null ? { kind: "unreadable", why: "no-score", reason } : { kind: "read", value };
  };
  const layout = (words: string) =>
    writeReview({
      aspects: Object.fromEntries(criteria.map(({ name }) => [name, words])),
      assessment: words,
      score: MIDDLE_SCORE,
    });
  const messages = renderPrompt(template, values);
  return ask(
    model,
    { purpose: "judge", messages, temperature, maximumTokens, sample, basis: template.hash, layout, read },
    signal,
  );
}
