import type { ProseText } from "../reading/prose-text.ts";
import { genderOfRole } from "../speakers/roles.ts";
import type { Turn } from "../speakers/turns.ts";
import type { Character } from "./find-characters.ts";
import type { NameMention } from "./name-mentions.ts";

/** Fewer speeches than this are a part in passing. */
const FEWEST_SPEECHES = 3;

/** Nouns that stand for whoever was named just before, so that they name nobody by themselves. */
const GENERIC = new Set(
  `man woman lady gentleman boy girl lad fellow child youth other others stranger voice person creature companion friend
  mother father brother sister husband wife son daughter uncle aunt cousin nephew niece guest visitor host hostess speaker
  former latter one two three first second young old poor little men women people thing lover guardian`.split(/\s+/),
);

/** More than half of the mentions in this share of the text belong to a scene. */
const SCENE = 0.12;

/**
 * Whether a role belongs to a scene, as a waiter does. One that is spread over the book ("the painter") is another word
 * for somebody who has a name.
 */
function isLocal(places: readonly NameMention[], words: number): boolean {
  const most = Math.ceil(0.6 * places.length);
  return places.some((place, index) => {
    const last = places[index + most - 1];
    return last !== undefined && last.first - place.first <= SCENE * words;
  });
}

/** Characters without a name who speak: "the policeman". Found by their tags, and then wherever the text mentions them. */
export function findRoles(prose: ProseText, turns: readonly Turn[], known: readonly Character[]): Character[] {
  const counts = new Map<string, number>();
  for (const { tags } of turns) {
    for (const tag of tags) {
      if (tag?.subject.kind !== "role") continue;
      const noun = tag.subject.role;
      if (!noun.includes(" ") && !GENERIC.has(noun)) counts.set(noun, (counts.get(noun) ?? 0) + 1);
    }
  }
  const taken = new Set(known.flatMap(({ aliases }) => aliases.map((alias) => alias.toLowerCase())));
  const mentions = new Map<string, NameMention[]>();
  for (const [noun, count] of counts) {
    if (count >= FEWEST_SPEECHES && !taken.has(`the ${noun}`) && !taken.has(noun)) mentions.set(noun, []);
  }
  for (let word = 1; word < prose.wordCount; word++) {
    if (prose.words[word - 1] !== "the") continue;
    const noun = prose.words[word]!;
    mentions.get(noun)?.push({ first: word, last: word, key: noun, definite: true });
  }
  const local = [...mentions].filter(([, places]) => isLocal(places, prose.wordCount));
  return local.map(([noun, places]) => {
    const name = `The ${noun[0]!.toUpperCase()}${noun.slice(1)}`;
    return { name, aliases: [name], gender: genderOfRole(noun), mentions: places };
  });
}
