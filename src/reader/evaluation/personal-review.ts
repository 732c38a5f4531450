import { z } from "zod";
import { estimateTokens } from "../../core/estimate-tokens.ts";
import type { Random } from "../../core/random.ts";
import { scored, unscored, type Verdict } from "../../core/verdict.ts";
import { askPrompt } from "../../judge/ask.ts";
import { type Spread, spreadOf } from "../../judge/repeats.ts";
import type { ChatMessage, ChatModel, ChatReply } from "../../models/chat-model.ts";
import { readScoreReply } from "../../models/read-reply.ts";
import type { PromptLanguage } from "../../prompts/load-prompt.ts";
import { sumBy } from "../../stats/distribution.ts";
import { type Protocol, persePastReview, readPerseReview } from "../perse.ts";
import type { PersonalModel } from "../predictor/personal-model.ts";
import type { PastReview, Story } from "../predictor/story.ts";
import { type ChosenReviews, chooseReviews } from "./choose-reviews.ts";
import { NOTHING_TO_SHOW, pastReviewText, storyText } from "./describe-history.ts";
import { distinctOrders } from "./history-orders.ts";
import type { ScoreScale } from "./score-scale.ts";

export interface PersonalReviewOptions {
  /** How many earlier reviews the judge is shown: from 0. */
  readonly count: number;
  readonly withWords: boolean;
  readonly scale: ScoreScale;
  /** The form of the prompt and of the reply: our own unless given. */
  readonly protocol?: Protocol;
  /** How often the judge is asked, each time with the earlier reviews in another order; at most as often as there are orders. */
  readonly orders: number;
  readonly language: PromptLanguage;
  /** The language the review is written in. */
  readonly reviewLanguage: string;
  readonly temperature: number;
  readonly random: Random;
}

export interface PersonalReview {
  /** The mean over the orders, and how far they are apart. */
  readonly spread: Spread;
  readonly orders: readonly {
    readonly titles: readonly string[];
    readonly review: string | null;
    readonly verdict: Verdict;
  }[];
  readonly history: ChosenReviews;
}

const REPLY_TOKENS = 900;
/** Tokens for the instructions themselves, with some to spare. */
const PROMPT_TOKENS = 700;

/** PerSE's individual evaluation for any model: first a review as the reader would write it, then the score it leads to. */
export async function reviewAs(
  judge: ChatModel,
  model: Pick<PersonalModel, "likeness" | "centres">,
  reviews: readonly PastReview[],
  story: Story,
  options: PersonalReviewOptions,
  signal: AbortSignal,
): Promise<PersonalReview> {
  const storyShown = storyText(story, options.language);
  const isPerse = options.protocol === "perse";
  const textOf = (review: PastReview, position = 0) =>
    isPerse ? persePastReview(review, position, options) : pastReviewText(review, position + 1, options);
  const history = chooseReviews(model, reviews, story, {
    count: options.count,
    tokens: tokensForHistory(judge.contextTokens, storyShown),
    textOf,
  });
  const { minimum, maximum } = options.scale;
  const asked = isPerse
    ? {
        ...{ prompt: "perse-review", language: "en" as const, values: {} },
        read: (reply: ChatReply) => readPerseReview(reply, options.scale),
        layout: (words: string) => `[Review] ${words}\n[Score] ${maximum}`,
      }
    : {
        ...{ prompt: "personal-review", language: options.language, values: { language: options.reviewLanguage } },
        shape: { name: "review", schema: z.object({ review: z.string().min(1), score: z.number() }) },
        read: (reply: ChatReply, prompt: readonly ChatMessage[]) => readScoreReply(reply, options.scale, prompt),
      };
  const sequences = distinctOrders(history.chosen, options.orders, options.random);
  const orders = await Promise.all(
    sequences.map(async ({ order: sequence, sample }) => {
      const titles = sequence.map(({ title }) => title ?? "an untitled story");
      if (storyShown === "") return { titles, review: null, verdict: unscored(NOTHING_TO_SHOW) };
      const shown = sequence.map(textOf).join("\n\n");
      const answer = await askPrompt(
        judge,
        {
          ...asked,
          values: { ...asked.values, history: shown, story: storyShown, minimum, maximum },
          purpose: "judge",
          maximumTokens: REPLY_TOKENS,
          temperature: options.temperature,
          sample,
        },
        signal,
      );
      if (answer.kind === "unanswered") return { titles, review: null, verdict: unscored(answer.reason) };
      const { reason, score } = answer.value;
      return { titles, review: reason || null, verdict: scored(score) };
    }),
  );
  return {
    spread: spreadOf(
      orders.map(({ verdict }) => verdict),
      options.scale,
    ),
    orders,
    history,
  };
}

/** How many tokens of a model's context are left for the history, after the story, the instructions and the reply. */
export function tokensForHistory(contextTokens: number | null, ...texts: readonly string[]): number | null {
  if (contextTokens === null) return null;
  const taken = PROMPT_TOKENS + REPLY_TOKENS + sumBy(texts, estimateTokens);
  return Math.max(0, contextTokens - taken);
}
