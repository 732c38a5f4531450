import { unscored } from "../../core/verdict.ts";
import type { Answer } from "../../models/ask.ts";
import type { Segment } from "../../text/segments.ts";
import { askJudge } from "../ask.ts";
import type { JudgeReply } from "../judge-reply.ts";
import { type JudgeInstructions, metadataText, segmentPlace, segmentText } from "../material.ts";
import { notesText } from "../summary.ts";
import type { AspectOutcome, Method, MethodMaterial, RunOutcome, SegmentOutcome } from "./method.ts";
import { averageOver, gap, judgedSegment, ledgerEntry, unscoredOutcome, verdictOf } from "./outcome.ts";

/** What a prompt is told about one segment: the book, what came before it, its text, and where in the book it is. */
export async function segmentValues(material: MethodMaterial, segment: Segment) {
  const { book, segments, instructions } = material;
  const { language } = instructions;
  const before = (await material.summary().before(segment.index))?.notes ?? null;
  return {
    metadata: metadataText(book, language, instructions.presentation),
    before: before ? (instructions.presentation?.before === "plot" ? before.plot : notesText(before)) : null,
    segment: segmentText(book, segment, language),
    place: segmentPlace(segment, segments.length, language),
  };
}

/**
 * Each segment is judged by itself, with the summary of what came before; the book's score is the average. A segment's
 * judges start as soon as the summary before it exists. S segments and R runs take S + S·R calls.
 */
export const aggregate: Method = {
  name: "aggregate",
  about: "every segment by itself, averaged",
  async judge(judge, material, run, signal) {
    const { segments, instructions } = material;
    const answers = await Promise.all(
      segments.map(async (segment) => {
        const values = await segmentValues(material, segment);
        const asked = { prompt: "judge-segment", values, sample: run, length: "brief" } as const;
        const answer = await askJudge(judge, instructions, asked, signal);
        material.onSegment?.(judgedSegment(segment, answer));
        return answer;
      }),
    );
    // The last segment is summarised for callers that need the whole book; if that fails, this method does not.
    await material.summary().whole;
    return combineSegments(instructions, segments, answers);
  },
};

/** The segments' replies as one outcome: averages over what was scored, unscored when too much was not. */
export function combineSegments(
  instructions: JudgeInstructions,
  segments: readonly Segment[],
  answers: readonly Answer<JudgeReply>[],
): RunOutcome {
  const given = answers.map((answer) => (answer.kind === "answered" ? answer.value : null));
  const ledger = segments.map((segment, position) => {
    const answer = answers[position]!;
    return answer.kind === "answered" ? ledgerEntry(segment, "text") : ledgerEntry(segment, "nothing", answer.reason);
  });
  const missing = gap(ledger);
  if (missing) return { ...unscoredOutcome(instructions, missing, ledger), replies: given };
  const course = segments.map((segment, position) => segmentOutcome(instructions, segment, answers[position]!));
  const replies = answers.flatMap((answer) => (answer.kind === "answered" ? [answer.value] : []));
  const aspects = instructions.criteria.map(({ id }): [string, AspectOutcome] => {
    const judged = replies.flatMap((reply) => reply.aspects[id] ?? []);
    return [
      id,
      {
        ...averageOver(
          course.map((outcome) => outcome.aspects[id]!),
          segments,
        ),
        strengths: judged.flatMap(({ strengths }) => strengths),
        weaknesses: judged.flatMap(({ weaknesses }) => weaknesses),
      },
    ];
  });
  const { verdict: overall, support } = averageOver(
    course.map((outcome) => outcome.overall),
    segments,
  );
  return {
    aspects: Object.fromEntries(aspects),
    overall,
    support,
    assessment: null,
    course,
    ledger,
    replies: given,
  };
}

function segmentOutcome({ criteria }: JudgeInstructions, segment: Segment, answer: Answer<JudgeReply>): SegmentOutcome {
  const reply = answer.kind === "answered" ? answer.value : null;
  const verdict = (score: number | null | undefined, reason: string | undefined) =>
    answer.kind === "unanswered" ? unscored(answer.reason) : verdictOf(score ?? null, reason);
  return {
    segment: segment.index,
    chapter: segment.spans[0]?.chapter ?? 1,
    aspects: Object.fromEntries(
      criteria.map(({ id }) => [id, verdict(reply?.aspects[id]?.score, reply?.aspects[id]?.unscored)]),
    ),
    overall: verdict(reply?.overall, reply?.unscored),
  };
}
