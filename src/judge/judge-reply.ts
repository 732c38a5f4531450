import { z } from "zod";
import type { Scale } from "../core/verdict.ts";
import type { Criterion, Rubric } from "../criteria/rubric.ts";
import type { ChatMessage, ChatReply } from "../models/chat-model.ts";
import { ownJson, ownWords, readJsonReply, refusalIn, splitReasoning, type Unreadable } from "../models/read-reply.ts";
import { NO_SCORE_GIVEN } from "../models/written-score.ts";
import { withoutMaterial } from "../prompts/render-prompt.ts";
import { isPraise } from "./novelcritique/review-layout.ts";
import type { ReadVerdict } from "./replies/on-scale.ts";
import { jsonValues } from "./replies/read-json-scores.ts";
import { type ReadReply, readVerdicts, saysSomething } from "./replies/read-verdicts.ts";

const remarkSchema = z.object({
  point: z.string(),
  quotes: z.array(z.object({ chapter: z.number(), text: z.string() })),
});
export type JudgedRemark = z.infer<typeof remarkSchema>;

/** What the schema of a reply depends on. */
export interface AskedFor {
  readonly criteria: readonly { readonly id: string }[];
  readonly rubric: { readonly scale: Scale };
}

function aspectSchema({ minimum, maximum }: Scale) {
  return z.object({
    strengths: z.array(remarkSchema),
    weaknesses: z.array(remarkSchema),
    // The score comes last, so that a judge writes its reasons first.
    score: z.number().min(minimum).max(maximum).nullable(),
  });
}

/** The schema of the requested reply: every aspect, by id, and the overall verdict. */
export function judgeReplySchema({ criteria, rubric }: AskedFor) {
  return z.object({ ...aspectsShape({ criteria, rubric }), ...wholeShape(rubric.scale) });
}

function aspectsShape({ criteria, rubric }: AskedFor) {
  const aspect = aspectSchema(rubric.scale);
  return { aspects: z.object(Object.fromEntries(criteria.map(({ id }) => [id, aspect]))) };
}

function wholeShape({ minimum, maximum }: Scale) {
  return { assessment: z.string(), overall: z.number().min(minimum).max(maximum).nullable() };
}

/** The schema for what is missing from a reply. */
export function restSchema({ criteria, rubric }: AskedFor, overall: boolean) {
  return z.object({
    ...(criteria.length > 0 && aspectsShape({ criteria, rubric })),
    ...(overall && wholeShape(rubric.scale)),
  });
}

/** A reply under any rubric, for records that outlive the rubric they were made with. */
export const anyJudgeReplySchema = z.object({
  aspects: z.record(
    z.string(),
    aspectSchema({ minimum: Number.NEGATIVE_INFINITY, maximum: Number.POSITIVE_INFINITY }).extend({
      /** Why there is no score, unless the judge simply gave none. */
      unscored: z.string().optional(),
    }),
  ),
  assessment: z.string(),
  overall: z.number().nullable(),
  /** Why there is no overall score, unless the judge simply gave none. */
  unscored: z.string().optional(),
  /** How the request differed from what was intended. */
  note: z.string().optional(),
});
export type JudgeReply = z.infer<typeof anyJudgeReplySchema>;
type JudgedAspect = JudgeReply["aspects"][string];

/**
 * A judge's parsed reply. `missing` lists the requested aspects that could not be read, with `""` for the overall
 * verdict.
 */
export type ParsedJudgeReply =
  | {
      readonly kind: "read";
      readonly value: JudgeReply;
      readonly missing: readonly string[];
      /** Whether a score without its own scale showed that the judge uses the requested one. */
      readonly onScaleAsked: boolean;
    }
  | Unreadable;

/** Prompt material that the judge itself wrote, so its reply may repeat it. */
const OWN_EVALUATION = "evaluation";

/**
 * Reads the reply of a judge that was asked for JSON, by the same rules as saved replies: any structure that names
 * aspects and scores, or labelled lines. Every aspect is read separately, so one that cannot be read does not affect
 * the others. Text repeated from the prompt is ignored, except for an evaluation that the judge was given to update.
 */
export function readJudgeReply(
  reply: Pick<ChatReply, "text" | "stop">,
  { rubric, criteria }: { readonly rubric: Rubric; readonly criteria: readonly Criterion[] },
  prompt: readonly ChatMessage[] = [],
  { onScaleAsked = false }: { readonly onScaleAsked?: boolean } = {},
): ParsedJudgeReply {
  const answer = splitReasoning(reply.text).answer;
  const refusal = refusalIn(reply, answer);
  if (refusal) return refusal;
  const foreign = prompt.map((message) => ({ ...message, content: withoutMaterial(message.content, OWN_EVALUATION) }));
  const asked = separately(rubric, criteria);
  const readText = (text: string) => ({
    text,
    verdicts: readVerdicts(text, asked, rubric.scale, { jsonAlone: true, onScaleAsked }),
  });
  const { salvaged } = ownJson(answer, foreign);
  const saved = salvaged === null ? null : readText(salvaged);
  const { text, verdicts } = saved && saysSomething(saved.verdicts) ? saved : readText(ownWords(answer, foreign));
  if (!saysSomething(verdicts)) {
    const strict = readJsonReply(reply, judgeReplySchema({ criteria, rubric }), foreign);
    const reason = "the reply says nothing about the aspects";
    return strict.kind === "unreadable" ? strict : { kind: "unreadable", why: "no-score", reason };
  }
  const values = jsonValues(text, asked);
  const said = values.find(({ id, value }) => id === "" && typeof value === "string")?.value;
  const value = judgeReplyOf(verdicts, { rubric, criteria }, values);
  const lacks = (id: string) => isUnread(id === "" ? verdicts.overall : verdicts.aspects[id]!);
  return {
    kind: "read",
    value: typeof said === "string" ? { ...value, assessment: said } : value,
    missing: [...criteria.map(({ id }) => id), ""].filter(lacks),
    onScaleAsked: [...Object.values(verdicts.aspects), verdicts.overall].some(
      (verdict) => verdict.kind === "scored" && verdict.written === undefined,
    ),
  };
}

/** Reads a prose review with a score under each aspect, as published prompts request. */
export function readReview(
  text: string,
  asked: { readonly rubric: Rubric; readonly criteria: readonly Criterion[] },
): JudgeReply {
  return judgeReplyOf(readVerdicts(text, separately(asked.rubric, asked.criteria)), asked, []);
}

/** Gives a part that was requested without its whole a heading of its own. */
function separately(rubric: Rubric, criteria: readonly Criterion[]): Rubric {
  return { ...rubric, criteria: criteria.map(({ parent: _whole, ...criterion }) => criterion) };
}

function isUnread(verdict: ReadVerdict): verdict is Extract<ReadVerdict, { kind: "unscored" }> {
  return verdict.kind === "unscored" && verdict.reason !== NO_SCORE_GIVEN;
}

function judgeReplyOf(
  { aspects, overall, critiques, assessment }: ReadReply,
  { rubric, criteria }: { readonly rubric: Rubric; readonly criteria: readonly Criterion[] },
  values: readonly { readonly id: string; readonly value: unknown }[],
): JudgeReply {
  const middle = (rubric.scale.minimum + rubric.scale.maximum) / 2;
  const judged = criteria.map(({ id }): [string, JudgedAspect] => {
    const verdict = aspects[id]!;
    const score = verdict.kind === "scored" ? verdict.score : null;
    const fields = values.findLast((entry) => entry.id === id)?.value;
    return [
      id,
      {
        ...(remarksIn(fields) ?? remarksFrom(critiques[id], (score ?? middle) >= middle)),
        score,
        ...(isUnread(verdict) && { unscored: verdict.reason }),
      },
    ];
  });
  return {
    aspects: Object.fromEntries(judged),
    assessment: assessment ?? "",
    overall: overall.kind === "scored" ? overall.score : null,
    ...(isUnread(overall) && { unscored: overall.reason }),
  };
}

type Remarks = Pick<JudgedAspect, "strengths" | "weaknesses">;

/** Turns a prose critique into one remark: praise or blame, judging by its words. */
function remarksFrom(critique: string | undefined, scoredWell: boolean): Remarks {
  const remarks = critique ? [{ point: critique, quotes: [] }] : [];
  return isPraise(critique ?? "", scoredWell)
    ? { strengths: remarks, weaknesses: [] }
    : { strengths: [], weaknesses: remarks };
}

const fieldsSchema = z.looseObject({ strengths: z.unknown().optional(), weaknesses: z.unknown().optional() });
const looseQuote = z.union([
  z.string().transform((text) => ({ chapter: 0, text })),
  z.object({ chapter: z.coerce.number().catch(0), text: z.string() }),
]);
const looseRemark = z.union([
  z.string().transform((point) => ({ point, quotes: [] })),
  z.object({ point: z.string(), quotes: z.array(z.unknown()).catch([]) }),
]);

/** The remarks on an aspect in JSON, as far as they can be read; null if it has neither list. */
function remarksIn(value: unknown): Remarks | null {
  const fields = fieldsSchema.safeParse(value);
  if (!fields.success) return null;
  const { strengths, weaknesses } = fields.data;
  if (strengths === undefined && weaknesses === undefined) return null;
  return { strengths: remarkList(strengths), weaknesses: remarkList(weaknesses) };
}

function remarkList(value: unknown): JudgedRemark[] {
  return [value].flat().flatMap((item) => {
    const remark = looseRemark.safeParse(item);
    if (!remark.success || remark.data.point.trim() === "") return [];
    const quotes = remark.data.quotes.flatMap((quote) => looseQuote.safeParse(quote).data ?? []);
    return [{ point: remark.data.point, quotes }];
  });
}

/** Completes a reply with a second one, of which only what was missing counts. */
export function completed(first: JudgeReply, missing: readonly string[], second: ParsedJudgeReply): JudgeReply {
  if (second.kind === "unreadable") return first;
  const { value } = second;
  const aspects = Object.entries(first.aspects).map(([id, had]): [string, JudgedAspect] => {
    const given = value.aspects[id];
    if (!missing.includes(id) || !given) return [id, had];
    const hasRemarks = had.strengths.length + had.weaknesses.length > 0;
    const { strengths, weaknesses } = hasRemarks ? had : given;
    const { score, unscored } = given;
    return [id, { strengths, weaknesses, score, ...(unscored !== undefined && { unscored }) }];
  });
  if (!missing.includes("")) return { ...first, aspects: Object.fromEntries(aspects) };
  const { overall, unscored } = value;
  return {
    aspects: Object.fromEntries(aspects),
    assessment: first.assessment || value.assessment,
    overall,
    ...(unscored !== undefined && { unscored }),
  };
}
