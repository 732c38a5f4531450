import { z } from "zod";
import { findingSchema } from "../../core/finding.ts";
import { sha256 } from "../../core/hash.ts";
import { isScored } from "../../core/verdict.ts";
import { rubricHash } from "../../criteria/rubric.ts";
import type { Book } from "../../text/book.ts";
import type { Segment } from "../../text/segments.ts";
import { anyJudgeReplySchema } from "../judge-reply.ts";
import type { JudgeInstructions } from "../material.ts";
import { DEPTHS, METHOD_NAMES, type MethodName, type RunOutcome } from "../methods/method.ts";
import { settingsSchema } from "../settings.ts";
import { notesSchema, type Progress } from "../summary.ts";

/**
 * What is stored of a judged draft so that the next one need not be judged from scratch: hashes of its text, notes,
 * replies.
 */
export const draftRecordSchema = z.object({
  file: z.string(),
  /** The hash of the file, so that its text can be compared as long as the file exists. */
  sha256: z.string(),
  title: z.string(),
  judge: z.string(),
  rubric: z.object({ id: z.string(), hash: z.string() }),
  criteria: z.array(z.string()),
  /** Absent if the evaluation came without them, for example from a program. */
  settings: settingsSchema.optional(),
  method: z.enum(METHOD_NAMES).default("aggregate"),
  /** Each run's scores of the whole book. */
  runs: z.array(z.object({ overall: z.number().nullable(), aspects: z.record(z.string(), z.number()) })).default([]),
  /** For a close reading: what the next draft's reading is compared with. */
  close: z
    .object({
      depth: z.enum(DEPTHS),
      findings: z.array(findingSchema),
      /** Every claim with the result of a second reading. */
      tried: z.array(z.unknown()),
    })
    .optional(),
  segments: z.array(
    z.object({
      /** Hash of each chapter the segment is made of; empty when it is a piece of a long chapter. */
      chapters: z.array(z.string()),
      text: z.string(),
      title: z.string(),
      /** The notes after this segment. */
      notes: notesSchema.nullable(),
      /** One for each run; null if that run had no answer. */
      replies: z.array(anyJudgeReplySchema.nullable()),
    }),
  ),
});
export type DraftRecord = z.infer<typeof draftRecordSchema>;
export type RecordedSegment = DraftRecord["segments"][number];

export function draftRecord(
  judged: {
    readonly book: Book;
    readonly judge: string;
    readonly instructions: JudgeInstructions;
    readonly segments: readonly Segment[];
    readonly method: MethodName;
  },
  progress: readonly Progress[],
  outcomes: readonly RunOutcome[],
): DraftRecord {
  const { book, judge, instructions, segments, method } = judged;
  return {
    file: book.source.file,
    sha256: book.source.sha256,
    title: book.title,
    judge,
    rubric: { id: instructions.rubric.id, hash: rubricHash(instructions.rubric) },
    criteria: instructions.criteria.map(({ id }) => id),
    method,
    runs: outcomes.map(({ overall, aspects }) => ({
      overall: isScored(overall) ? overall.score : null,
      aspects: Object.fromEntries(
        Object.entries(aspects).flatMap(([id, { verdict }]) => (isScored(verdict) ? [[id, verdict.score]] : [])),
      ),
    })),
    segments: segments.map((segment, position) => ({
      chapters: chapterHashes(book, segment),
      text: sha256(segment.text),
      title: segment.title,
      notes: progress[position]?.notes ?? null,
      replies: outcomes.map((outcome) => outcome.replies?.[position] ?? null),
    })),
  };
}

function chapterHashes(book: Book, { spans }: Segment): string[] {
  const whole = spans.every(({ chapter, start, end }) => {
    const text = book.chapters.find(({ index }) => index === chapter)?.text ?? "";
    return start === 0 && end === text.length;
  });
  if (!whole) return [];
  return spans.map(({ chapter }) => sha256(book.chapters.find(({ index }) => index === chapter)?.text ?? ""));
}
