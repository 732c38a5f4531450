/** The words of a paragraph and how often each occurs. */
export interface WordBag {
  readonly size: number;
  readonly counts: ReadonlyMap<string, number>;
}

const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}’']+/gu;

export function wordBag(text: string): WordBag {
  const counts = new Map<string, number>();
  let size = 0;
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
    size++;
  }
  return { size, counts };
}

/** Of the words of both, those they have in common (the coefficient of Dice): 1 for the same words, 0 for none. */
export function likeness(left: WordBag, right: WordBag): number {
  if (left.size + right.size === 0) return 0;
  const [small, large] = left.counts.size < right.counts.size ? [left, right] : [right, left];
  let common = 0;
  for (const [word, count] of small.counts) common += Math.min(count, large.counts.get(word) ?? 0);
  return (2 * common) / (left.size + right.size);
}
