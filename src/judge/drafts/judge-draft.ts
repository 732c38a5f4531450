import type { Answer } from "../../models/ask.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import type { Book } from "../../text/book.ts";
import { askJudge } from "../ask.ts";
import type { JudgeReply } from "../judge-reply.ts";
import { type JudgeInstructions, metadataText, segmentPlace, segmentText } from "../material.ts";
import { combineSegments } from "../methods/aggregate.ts";
import type { RunOutcome } from "../methods/method.ts";
import { notesText, type Progress, summariseSegment } from "../summary.ts";
import type { AlignedDrafts } from "./align-drafts.ts";

export interface JudgedDraft {
  readonly outcomes: readonly RunOutcome[];
  readonly progress: readonly Progress[];
}

/**
 * Judges only what changed: C changed segments and R runs take C + C·R calls. Unchanged segments keep their notes and their
 * replies of the earlier run.
 */
export async function judgeDraft(
  models: { readonly judge: ChatModel; readonly summariser: ChatModel },
  book: Book,
  instructions: JudgeInstructions,
  aligned: AlignedDrafts,
  runs: number,
  signal: AbortSignal,
): Promise<JudgedDraft> {
  const { language } = instructions;
  const segments = aligned.segments.map(({ segment }) => segment);
  const progress: Progress[] = [];
  for (const { segment, same } of aligned.segments) {
    const before = progress.at(-1) ?? null;
    progress.push(
      same?.notes
        ? { notes: same.notes, segment: same.notes.segment, missing: before?.missing ?? [] }
        : await summariseSegment(
            models.summariser,
            { book, segments, language, prompts: instructions.prompts },
            segment,
            before && Promise.resolve(before),
            signal,
          ),
    );
  }
  const metadata = metadataText(book, language);
  const judgeOnce = (run: number) =>
    Promise.all(
      aligned.segments.map(async ({ segment, same }, position): Promise<Answer<JudgeReply>> => {
        const kept = same?.replies[run];
        if (kept) return { kind: "answered", value: kept, attempts: [] };
        const notes = progress[position - 1]?.notes ?? null;
        const values = {
          metadata,
          before: notes ? notesText(notes) : null,
          segment: segmentText(book, segment, language),
          place: segmentPlace(segment, segments.length, language),
        };
        return askJudge(
          models.judge,
          instructions,
          { prompt: "judge-segment", values, sample: run, length: "brief" },
          signal,
        );
      }),
    );
  const answers = await Promise.all(Array.from({ length: runs }, (_, run) => judgeOnce(run)));
  return { progress, outcomes: answers.map((given) => combineSegments(instructions, segments, given)) };
}
