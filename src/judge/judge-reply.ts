import { z } from "zod";
import type { Scale } from "../core/scale.ts";

const remarkSchema = z.object({
  point: z.string(),
  quotes: z.array(z.object({ chapter: z.number(), text: z.string() })),
});

/** What the shape of a reply depends on. */
export interface AskedFor {
  readonly criteria: readonly { readonly id: string }[];
  readonly rubric: { readonly scale: Scale };
}

function aspectSchema({ minimum, maximum }: Scale) {
  return z.object({
    strengths: z.array(remarkSchema),
    weaknesses: z.array(remarkSchema),
    // Last, so that a judge writes its reasons before its score.
    score: z.number().min(minimum).max(maximum).nullable(),
  });
}

/** The shape of a judge's reply: every aspect asked for, by id, and the whole. Nothing else is ever read as a verdict. */
export function judgeReplySchema({ criteria, rubric }: AskedFor) {
  const aspect = aspectSchema(rubric.scale);
  return z.object({
    aspects: z.object(Object.fromEntries(criteria.map(({ id }) => [id, aspect]))),
    assessment: z.string(),
    overall: z.number().min(rubric.scale.minimum).max(rubric.scale.maximum).nullable(),
  });
}

export type JudgeReply = z.infer<ReturnType<typeof judgeReplySchema>>;
export type JudgedRemark = z.infer<typeof remarkSchema>;

/** A reply under any rubric, for records that outlive the rubric they were made with. */
export const anyJudgeReplySchema = z.object({
  aspects: z.record(z.string(), aspectSchema({ minimum: Number.NEGATIVE_INFINITY, maximum: Number.POSITIVE_INFINITY })),
  assessment: z.string(),
  overall: z.number().nullable(),
});
