/** A place in a book: `chapters[…].text.slice(start, end)` of the chapter with this index. */
export interface Passage {
  readonly chapter: number;
  readonly start: number;
  readonly end: number;
}

/** At most this many passages are kept for one figure; the count says how many there are. */
export const MOST_PASSAGES = 12;

/** The first few of many, spread over the whole. */
export function someOf<T>(items: readonly T[], most = MOST_PASSAGES): T[] {
  if (items.length <= most) return [...items];
  return Array.from({ length: most }, (_, index) => items[Math.floor((index * items.length) / most)]!);
}
