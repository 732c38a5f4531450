import type { Character } from "../characters/find-characters.ts";
import type { ProseText } from "../reading/prose-text.ts";

/** "I" so often per thousand words of narration is a story told by somebody in it; an author's aside is rarer. */
const FIRST_PERSON_RATE = 2;
const PARTS = 10;
const FEWEST_PARTS = 4;
const PRESENT_RATE = 1;
const FIRST_PERSON = new Set(["i", "me", "my", "myself", "mine"]);

export type NarrativePerson = "first" | "third";

/** How often, per thousand words outside quotation marks, the narrator says "I". */
function firstPersonRate(prose: ProseText, quoted: Uint8Array, from = 0, to = prose.wordCount): number | null {
  let narration = 0;
  let first = 0;
  for (let word = from; word < to; word++) {
    if (quoted[word]) continue;
    narration++;
    if (FIRST_PERSON.has(prose.words[word]!)) first++;
  }
  return narration === 0 ? null : (1000 * first) / narration;
}

/** A narrator speaks from beginning to end; a letter or a journal in a story told of others fills one part of it. */
export function narrativePerson(prose: ProseText, quoted: Uint8Array): NarrativePerson {
  if ((firstPersonRate(prose, quoted) ?? 0) < FIRST_PERSON_RATE) return "third";
  const size = Math.ceil(prose.wordCount / PARTS);
  const rates = Array.from({ length: PARTS }, (_, part) =>
    firstPersonRate(prose, quoted, part * size, Math.min(prose.wordCount, (part + 1) * size)),
  );
  const present = rates.filter((rate) => rate !== null && rate >= PRESENT_RATE).length;
  return present >= FEWEST_PARTS ? "first" : "third";
}

/** Of the name's mentions, the share that stands in speech when it is the narrator's own. */
const QUOTED_SHARE = 0.85;
const FEWEST_ADDRESSES = 2;

/**
 * The narrator's own name: others say it to him, he never says it himself. So it is the name most often addressed of those
 * that stand almost only in speech and have no speech tag.
 */
export function findNarrator(
  characters: readonly Character[],
  isQuoted: (word: number) => boolean,
  timesAddressed: readonly number[],
  timesTagged: readonly number[],
): number | null {
  let best: number | null = null;
  for (const [index, { mentions }] of characters.entries()) {
    const quoted = mentions.filter(({ first }) => isQuoted(first)).length;
    if (quoted < QUOTED_SHARE * mentions.length || timesTagged[index]! > 0) continue;
    if (timesAddressed[index]! < FEWEST_ADDRESSES) continue;
    if (best === null || timesAddressed[index]! > timesAddressed[best]!) best = index;
  }
  return best;
}
