import type { Span } from "../reading/span.ts";

/** Chapters in a row with less speech than the rest of the book. */
export interface QuietChapters {
  /** Places in the list of chapters. */
  readonly from: number;
  readonly to: number;
  readonly words: number;
  /** Share of spoken words in them, and in all other chapters. */
  readonly share: number;
  readonly elsewhere: number;
}

/** Of the book's words, the least and the most such a run may hold: less is a chapter, more is the book. */
const LEAST = 0.08;
const MOST = 0.5;
const FEWEST_CHAPTERS = 6;

/**
 * The run of chapters in which speech falls furthest below the rest, weighed by how much text it is: the split of the book
 * that explains most of the difference between chapters (as in binary segmentation). Null in a book of few chapters.
 */
export function quietestChapters(
  chapters: readonly { readonly words: number; readonly spoken: number }[],
): QuietChapters | null {
  if (chapters.length < FEWEST_CHAPTERS) return null;
  const words = runningSums(chapters.map((chapter) => chapter.words));
  const spoken = runningSums(chapters.map((chapter) => chapter.spoken));
  const [allWords, allSpoken] = [words.at(-1)!, spoken.at(-1)!];
  let best: QuietChapters | null = null;
  let strongest = 0;
  for (let from = 0; from < chapters.length; from++) {
    for (let to = from + 1; to < chapters.length; to++) {
      const own = words[to + 1]! - words[from]!;
      const part = own / allWords;
      if (part < LEAST) continue;
      if (part > MOST) break;
      const share = (spoken[to + 1]! - spoken[from]!) / own;
      const elsewhere = (allSpoken - (spoken[to + 1]! - spoken[from]!)) / (allWords - own);
      const strength = (elsewhere - share) * Math.sqrt(part * (1 - part));
      if (strength <= strongest) continue;
      strongest = strength;
      best = { from, to, words: own, share, elsewhere };
    }
  }
  return best;
}

function runningSums(values: readonly number[]): number[] {
  const sums = [0];
  for (const value of values) sums.push(sums.at(-1)! + value);
  return sums;
}

/** The longest piece of text between two spoken passages, or before the first or after the last. */
export function longestWithoutSpeech(spoken: readonly Span[], length: number): Span {
  const borders = [...spoken.map(({ start }) => start), length];
  let longest: Span = { start: 0, end: borders[0]! };
  for (const [index, { end }] of spoken.entries()) {
    const next = borders[index + 1]!;
    if (next - end > longest.end - longest.start) longest = { start: end, end: next };
  }
  return longest;
}
