import { z } from "zod";
import { verdictSchema } from "../../core/verdict.ts";

const rating = z.number().nullable();

/**
 * An answer with its scores (as `fabula qa score --out` writes it) and what people gave it. A single rating was given
 * beside the references; where people also read the summary, both are given apart.
 */
export const ratedAnswerSchema = z.looseObject({
  /** Who answered; `model` when absent. */
  system: z.string().optional(),
  model: z.string().optional(),
  /** What the system saw: one model in two settings is two systems, as in the table of scores. */
  setting: z.string().optional(),
  question: z.string().optional(),
  /** The references: two questions in the same words have different ones. */
  answers: z.array(z.string()).optional(),
  document_id: z.string().optional(),
  /** What several systems answered alike, when question and document do not tell. */
  item: z.union([z.string(), z.number()]).optional(),
  dataset: z.string().optional(),
  human: z.union([rating, z.object({ reference: rating.optional(), summary: rating.optional() })]).optional(),
  scores: z.record(z.string(), z.union([z.number(), z.null(), verdictSchema])).default({}),
});

export type RatedAnswer = z.infer<typeof ratedAnswerSchema>;

/** A missing rating or score is NaN for the statistics, which leave it out and count it. */
export function humanRating({ human }: RatedAnswer, setting: "reference" | "summary"): number {
  if (human === null || human === undefined) return Number.NaN;
  if (typeof human === "number") return setting === "reference" ? human : Number.NaN;
  return human[setting] ?? Number.NaN;
}

export function scoreBy({ scores }: RatedAnswer, metric: string): number {
  const score = scores[metric];
  if (score === null || score === undefined) return Number.NaN;
  if (typeof score === "number") return score;
  return score.kind === "scored" ? score.score : Number.NaN;
}

export function itemOf({ item, document_id, question, answers }: RatedAnswer): string | null {
  if (item !== undefined) return String(item);
  if (question === undefined) return null;
  return [document_id ?? "", question, ...(answers ?? [])].map((part) => part.trim()).join("\u0000");
}
