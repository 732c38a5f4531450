const remembered = new Map<string, number>();

/** Syllables of an English word by its groups of vowels; a silent e at the end does not count. */
export function syllablesOf(word: string): number {
  let count = remembered.get(word);
  if (count === undefined) {
    count = counted(word);
    if (remembered.size < 200_000) remembered.set(word, count);
  }
  return count;
}

function counted(word: string): number {
  const groups = word.match(/[aeiouy]+/g)?.length ?? 0;
  const silent = /[^aeiouyl]e$|[^aeiouy]es$|[^aeiouytd]ed$/.test(word) ? 1 : 0;
  return Math.max(1, groups - silent);
}
