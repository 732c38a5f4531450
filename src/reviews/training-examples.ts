import type { Criterion, Rubric } from "../criteria/rubric.ts";
import type { ReviewForm, ShownStory } from "../judge/novelcritique/review-layout.ts";
import type { ChatMessage } from "../models/chat-model.ts";
import type { AspectMapper } from "./map-aspect.ts";
import type { StructuredReview } from "./structured-review.ts";

/** What is asked and the answer to learn. */
export interface TrainingExample {
  readonly messages: readonly ChatMessage[];
  readonly completion: string;
}

export interface ExampleMaker {
  readonly rubric: Rubric;
  readonly map: AspectMapper;
  /** The very form that the protocol asks in. */
  readonly form: ReviewForm;
}

/**
 * One review as instruction and answer: the book's material and the aspects the reader spoke of → critiques, assessment,
 * score. A review of a single aspect is what teaches the model to score that aspect. Null for a review without a verdict or
 * an aspect we know, which teaches nothing.
 */
export function trainingExample(
  review: StructuredReview,
  score: number,
  story: ShownStory,
  { rubric, map, form }: ExampleMaker,
): TrainingExample | null {
  const { critiques, spokenOf } = critiquesByAspect(review, rubric, map);
  if (spokenOf.length === 0 || review.conclusion.trim() === "") return null;
  const given = Math.round(Math.min(Math.max(score, 1), 5) * 10) / 10;
  return {
    messages: form.question(story, spokenOf),
    completion: form.answer({ aspects: critiques, assessment: review.conclusion, score: given }, spokenOf),
  };
}

/** Critiques by aspect, and the aspects in the rubric's order. */
function critiquesByAspect(
  review: StructuredReview,
  rubric: Rubric,
  map: AspectMapper,
): { readonly critiques: Record<string, string>; readonly spokenOf: Criterion[] } {
  const gathered = new Map<string, string[]>();
  for (const [name, critique] of Object.entries(review.aspects)) {
    const place = map(name);
    if (place.kind !== "aspect" || critique.trim() === "") continue;
    gathered.set(place.aspect, [...(gathered.get(place.aspect) ?? []), critique.trim()]);
  }
  const spokenOf = rubric.criteria.filter(({ id }) => gathered.has(id));
  return { critiques: Object.fromEntries(spokenOf.map(({ id }) => [id, gathered.get(id)!.join(" ")])), spokenOf };
}
