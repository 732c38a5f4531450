import type { Rubric } from "../criteria/rubric.ts";
import { metadataText } from "../judge/material/book-material.ts";
import { aspectHeading, writeConclusion, writeReview } from "../judge/novelcritique/review-layout.ts";
import { renderPrompt } from "../prompts/render-prompt.ts";
import type { PromptTemplate } from "../prompts/template.ts";
import type { AspectMapper } from "./map-aspect.ts";
import type { StructuredReview } from "./structured-review.ts";

/** What a model is shown of a book, in training as in use. */
export interface TrainingBook {
  readonly title: string;
  readonly genres: readonly string[];
  readonly premise: string | null;
  readonly plot: string;
  readonly characters: string | null;
  readonly excerpts: string | null;
}

export interface TrainingExample {
  readonly prompt: string;
  readonly completion: string;
}

export interface ExampleMaker {
  readonly rubric: Rubric;
  readonly map: AspectMapper;
  /** The very prompts that the protocol asks with. */
  readonly reviewPrompt: PromptTemplate;
  readonly scorePrompt: PromptTemplate;
}

/**
 * One review as instruction and answer: the book's material and the aspects the reader spoke of → critiques, assessment,
 * score. A review of a single aspect also teaches the second step, from a critique alone to a score: there the whole
 * rating answers to that aspect. Reviews without a verdict or an aspect we know teach nothing.
 */
export function trainingExamples(
  review: StructuredReview,
  score: number,
  book: TrainingBook,
  { rubric, map, reviewPrompt, scorePrompt }: ExampleMaker,
): TrainingExample[] {
  const critiques = critiquesByName(review, rubric, map);
  const names = Object.keys(critiques);
  if (names.length === 0 || review.conclusion.trim() === "") return [];
  const given = Math.round(Math.min(Math.max(score, 1), 5) * 10) / 10;
  const metadata = metadataText({ ...book, author: null }, "en");
  const { plot, characters, excerpts } = book;
  const whole: TrainingExample = {
    prompt: textOf(reviewPrompt, {
      metadata,
      plot,
      characters,
      excerpts,
      aspects: names.map(aspectHeading).join("\n"),
    }),
    completion: writeReview({ aspects: critiques, assessment: review.conclusion, score: given }),
  };
  if (names.length > 1) return [whole];
  const [[aspect, critique]] = Object.entries(critiques) as [[string, string]];
  return [
    whole,
    {
      prompt: textOf(scorePrompt, { metadata, aspect, critique }),
      completion: writeConclusion(review.conclusion, given),
    },
  ];
}

/** Critiques under the rubric's names, in the rubric's order. */
function critiquesByName(review: StructuredReview, rubric: Rubric, map: AspectMapper): Record<string, string> {
  const gathered = new Map<string, string[]>();
  for (const [name, critique] of Object.entries(review.aspects)) {
    const place = map(name);
    if (place.kind !== "aspect" || critique.trim() === "") continue;
    gathered.set(place.aspect, [...(gathered.get(place.aspect) ?? []), critique.trim()]);
  }
  const known = rubric.criteria.filter(({ id }) => gathered.has(id));
  return Object.fromEntries(known.map(({ id, name }) => [name, gathered.get(id)!.join(" ")]));
}

function textOf(template: PromptTemplate, values: Parameters<typeof renderPrompt>[1]): string {
  return renderPrompt(template, values)
    .map(({ content }) => content)
    .join("\n\n");
}
