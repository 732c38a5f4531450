import { sha256 } from "../../core/hash.ts";
import { type Answer, ask } from "../../models/ask.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import type { Book, Chapter } from "../../text/book.ts";
import { type Segment, segmentBook } from "../../text/segments.ts";
import { judgeQuestion } from "../ask.ts";
import type { JudgeReply } from "../judge-reply.ts";
import { type JudgeInstructions, metadataText, segmentPlace, segmentText } from "../material.ts";
import type { RunOutcome } from "../methods/method.ts";
import { combineSegments } from "../methods/registry.ts";
import { notesText, type Progress, summariseSegment } from "../summary.ts";
import type { DraftRecord, RecordedSegment } from "./draft-record.ts";

/** A chapter of the new draft, with the chapter of the old draft that it repeats or replaces, if any. */
interface AlignedChapter {
  readonly chapter: Chapter;
  readonly before: Chapter | null;
  readonly same: boolean;
}

export interface AlignedChapters {
  readonly chapters: readonly AlignedChapter[];
  readonly removed: readonly Chapter[];
}

/** Aligns chapters: those with the same text first, and between them the changed ones in order. */
export function alignChapters(before: readonly Chapter[], after: readonly Chapter[]): AlignedChapters {
  const hashes = before.map(({ text }) => sha256(text));
  const matches: (number | null)[] = [];
  let from = 0;
  for (const { text } of after) {
    const at = hashes.indexOf(sha256(text), from);
    matches.push(at < 0 ? null : at);
    if (at >= 0) from = at + 1;
  }
  const taken = new Set(matches.filter((at) => at !== null));
  let next = 0;
  const chapters = after.map((chapter, position): AlignedChapter => {
    const match = matches[position];
    if (match !== null && match !== undefined) {
      next = match + 1;
      return { chapter, before: before[match]!, same: true };
    }
    if (next >= before.length || taken.has(next)) return { chapter, before: null, same: false };
    taken.add(next);
    return { chapter, before: before[next++]!, same: false };
  });
  return { chapters, removed: before.filter((_, at) => !taken.has(at)) };
}

/** A segment of the new draft, with the segment of the old draft that it repeats or replaces, if any. */
interface AlignedSegment {
  readonly segment: Segment;
  /** The old segment with the same text. */
  readonly same: RecordedSegment | null;
  /** For a changed segment: the old segment at the same place. */
  readonly replaces: RecordedSegment | null;
}

export interface AlignedDrafts {
  readonly segments: readonly AlignedSegment[];
  readonly removed: readonly RecordedSegment[];
}

/**
 * Cuts the new draft along the segments of the old one: unchanged chapters keep their old segment, so that one
 * changed chapter does not shift the borders of all that follow. Between unchanged segments, changed ones are paired
 * with the old ones in order.
 */
export function alignDrafts(book: Book, record: DraftRecord, segmentWords?: number): AlignedDrafts {
  const options = segmentWords === undefined ? {} : { size: segmentWords };
  const hashes = book.chapters.map(({ text }) => sha256(text));
  const found: { segment: Segment; same: RecordedSegment | null }[] = [];
  const add = (chapters: readonly Chapter[]) => {
    for (const segment of segmentBook({ chapters }, options)) {
      const same = record.segments.find(({ text }) => text === sha256(segment.text)) ?? null;
      found.push({ segment: { ...segment, index: found.length + 1 }, same });
    }
  };
  let pending: Chapter[] = [];
  for (let at = 0; at < book.chapters.length; ) {
    const same = record.segments.find(
      ({ chapters }) => chapters.length > 0 && chapters.every((hash, offset) => hashes[at + offset] === hash),
    );
    if (!same) {
      pending.push(book.chapters[at]!);
      at += 1;
      continue;
    }
    add(pending);
    pending = [];
    const chapters = book.chapters.slice(at, at + same.chapters.length);
    const [whole] = segmentBook({ chapters }, { size: Number.MAX_SAFE_INTEGER });
    if (whole) found.push({ segment: { ...whole, index: found.length + 1 }, same });
    at += same.chapters.length;
  }
  add(pending);
  return pairChanged(found, record);
}

function pairChanged(
  found: readonly { segment: Segment; same: RecordedSegment | null }[],
  record: DraftRecord,
): AlignedDrafts {
  const kept = new Set(found.flatMap(({ same }) => same ?? []));
  const paired = new Set<RecordedSegment>();
  let after = -1;
  const segments = found.map(({ segment, same }): AlignedSegment => {
    if (same) {
      after = record.segments.indexOf(same);
      return { segment, same, replaces: null };
    }
    const next = record.segments[after + 1];
    const replaces = next && !kept.has(next) && !paired.has(next) ? next : null;
    if (replaces) {
      paired.add(replaces);
      after += 1;
    }
    return { segment, same: null, replaces };
  });
  return { segments, removed: record.segments.filter((segment) => !kept.has(segment) && !paired.has(segment)) };
}

export interface JudgedDraft {
  readonly outcomes: readonly RunOutcome[];
  readonly progress: readonly Progress[];
}

/**
 * Judges only what changed: C changed segments and R runs take C + C·R calls. Unchanged segments keep their notes and
 * replies from the earlier run.
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
        const asked = { prompt: "judge-segment", values, sample: run, length: "brief" } as const;
        return ask(models.judge, await judgeQuestion(models.judge, instructions, asked), signal);
      }),
    );
  const answers = await Promise.all(Array.from({ length: runs }, (_, run) => judgeOnce(run)));
  return { progress, outcomes: answers.map((given) => combineSegments(instructions, segments, given)) };
}
