import { type Random, shuffled } from "../../core/random.ts";
import type { PromptLanguage } from "../../prompts/load-prompt.ts";
import { type PromptMessage, renderPrompt } from "../../prompts/render-prompt.ts";
import type { PromptTemplate } from "../../prompts/template.ts";
import { sum } from "../../stats/distribution/sum.ts";
import { countWords } from "../../text/words.ts";
import { pastReviewText, storyText } from "../evaluation/describe-history.ts";
import { fromStars, type ScoreScale } from "../evaluation/score-scale.ts";
import type { Story } from "../predictor/story.ts";
import type { Conversation } from "./conversation.ts";

/** A review that can be learnt from: it has words, stars and a story. */
export interface DatasetReview {
  readonly reviewer: string;
  readonly book: string;
  readonly story: Story;
  readonly rating: number;
  readonly review: string;
}

export interface DatasetOptions {
  readonly templates: { readonly review: PromptTemplate; readonly compare: PromptTemplate };
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
  /** Longest prompt, in words: histories are shortened until they fit. Null keeps every history whole. */
  readonly maximumWords: number | null;
  readonly random: Random;
}

export interface DatasetExample extends Conversation {
  readonly score: number;
}

export interface DatasetSplit {
  readonly reviews: readonly DatasetExample[];
  /** Which of two stories the reader rated clearly higher. */
  readonly comparisons: readonly Conversation[];
}

export interface Dataset {
  readonly train: DatasetSplit;
  readonly validation: DatasetSplit;
  readonly readers: { readonly kept: number; readonly dropped: number };
  /** Conversations whose history had to be shortened, and those that did not fit even with a single review. */
  readonly shortened: number;
  readonly tooLong: number;
}

interface Drawn {
  readonly reviewer: string;
  readonly queries: readonly DatasetReview[];
  readonly history: readonly DatasetReview[];
}

/** Two ratings that differ by less say too little about which story was preferred. */
const CLEAR_DIFFERENCE = 1;

/** Groups by reader, drops those of too few reviews, splits by reader, and draws histories (PerSE, section 3). */
export function buildDataset(reviews: readonly DatasetReview[], options: DatasetOptions): Dataset {
  const byReader = new Map<string, DatasetReview[]>();
  for (const review of reviews) byReader.set(review.reviewer, [...(byReader.get(review.reviewer) ?? []), review]);
  const kept = [...byReader].filter(([, group]) => group.length >= Math.max(options.minimumReviews, options.count + 1));
  const order = shuffled(kept, options.random);
  const held = Math.round(order.length * options.validationShare);
  const counts: Counts = { shortened: 0, tooLong: 0 };
  const split = (readers: typeof order): DatasetSplit => ({
    reviews: readers.flatMap(([reviewer, group]) =>
      draws(reviewer, group, 1, options).flatMap((drawn) => reviewExample(drawn, options, counts) ?? []),
    ),
    comparisons: readers.flatMap(([reviewer, group]) =>
      draws(reviewer, group, 2, options).flatMap((drawn) => comparisonExample(drawn, options, counts) ?? []),
    ),
  });
  return {
    validation: split(order.slice(0, held)),
    train: split(order.slice(held)),
    readers: { kept: kept.length, dropped: byReader.size - kept.length },
    ...counts,
  };
}

/** Histories of a reader, each with the stories asked about; the same draw never comes twice, so a small shelf gives fewer. */
function draws(
  reviewer: string,
  group: readonly DatasetReview[],
  asked: 1 | 2,
  { samples, count, random }: DatasetOptions,
): Drawn[] {
  const seen = new Set<string>();
  const made: Drawn[] = [];
  for (let attempt = 0; attempt < samples * 3 && made.length < samples; attempt++) {
    const order = shuffled([...group.keys()], random);
    const [queries, history] = [order.slice(0, asked), order.slice(asked, asked + count)];
    if (history.length < count) break;
    const [first, second] = queries.map((at) => group[at]!.rating);
    if (second !== undefined && Math.abs(first! - second) < CLEAR_DIFFERENCE) continue;
    const key = `${[...queries].sort().join()}:${[...history].sort().join()}`;
    if (seen.has(key)) continue;
    seen.add(key);
    made.push({ reviewer, queries: queries.map((at) => group[at]!), history: history.map((at) => group[at]!) });
  }
  return made;
}

/** The reader's own review and score as the answer to the prompt of `fabula reader review`. */
function reviewExample(drawn: Drawn, options: DatasetOptions, counts: Counts): DatasetExample | null {
  const { language, scale, templates } = options;
  const [query] = drawn.queries;
  const { minimum, maximum } = scale;
  const story = storyText(query!.story, language);
  const fitted = fittingPrompt(drawn, options, counts, (history) =>
    renderPrompt(templates.review, { history, story, minimum, maximum, language }),
  );
  const score = fromStars(query!.rating, scale);
  return fitted && { ...conversation(drawn, fitted, { review: query!.review, score }), score };
}

/**
 * The story that the reader gave more as the answer to the prompt of `fabula reader compare`, with what the reader said of both
 * as the reason. Ratings know no aspects, so the prompt asks for none: a model must not learn to leave them out.
 */
function comparisonExample(drawn: Drawn, options: DatasetOptions, counts: Counts): Conversation | null {
  const { language, scale, templates } = options;
  const [first, second] = drawn.queries;
  const fitted = fittingPrompt(drawn, options, counts, (history) =>
    renderPrompt(templates.compare, {
      history,
      first: storyText(first!.story, language),
      second: storyText(second!.story, language),
    }),
  );
  const said = ({ rating, review }: DatasetReview) =>
    `${fromStars(rating, scale)}/${scale.maximum}. ${beginning(review)}`;
  const [one, other] = language === "zh" ? ["第一个：", "第二个："] : ["The first: ", "The second: "];
  const answer = {
    reason: `${one}${said(first!)}\n${other}${said(second!)}`,
    overall: first!.rating > second!.rating ? "first" : "second",
  };
  return fitted && conversation(drawn, fitted, answer);
}

/** Characters of a review that are reason enough for a choice. */
const REASON_CHARACTERS = 600;

/** The beginning of a review, up to the end of a sentence or at least of a word. */
function beginning(review: string): string {
  if (review.length <= REASON_CHARACTERS) return review;
  const head = review.slice(0, REASON_CHARACTERS);
  const sentence = head.search(/[.!?。！？][^.!?。！？]*$/);
  return sentence > 0 ? head.slice(0, sentence + 1) : `${head.replace(/\s+\S*$/, "")}…`;
}

interface Counts {
  shortened: number;
  tooLong: number;
}

interface Fitted {
  readonly prompt: readonly PromptMessage[];
  /** How many reviews of the history are in it. */
  readonly k: number;
}

/** The prompt with as much of the history as fits, at least one review where there are any. */
function fittingPrompt(
  { history }: Drawn,
  { maximumWords, scale, language }: DatasetOptions,
  counts: Counts,
  promptOf: (history: string) => PromptMessage[],
): Fitted | null {
  const texts = history.map(({ story, rating, review }, index) =>
    pastReviewText({ ...story, rating, review }, index + 1, { scale, language, withWords: true }),
  );
  for (let k = history.length; k >= Math.min(1, history.length); k--) {
    const prompt = promptOf(texts.slice(0, k).join("\n\n"));
    const words = maximumWords === null ? 0 : sum(prompt.map(({ content }) => countWords(content)));
    if (maximumWords !== null && words > maximumWords) continue;
    if (k < history.length) counts.shortened++;
    return { prompt, k };
  }
  counts.tooLong++;
  return null;
}

function conversation({ reviewer, queries, history }: Drawn, { prompt, k }: Fitted, answer: object): Conversation {
  return {
    reviewer,
    k,
    books: [...queries, ...history.slice(0, k)].map(({ book }) => book),
    messages: [...prompt, { role: "assistant" as const, content: JSON.stringify(answer) }],
  };
}
