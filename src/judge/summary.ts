import { z } from "zod";
import { asJson } from "../models/ask.ts";
import type { ChatModel } from "../models/chat-model.ts";
import type { PromptLanguage } from "../prompts/load-prompt.ts";
import type { PromptSource } from "../prompts/own-prompts.ts";
import type { Book } from "../text/book.ts";
import type { Segment } from "../text/segments.ts";
import { askPrompt } from "./ask.ts";
import { contextSizes, metadataText, segmentPlace, segmentText } from "./material.ts";

export const characterSchema = z.object({
  name: z.string(),
  profile: z.string(),
  current: z.string(),
  overall: z.string(),
});

/** The summariser's notes on a book after it has read a segment. */
export const notesSchema = z.object({
  segment: z.string().min(1),
  plot: z.string().min(1),
  characters: z.array(characterSchema),
});

export type Character = z.infer<typeof characterSchema>;
export type Notes = z.infer<typeof notesSchema>;

/**
 * The characters in the form in which a judge reads them. `current` is for someone who reads on, not for one who
 * judges the whole.
 */
export function charactersText(characters: readonly Character[]): string {
  return characters.map(({ name, profile, overall }) => `${name}\n- ${profile}\n- ${overall}`).join("\n\n");
}

/** Everything known up to a point, for a judge who reads on from there. */
export function notesText({ plot, characters }: Pick<Notes, "plot" | "characters">): string {
  return characters.length === 0 ? plot : `${plot}\n\n${charactersText(characters)}`;
}

/** The notes after a segment. If a segment could not be read, the earlier notes remain, and it is listed as missing. */
export interface Progress {
  readonly notes: Notes | null;
  /** The summary of this segment alone; null if it could not be read. */
  readonly segment: string | null;
  readonly missing: readonly { readonly segment: number; readonly reason: string }[];
}

/**
 * The growing summary of a book: one promise per segment, so that a judge of segment five need not wait for the last.
 */
export interface SummaryStream {
  /** The notes before a segment, by its 1-based index: null before the first. */
  before(segment: number): Promise<Progress | null>;
  readonly whole: Promise<Progress>;
  readonly segments: readonly Promise<Progress>[];
}

/** What is summarised, and with which prompts; by default those that ship. */
interface SummaryMaterial {
  readonly book: Book;
  readonly segments: readonly Segment[];
  readonly language: PromptLanguage;
  readonly prompts?: PromptSource | undefined;
}

/**
 * LongStoryEval's incremental summary (appendix C): first notes on the opening; then, for every segment, its own
 * summary, the plot so far within a word limit, and the characters, added and dropped as they matter. S segments take
 * S calls, one after the other, however many evaluations use them.
 */
export function summariseBook(
  summariser: ChatModel,
  material: SummaryMaterial,
  signal: AbortSignal,
  onProgress: (done: number) => void = () => {},
): SummaryStream {
  const { segments } = material;
  const steps: Promise<Progress>[] = [];
  let previous: Promise<Progress> | null = null;
  for (const segment of segments) {
    const step: Promise<Progress> = summariseSegment(summariser, material, segment, previous, signal).then(
      (progress) => {
        onProgress(segment.index);
        return progress;
      },
    );
    // A step that fails rejects where it is awaited; one that nobody awaits must not end the process.
    step.catch(() => {});
    steps.push(step);
    previous = step;
  }
  return {
    segments: steps,
    whole: steps.at(-1) ?? Promise.resolve({ notes: null, segment: null, missing: [] }),
    before: async (segment) => (await steps[segment - 2]) ?? null,
  };
}

/** Updates the notes with one segment. */
export async function summariseSegment(
  summariser: ChatModel,
  { book, segments, language, prompts }: SummaryMaterial,
  segment: Segment,
  previous: Promise<Progress> | null,
  signal: AbortSignal,
): Promise<Progress> {
  const { notes: earlier = null, missing = [] } = (await previous) ?? {};
  const { notesWords, notesTokens } = contextSizes(summariser.contextTokens, language);
  const values = {
    metadata: metadataText(book, language),
    segment: segmentText(book, segment, language),
    place: segmentPlace(segment, segments.length, language),
    words: notesWords,
  };
  const answer = await askPrompt(
    summariser,
    {
      prompt: earlier ? "summarise-next" : "summarise-opening",
      language,
      prompts,
      values: earlier ? { ...values, plot: earlier.plot, characters: charactersText(earlier.characters) } : values,
      purpose: "summariser",
      ...asJson("notes", notesSchema),
      maximumTokens: notesTokens,
      temperature: 0,
      sample: 0,
    },
    signal,
  );
  if (answer.kind === "answered") return { notes: answer.value, segment: answer.value.segment, missing };
  return { notes: earlier, segment: null, missing: [...missing, { segment: segment.index, reason: answer.reason }] };
}
