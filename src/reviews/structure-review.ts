import { z } from "zod";
import { askPrompt } from "../judge/ask.ts";
import { asJson } from "../models/ask.ts";
import type { ChatModel } from "../models/chat-model.ts";
import type { AspectMapper } from "./map-aspect.ts";

const WORD = /[\p{L}\p{N}]+/gu;

/** The share of the distinct words of `text` that also stand in `source`, 0–1: how much of it was taken from there. */
export function wordOverlap(text: string, source: string): number {
  const known = distinctWords(source);
  const words = distinctWords(text);
  if (words.size === 0) return 0;
  let shared = 0;
  for (const word of words) if (known.has(word)) shared++;
  return shared / words.size;
}

function distinctWords(text: string): Set<string> {
  return new Set(text.normalize("NFKC").toLowerCase().match(WORD) ?? []);
}

/** A review as a reader wrote it. */
export const rawReviewSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  book: z.union([z.string(), z.number()]).transform(String),
  reviewer: z.union([z.string(), z.number()]).transform(String),
  /** The stars given beside the text, when the platform shows them. */
  rating: z.number().nullish(),
  text: z.string(),
});
export type RawReview = z.infer<typeof rawReviewSchema>;

const replySchema = z.object({
  aspects: z.array(z.object({ aspect: z.string(), viewpoints: z.array(z.string()) })),
  conclusion: z.string(),
  rating: z.number().nullable(),
});
type Arrangement = z.infer<typeof replySchema>;

/** Something a reader says, with the name the reader's aspect goes by and where it belongs. */
export interface Viewpoint {
  readonly name: string;
  readonly text: string;
  /** A top-level aspect, one of the others (originality …), or null when the name belongs nowhere. */
  readonly aspect: string | null;
  readonly part: string | null;
}

/** `dropped`: what both models wrote was too far from the review. `unscored`: no model could be asked. */
export type Structuring =
  | {
      readonly kind: "structured";
      readonly by: "first" | "second";
      readonly model: string;
      readonly rating: number;
      /** Aspect → the viewpoints on it, as one critique. */
      readonly aspects: Readonly<Record<string, string>>;
      readonly conclusion: string;
      readonly mentionedRating: number | null;
      readonly overlap: number;
      readonly viewpoints: readonly Viewpoint[];
    }
  | { readonly kind: "dropped" | "unscored"; readonly reason: string };

/** With less of its words taken from the review, a structured review says something else (LongStoryEval, §3). */
export const LEAST_OVERLAP = 0.4;
const MOST_TOKENS = 2000;

/**
 * Arranges a review under its aspects. What the first model writes must use the review's own words; otherwise the
 * second model tries, and if that fails too the review is dropped.
 */
export async function structureReview(
  review: RawReview,
  models: readonly [ChatModel, ...ChatModel[]],
  map: AspectMapper,
  signal: AbortSignal,
): Promise<Structuring> {
  if (review.text.trim() === "") return { kind: "dropped", reason: "the review has no text" };
  // Platforms write 0 where a reader gave no stars.
  const given = review.rating || null;
  if (given !== null && inRange(given) === null)
    return { kind: "dropped", reason: `its rating ${given} is not one of 1 to 5 stars` };
  const failures: string[] = [];
  let answered = false;
  for (const [position, model] of models.entries()) {
    const answer = await askPrompt(
      model,
      {
        prompt: "structure-review",
        language: "en",
        values: { review: review.text },
        purpose: "structurer",
        ...asJson("structured_review", replySchema),
        maximumTokens: MOST_TOKENS,
        temperature: 0,
        sample: 0,
      },
      signal,
    );
    if (answer.kind === "unanswered") {
      failures.push(`${model.id}: ${answer.reason}`);
      continue;
    }
    answered = true;
    const overlap = wordOverlap(wordsOf(answer.value), review.text);
    if (overlap < LEAST_OVERLAP || answer.value.aspects.length === 0) {
      failures.push(
        `${model.id}: ${answer.value.aspects.length === 0 ? "no aspect was found" : overlapInWords(overlap)}`,
      );
      continue;
    }
    const mentionedRating = inRange(answer.value.rating);
    const rating = given ?? mentionedRating;
    if (rating === null) return { kind: "dropped", reason: "neither the review nor the platform states a rating" };
    const viewpoints = viewpointsOf(answer.value, map);
    return {
      kind: "structured",
      by: position === 0 ? "first" : "second",
      model: model.id,
      rating,
      aspects: critiques(viewpoints),
      conclusion: answer.value.conclusion,
      mentionedRating,
      overlap: Math.round(overlap * 1000) / 1000,
      viewpoints,
    };
  }
  return { kind: answered ? "dropped" : "unscored", reason: failures.join("; ") };
}

function wordsOf({ aspects, conclusion }: Arrangement): string {
  return [...aspects.flatMap(({ viewpoints }) => viewpoints), conclusion].join("\n");
}

function overlapInWords(overlap: number): string {
  return `only ${Math.round(overlap * 100)} % of its words stand in the review`;
}

function inRange(rating: number | null): number | null {
  return rating !== null && rating >= 1 && rating <= 5 ? rating : null;
}

function viewpointsOf({ aspects }: Arrangement, map: AspectMapper): Viewpoint[] {
  return aspects.flatMap(({ aspect: name, viewpoints }) => {
    const place = map(name);
    const aspect = place.kind === "aspect" ? place.aspect : place.kind === "other" ? place.other : null;
    const part = place.kind === "aspect" ? place.part : null;
    return viewpoints.filter((text) => text.trim() !== "").map((text) => ({ name, text: text.trim(), aspect, part }));
  });
}

/** Viewpoints on one aspect, gathered from wherever the reader spoke of it; an unknown name keeps its own place. */
function critiques(viewpoints: readonly Viewpoint[]): Record<string, string> {
  const gathered = new Map<string, string[]>();
  for (const { name, text, aspect } of viewpoints) {
    const key = aspect ?? name;
    gathered.set(key, [...(gathered.get(key) ?? []), text]);
  }
  return Object.fromEntries([...gathered].map(([key, texts]) => [key, texts.join(" ")]));
}

/** A reader's review after structuring: what it says under each aspect it mentions, and its verdict. */
export const structuredReviewSchema = z.object({
  book: z.string().min(1),
  reviewer: z.string().min(1),
  rating: z.number().min(1).max(5),
  /** Aspect as the reader or the data set names it → what is said of it. */
  aspects: z.record(z.string(), z.string()),
  conclusion: z
    .string()
    .nullish()
    .transform((text) => text ?? ""),
});

export type StructuredReview = z.infer<typeof structuredReviewSchema>;
