/** A sentence, or a short one with its neighbour, and how much it moved an aspect. */
export interface Passage {
  readonly chapter: number;
  readonly start: number;
  readonly end: number;
  readonly share: number;
}

/** What a chapter's examination says of one aspect: where its sentences stand, and each one's signed share. */
export interface ChapterShares {
  readonly chapter: number;
  readonly sentences: readonly { readonly start: number; readonly end: number; readonly words: number }[];
  readonly shares: Float64Array;
}

/** Shorter sentences say nothing by themselves; longer ones are no quotation. */
const SHORTEST = 6;
const LONGEST = 70;

/**
 * The passages that moved an aspect most, up or down. Two quotations of one chapter are taken only when the other chapters
 * have none left that moves it this way, so that a report shows the book and not its best page; `taken` keeps one passage
 * from standing under every aspect.
 */
export function choosePassages(
  chapters: readonly ChapterShares[],
  direction: "up" | "down",
  count: number,
  taken: Set<string>,
): Passage[] {
  const sign = direction === "up" ? 1 : -1;
  const candidates = chapters
    .flatMap(passagesOf)
    .filter((passage) => passage.share * sign > 0)
    .sort((left, right) => (right.share - left.share) * sign);
  const chosen: Passage[] = [];
  const seen = new Set<number>();
  for (const rule of ["one per chapter", "any"] as const) {
    for (const passage of candidates) {
      if (chosen.length === count) break;
      const key = `${passage.chapter}:${passage.start}`;
      if (taken.has(key) || (rule === "one per chapter" && seen.has(passage.chapter))) continue;
      taken.add(key);
      seen.add(passage.chapter);
      chosen.push(passage);
    }
  }
  return chosen;
}

function passagesOf({ chapter, sentences, shares }: ChapterShares): Passage[] {
  const passages: Passage[] = [];
  for (let index = 0; index < sentences.length; index++) {
    const first = sentences[index]!;
    if (first.words > LONGEST) continue;
    if (first.words >= SHORTEST) {
      passages.push({ chapter, start: first.start, end: first.end, share: shares[index]! });
      continue;
    }
    const next = sentences[index + 1];
    if (next && first.words + next.words >= SHORTEST && first.words + next.words <= LONGEST) {
      passages.push({ chapter, start: first.start, end: next.end, share: shares[index]! + shares[index + 1]! });
    }
  }
  return passages;
}
