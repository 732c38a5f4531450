import { z } from "zod";
import { verdictSchema } from "../../core/verdict.ts";

/** Scores by metric or judge. A missing score is null or an unscored verdict, never zero. */
const scoresSchema = z.record(z.string(), z.union([z.number(), z.null(), verdictSchema]));

/**
 * One answer of a system beside its reference answers. `prediction` is null when the system gave none (it failed,
 * refused or was cut off): that is not a wrong answer, and does not enter any mean.
 */
export const predictionSchema = z.looseObject({
  prediction: z.string().nullable(),
  answers: z.array(z.string()).min(1, "an answer needs at least one reference in `answers`"),
  question: z.string().optional(),
  document_id: z.string().optional(),
  title: z.string().optional(),
  /** The system that answered; `model` by default. */
  system: z.string().optional(),
  model: z.string().optional(),
  /** What the system was shown: `open`, `closed`, … */
  setting: z.string().optional(),
  /** The share of the book that the system was shown, from 0 to 1. */
  seen: z.number().min(0).max(1).optional(),
  /** Scores from an earlier scoring, kept beside the new ones. */
  scores: scoresSchema.optional(),
  /** Judges' verdicts and reasons, by the name of their column in `scores`. */
  grades: z.record(z.string(), z.object({ verdict: verdictSchema, reason: z.string() })).optional(),
  /** Why there is no prediction. */
  unscored: z.string().min(1).optional(),
});

export type Prediction = z.infer<typeof predictionSchema>;

/** The scores that a row already has, without missing ones. */
export function earlierScores({ scores }: Prediction): Record<string, number> {
  const found: Record<string, number> = {};
  if (scores === undefined) return found;
  for (const [id, score] of Object.entries(scores)) {
    if (typeof score === "number") found[id] = score;
    else if (score?.kind === "scored") found[id] = score.score;
  }
  return found;
}
