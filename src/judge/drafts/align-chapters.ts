import { sha256 } from "../../core/hash.ts";
import type { Chapter } from "../../text/book.ts";

/** A chapter of the new draft with the one of the old draft that it repeats or replaces, if any. */
export interface AlignedChapter {
  readonly chapter: Chapter;
  readonly before: Chapter | null;
  readonly same: boolean;
}

export interface AlignedChapters {
  readonly chapters: readonly AlignedChapter[];
  readonly removed: readonly Chapter[];
}

/** Chapters with the same text are the same; between them the changed ones are paired with the old ones in order. */
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
