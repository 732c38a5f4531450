import { loadRubric } from "../../criteria/load-rubric.ts";
import { rubricHash } from "../../criteria/rubric.ts";
import { readReview } from "../../judge/ask-for-review.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { type JudgeReply, judgeReplySchema } from "../../judge/judge-reply.ts";
import { readJsonReply } from "../../models/read-json-reply.ts";
import type { StoredCall } from "../../store/records.ts";
import type { StoredRequest } from "./stored-request.ts";

export type ReplyReading =
  | { readonly kind: "read"; readonly as: "json" | "review"; readonly value: JudgeReply }
  | { readonly kind: "unreadable"; readonly reason: string };

/** Reads a stored reply as it was read when it came. Null: the call was not asked for scores, or how it was read is not known. */
export type ReplyReader = (request: StoredRequest, answer: StoredCall) => ReplyReading | null;

/** The name under which judges are asked for their verdicts on all aspects. */
export const EVALUATION = "evaluation";

export async function replyReader({ settings, scale, rubric }: BookEvaluation): Promise<ReplyReader> {
  const schema = judgeReplySchema({ criteria: (settings?.aspects ?? []).map((id) => ({ id })), rubric: { scale } });
  const review = settings && settings.protocol === "rubric" ? await reviewReader(rubric.id, settings) : null;
  return (request, answer) => {
    if (!settings) return null;
    if (request.schema?.name === EVALUATION) {
      const reading = readJsonReply(answer, schema, request.messages);
      return reading.kind === "read" ? { ...reading, as: "json" } : { kind: "unreadable", reason: reading.reason };
    }
    if (request.schema || !review) return null;
    if (answer.stop === "refusal") return { kind: "unreadable", reason: "the model refused" };
    return { kind: "read", as: "review", value: review(answer.text) };
  };
}

/** Reviews in prose are read by the names of the aspects, so only with the very rubric that was asked with. */
async function reviewReader(
  id: string,
  { rubric: asked, aspects }: NonNullable<BookEvaluation["settings"]>,
): Promise<((text: string) => JudgeReply) | null> {
  const rubric = await loadRubric(id).catch(() => null);
  if (!rubric || rubricHash(rubric) !== asked.hash) return null;
  const criteria = rubric.criteria.filter((criterion) => aspects.includes(criterion.id));
  return (text) => readReview(text, { rubric, criteria });
}
