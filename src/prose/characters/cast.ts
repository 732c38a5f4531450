import type { ProseText } from "../reading.ts";
import type { Character } from "./find-characters.ts";
import type { NameMention } from "./name-mentions.ts";

/** Who is named where: looks up the mention that covers a word. */
export interface Cast {
  readonly characters: readonly Character[];
  /** The character named by the mention that covers this word; -1 when there is none. */
  characterAt(word: number): number;
  /** The last word of the mention that covers this word. */
  mentionEnd(word: number): number;
  /** The mention that covers this word begins with it. */
  beginsAt(word: number): boolean;
}

export function castOf(prose: ProseText, characters: readonly Character[]): Cast {
  const owner = new Int32Array(prose.wordCount).fill(-1);
  const first = new Uint32Array(prose.wordCount);
  const last = new Uint32Array(prose.wordCount);
  for (const [index, { mentions }] of characters.entries()) {
    for (const mention of mentions) cover(mention, index);
  }
  function cover(mention: NameMention, index: number): void {
    for (let word = mention.first; word <= mention.last; word++) {
      owner[word] = index;
      first[word] = mention.first;
      last[word] = mention.last;
    }
  }
  return {
    characters,
    characterAt: (word) => owner[word] ?? -1,
    mentionEnd: (word) => last[word]!,
    beginsAt: (word) => owner[word] !== -1 && first[word] === word,
  };
}
