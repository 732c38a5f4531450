const WORD = /[\p{L}\p{N}]+/gu;

/** The share of the distinct words of `text` that also stand in `source`, 0–1: how much of it was taken from there. */
export function wordOverlap(text: string, source: string): number {
  const known = distinctWords(source);
  const words = distinctWords(text);
  if (words.size === 0) return 0;
  let shared = 0;
  for (const word of words) if (known.has(word)) shared++;
  return shared / words.size;
}

function distinctWords(text: string): Set<string> {
  return new Set(text.normalize("NFKC").toLowerCase().match(WORD) ?? []);
}
