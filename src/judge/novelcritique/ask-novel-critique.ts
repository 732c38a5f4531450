import type { Criterion, Rubric } from "../../criteria/rubric.ts";
import type { ChatModel, ChatReply } from "../../models/chat-model.ts";
import { ModelError } from "../../models/model-error.ts";
import { shippedPrompts } from "../../prompts/own-prompts.ts";
import { type PromptValues, renderPrompt } from "../../prompts/render-prompt.ts";
import type { Answer } from "../ask.ts";
import type { JudgeReply } from "../judge-reply.ts";
import type { Judging } from "../material/judging.ts";
import { isPraise } from "./is-praise.ts";
import { aspectHeading, readReview, type WrittenReview, writeReview } from "./review-layout.ts";

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
 * 1–5 is carried over to the rubric's scale. An aspect it wrote nothing on has no score.
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
  if (review.kind === "unread") return review;
  const scores = await Promise.all(
    judging.criteria.map(({ name }) => aspectScore(model, judging, summary, name, review.value, sample, signal)),
  );
  const { minimum, maximum } = judging.rubric.scale;
  const onScale = (score: number | null) => (score === null ? null : minimum + ((score - 1) / 4) * (maximum - minimum));
  const aspects = judging.criteria.map(({ id, name }: Criterion, position) => {
    const critique = review.value.aspects[name];
    const score = scores[position]!;
    const remarks = critique === undefined ? [] : [{ point: critique, quotes: [] }];
    const praises = isPraise(critique ?? "", (score ?? review.value.score ?? MIDDLE_SCORE) >= MIDDLE_SCORE);
    const sides = praises ? { strengths: remarks, weaknesses: [] } : { strengths: [], weaknesses: remarks };
    return [id, { ...sides, score: onScale(score) }] as const;
  });
  return {
    kind: "read",
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
): Promise<number | null> {
  const critique = review.aspects[aspect];
  if (critique === undefined) return null;
  const question = {
    prompt: "novel-critique-score",
    values: { metadata, aspect, critique },
    criteria: [],
    maximumTokens: TOKENS_FOR_THE_WHOLE,
  };
  const answer = await askInLayout(model, question, judging, sample, signal);
  return answer.kind === "read" ? answer.value.score : null;
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
  const whyUnusable = (reply: ChatReply) => {
    if (reply.stop === "refusal") return null;
    return readReview(reply.text, asked).score === null ? "the reply states no score from 1 to 5" : null;
  };
  try {
    const reply = await model.complete(
      {
        purpose: "judge",
        messages: renderPrompt(template, values),
        temperature,
        maximumTokens,
        sample,
        basis: template.hash,
        unusable: whyUnusable,
        layout: (words) =>
          writeReview({
            aspects: Object.fromEntries(criteria.map(({ name }) => [name, words])),
            assessment: words,
            score: MIDDLE_SCORE,
          }),
      },
      signal,
    );
    if (reply.stop === "refusal") return { kind: "unread", reason: "the model refused" };
    const reason = whyUnusable(reply);
    return reason === null ? { kind: "read", value: readReview(reply.text, asked) } : { kind: "unread", reason };
  } catch (error) {
    if (error instanceof ModelError && !error.hopeless && error.failure !== "interrupted") {
      return { kind: "unread", reason: error.message };
    }
    throw error;
  }
}
