import { type Random, shuffled } from "../../core/random.ts";
import type { PromptLanguage } from "../../prompts/load-prompt.ts";
import { type PromptMessage, renderPrompt } from "../../prompts/render-prompt.ts";
import type { PromptTemplate } from "../../prompts/template.ts";
import { sum } from "../../stats/distribution/sum.ts";
import { countWords } from "../../text/words.ts";
import { pastReviewText, storyText } from "../evaluation/describe-history.ts";
import { fromStars, type ScoreScale } from "../evaluation/score-scale.ts";
import type { Story } from "../predictor/story.ts";

/** A review that can be learnt from: it has words, stars and a story. */
export interface DatasetReview {
  readonly reviewer: string;
  readonly story: Story;
  readonly rating: number;
  readonly review: string;
}

export interface DatasetOptions {
  readonly template: PromptTemplate;
  readonly language: PromptLanguage;
  readonly scale: ScoreScale;
  /** Reviews per history. */
  readonly count: number;
  /** Histories drawn per reader. */
  readonly samples: number;
  /** Readers with fewer reviews are dropped. */
  readonly minimumReviews: number;
  /** Share of readers that go to validation; no reader is in both. */
  readonly validationShare: number;
  /** Longest prompt, in words: histories are shortened until they fit. */
  readonly maximumWords: number;
  readonly random: Random;
}

/** A conversation to tune on: the very prompt that `fabula reader review` sends, and the reader's own review and score. */
export interface DatasetExample {
  readonly reviewer: string;
  readonly k: number;
  readonly score: number;
  readonly messages: readonly (PromptMessage | { readonly role: "assistant"; readonly content: string })[];
}

export interface Dataset {
  readonly train: readonly DatasetExample[];
  readonly validation: readonly DatasetExample[];
  readonly readers: { readonly kept: number; readonly dropped: number };
  /** Examples whose history had to be shortened, and those that did not fit even without one. */
  readonly shortened: number;
  readonly tooLong: number;
}

/** Groups by reader, drops those of too few reviews, splits by reader, and draws histories (PerSE, section 3). */
export function buildDataset(reviews: readonly DatasetReview[], options: DatasetOptions): Dataset {
  const byReader = new Map<string, DatasetReview[]>();
  for (const review of reviews) byReader.set(review.reviewer, [...(byReader.get(review.reviewer) ?? []), review]);
  const kept = [...byReader].filter(([, group]) => group.length >= Math.max(options.minimumReviews, options.count + 1));
  const order = shuffled(kept, options.random);
  const held = Math.round(order.length * options.validationShare);
  const counts = { shortened: 0, tooLong: 0 };
  const examples = (readers: typeof order) =>
    readers.flatMap(([reviewer, group]) =>
      Array.from({ length: options.samples }, () => {
        const [query, ...others] = shuffled(group, options.random);
        return example(reviewer, query!, others.slice(0, options.count), options, counts);
      }).filter((made) => made !== null),
    );
  return {
    validation: examples(order.slice(0, held)),
    train: examples(order.slice(held)),
    readers: { kept: kept.length, dropped: byReader.size - kept.length },
    ...counts,
  };
}

function example(
  reviewer: string,
  query: DatasetReview,
  history: readonly DatasetReview[],
  options: DatasetOptions,
  counts: { shortened: number; tooLong: number },
): DatasetExample | null {
  const { language, scale } = options;
  for (let length = history.length; length >= 0; length--) {
    const shown = history
      .slice(0, length)
      .map(({ story, rating, review }, index) =>
        pastReviewText({ ...story, rating, review }, index + 1, { scale, language, withWords: true }),
      )
      .join("\n\n");
    const prompt = renderPrompt(options.template, {
      history: shown,
      story: storyText(query.story, language),
      minimum: scale.minimum,
      maximum: scale.maximum,
      language,
    });
    const words = sum(prompt.map(({ content }) => countWords(content)));
    if (words > options.maximumWords || (length === 0 && history.length > 0)) continue;
    if (length < history.length) counts.shortened++;
    const score = fromStars(query.rating, scale);
    const answer = { role: "assistant" as const, content: JSON.stringify({ review: query.review, score }) };
    return { reviewer, k: length, score, messages: [...prompt, answer] };
  }
  counts.tooLong++;
  return null;
}
