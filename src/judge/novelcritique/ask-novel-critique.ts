import { isScored, rescale, scored, unscored, type Verdict } from "../../core/verdict.ts";
import type { Criterion, Rubric } from "../../criteria/rubric.ts";
import { type Answer, ask, type ParsedAnswer } from "../../models/ask.ts";
import type { ChatMessage, ChatModel, ChatReply } from "../../models/chat-model.ts";
import { refusalIn } from "../../models/read-reply.ts";
import { shippedPrompts } from "../../prompts/own-prompts.ts";
import type { JudgeReply } from "../judge-reply.ts";
import type { JudgeInstructions } from "../material.ts";
import {
  isPraise,
  loadReviewForm,
  REVIEW_SCALE,
  type ReviewForm,
  readReview,
  type ShownStory,
  type WrittenReview,
} from "./review-layout.ts";

const TOKENS_PER_ASPECT = 300;
const TOKENS_FOR_THE_WHOLE = 400;
const MIDDLE_SCORE = 3;

/** Reported if the server answered with a new message instead of continuing the one that was begun. */
export const NOT_CONTINUED =
  "The server does not continue a reply that was begun for the model, as NovelCritique was used: each aspect's score closes a new review of that aspect alone instead of the critique of the whole review.";

/**
 * The protocol of a model trained on readers' reviews (NovelCritique, LongStoryEval §4.2). One call asks for
 * critiques, overall assessment and score; then, for each aspect, the same question is asked about that aspect alone,
 * with the beginning of the answer supplied: the critique, the critique again as the assessment, and the heading of
 * the score, which the model continues. The model's 1–5 is converted proportionally to the rubric's scale: 3.8 of 5
 * is 76 of 100. An aspect without a critique has no score. If the first reply shows that the server does not continue
 * a given beginning, each aspect is reviewed separately instead.
 */
export async function askNovelCritique(
  model: ChatModel,
  instructions: JudgeInstructions,
  story: ShownStory,
  sample: number,
  signal: AbortSignal,
): Promise<Answer<JudgeReply>> {
  const form = await loadReviewForm(instructions.prompts ?? shippedPrompts);
  const asking: Asking = { model, instructions, form, story, sample, signal };
  const review = await askForReview(asking, instructions.criteria);
  if (review.kind === "unanswered") return review;
  const scores = await aspectScores(asking, review.value);
  const onScale = (score: number | null) =>
    score === null ? null : rescale(score, REVIEW_SCALE, instructions.rubric.scale);
  const aspects = instructions.criteria.map(({ id }, position) => {
    const critique = review.value.aspects[id];
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
      ...(scores.some(({ continued }) => continued === false) && { note: NOT_CONTINUED }),
    },
  };
}

interface Asking {
  readonly model: ChatModel;
  readonly instructions: JudgeInstructions;
  readonly form: ReviewForm;
  readonly story: ShownStory;
  readonly sample: number;
  readonly signal: AbortSignal;
}

interface AspectScore {
  readonly verdict: Verdict;
  readonly attempts: readonly ChatReply[];
  /** Whether the model continued the given beginning; null if none was given. */
  readonly continued: boolean | null;
}

/** The first aspect shows whether the server continues; the others go side by side. */
async function aspectScores(asking: Asking, review: WrittenReview): Promise<AspectScore[]> {
  const { criteria } = asking.instructions;
  const first = criteria.findIndex(({ id }) => review.aspects[id] !== undefined);
  const tried = first < 0 ? null : await aspectScore(asking, criteria[first]!, review, true);
  return Promise.all(
    criteria.map((criterion, at) =>
      at === first ? tried! : aspectScore(asking, criterion, review, tried?.continued !== false),
    ),
  );
}

async function aspectScore(
  asking: Asking,
  criterion: Criterion,
  review: WrittenReview,
  continues: boolean,
): Promise<AspectScore> {
  const critique = review.aspects[criterion.id];
  if (critique === undefined)
    return { verdict: unscored("the review does not speak of it"), attempts: [], continued: null };
  const begun = continues ? await continueReview(asking, criterion, critique) : null;
  if (begun?.kind === "answered") return { verdict: scored(begun.value), attempts: begun.attempts, continued: true };
  const paid = begun?.attempts ?? [];
  if (begun?.refused) return { verdict: unscored(begun.reason), attempts: paid, continued: null };
  const alone = await askForReview(asking, [criterion]);
  const verdict = alone.kind === "answered" ? scored(alone.value.score!) : unscored(alone.reason);
  return { verdict, attempts: [...paid, ...alone.attempts], continued: false };
}

/** A continuation starts where the given beginning ended: with the score. */
const CONTINUED = /^[\s:*]*(\d(?:\.\d+)?)(?:\s*\/\s*5)?[\s*.]*(?:\n|$)/;

function continueReview(asking: Asking, criterion: Criterion, critique: string): Promise<Answer<number>> {
  const { form, story } = asking;
  const begun = form.beginning(critique, criterion);
  const read = (reply: ChatReply): ParsedAnswer<number> => {
    const refusal = refusalIn(reply);
    if (refusal) return refusal;
    // Some servers repeat the given beginning.
    const rest = reply.text.startsWith(begun) ? reply.text.slice(begun.length) : reply.text;
    const score = Number(CONTINUED.exec(rest)?.[1]);
    if (score >= REVIEW_SCALE.minimum && score <= REVIEW_SCALE.maximum) return { kind: "read", value: score };
    return { kind: "unreadable", why: "no-score", reason: "the reply does not go on with a score from 1 to 5" };
  };
  const messages: ChatMessage[] = [...form.question(story, [criterion]), { role: "assistant", content: begun }];
  const tokens = TOKENS_FOR_THE_WHOLE + TOKENS_PER_ASPECT;
  return send(asking, messages, tokens, (words) => `: ${MIDDLE_SCORE.toFixed(1)}\n${words}`, read, false);
}

function askForReview(asking: Asking, criteria: readonly Criterion[]): Promise<Answer<WrittenReview>> {
  const { form, story, instructions } = asking;
  // Gives a part that was requested without its whole a heading of its own.
  const asked: Rubric = {
    ...instructions.rubric,
    criteria: criteria.map(({ parent: _whole, ...criterion }) => criterion),
  };
  const read = (reply: ChatReply): ParsedAnswer<WrittenReview> => {
    const refusal = refusalIn(reply);
    if (refusal) return refusal;
    const value = readReview(reply.text, asked);
    const reason = "the reply states no score from 1 to 5";
    return value.score === null ? { kind: "unreadable", why: "no-score", reason } : { kind: "read", value };
  };
  const layout = (words: string) =>
    form.answer(
      { aspects: Object.fromEntries(criteria.map(({ id }) => [id, words])), assessment: words, score: MIDDLE_SCORE },
      criteria,
    );
  const tokens = TOKENS_FOR_THE_WHOLE + TOKENS_PER_ASPECT * criteria.length;
  return send(asking, form.question(story, criteria), tokens, layout, read, true);
}

function send<T>(
  { model, instructions: { temperature }, form, sample, signal }: Asking,
  messages: readonly ChatMessage[],
  maximumTokens: number,
  layout: (words: string) => string,
  read: (reply: ChatReply) => ParsedAnswer<T>,
  askAgain: boolean,
): Promise<Answer<T>> {
  const basis = form.hash;
  // Without a continuation, the model may write a review of the aspect, which can be asked for twice.
  const attempts = askAgain ? 1 : 3;
  return ask(
    model,
    { purpose: "judge", messages, temperature, maximumTokens, sample, basis, layout, read, askAgain, attempts },
    signal,
  );
}
