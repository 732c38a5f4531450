import type { Passage } from "../map/passage.ts";
import type { Reading } from "../map/reading.ts";

/** Sentences of narration in a row that begin with the same word. */
export interface RepeatedOpening {
  readonly word: string;
  readonly sentences: number;
  readonly passage: Passage;
}

const FEWEST = 4;

export function repeatedOpenings({ prose, sentences, locate }: Reading): RepeatedOpening[] {
  const runs: RepeatedOpening[] = [];
  let first = 0;
  const close = (end: number) => {
    if (end - first < FEWEST) return;
    const word = prose.words[sentences[first]!.firstWord]!;
    runs.push({
      word,
      sentences: end - first,
      passage: locate({ start: sentences[first]!.start, end: sentences[end - 1]!.end }),
    });
  };
  for (const [index, { firstWord, isQuoted }] of sentences.entries()) {
    const before = sentences[index - 1];
    const isSame = before && !before.isQuoted && !isQuoted && prose.words[before.firstWord] === prose.words[firstWord];
    if (isSame) continue;
    close(index);
    first = index;
  }
  close(sentences.length);
  return runs.sort((left, right) => right.sentences - left.sentences);
}
