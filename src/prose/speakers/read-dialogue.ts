import { type CharacterCorrections, NO_CORRECTIONS } from "../../text/corrections/character-and-story.ts";
import { type Cast, type Character, castOf, findCharacters } from "../characters/find-characters.ts";
import type { NameMention } from "../characters/name-mentions.ts";
import type { ProseText } from "../prose-text.ts";
import { classifyQuotations, findQuotedSpans, type QuotationKind, type QuotedSpan } from "../quotations.ts";
import { attributeSpeakers, quotedWords } from "./attribute-speakers.ts";
import { findTurns, genderOfRole, type Turn } from "./turns.ts";

/**
 * Limits for "I" per thousand words of narration: overall, in each tenth of the text, and the share of the tenths
 * that must reach it.
 */
interface Narrator {
  readonly rate: number;
  readonly partRate: number;
  readonly parts: number;
}
/** A story told by one of its characters; in an author's asides "I" is rarer. */
const TELLS: Narrator = { rate: 10, partRate: 5, parts: 0.5 };
/** A narrator who occasionally says "I", and may comment in the present, whoever the story is about. */
export const SPEAKS_UP: Narrator = { rate: 2, partRate: 1, parts: 0.4 };
const PARTS = 10;
const FIRST_PERSON = new Set(["i", "me", "my", "myself", "mine"]);

export type NarrativePerson = "first" | "third";

/** "I" per thousand words outside quotation marks. */
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

/**
 * A first-person narrator speaks from beginning to end; a letter or journal in a third-person story fills only one
 * part of it.
 */
export function narrativePerson(prose: ProseText, quoted: Uint8Array, narrator = TELLS): NarrativePerson {
  if ((firstPersonRate(prose, quoted) ?? 0) < narrator.rate) return "third";
  const size = Math.ceil(prose.wordCount / PARTS);
  const rates = Array.from({ length: PARTS }, (_, part) =>
    firstPersonRate(prose, quoted, part * size, Math.min(prose.wordCount, (part + 1) * size)),
  ).filter((rate) => rate !== null);
  return rates.filter((rate) => rate >= narrator.partRate).length >= narrator.parts * rates.length ? "first" : "third";
}

/** The share of a name's mentions in dialogue if it is the narrator's own. */
const QUOTED_SHARE = 0.85;
const FEWEST_ADDRESSES = 2;

/**
 * The narrator's own name: others use it to address the narrator, who never says it. So it is the name most often
 * used in address, among those that occur almost only in dialogue and have no speech tag.
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

/** A character with fewer speeches plays only a passing part. */
const FEWEST_SPEECHES = 3;

/** Nouns for a person just named, which identify nobody by themselves. */
const GENERIC = new Set(
  `man woman lady gentleman boy girl lad fellow child youth other others stranger voice person creature companion friend
  mother father brother sister husband wife son daughter uncle aunt cousin nephew niece guest visitor host hostess speaker
  former latter one two three first second young old poor little men women people thing lover guardian`.split(/\s+/),
);

/** If more than half of the mentions are within this share of the text, they belong to a scene. */
const SCENE = 0.12;

/**
 * Whether a role belongs to a single scene, like a waiter. One that is spread over the book ("the painter") is
 * another word for somebody who has a name.
 */
function isLocal(places: readonly NameMention[], words: number): boolean {
  const most = Math.ceil(0.6 * places.length);
  return places.some((place, index) => {
    const last = places[index + most - 1];
    return last !== undefined && last.first - place.first <= SCENE * words;
  });
}

/**
 * Finds unnamed characters who speak, such as "the policeman", first by their tags and then wherever the text
 * mentions them.
 */
function findRoles(prose: ProseText, turns: readonly Turn[], known: readonly Character[]): Character[] {
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

export interface Dialogue {
  readonly cast: Cast;
  readonly quotations: readonly QuotedSpan[];
  readonly turns: readonly Turn[];
  /** By quotation: whether it is speech at all. */
  readonly kinds: readonly QuotationKind[];
  /** By quotation: the speaker's cast index, or null. */
  readonly speakers: readonly (number | null)[];
  readonly person: NarrativePerson;
  /** In a first-person story, the narrator's cast index. */
  readonly narrator: number | null;
  /** By word: 1 inside quotation marks. */
  readonly quoted: Uint8Array;
}

/** Determines what is spoken and by whom, and who is in the story at all. */
export function readDialogue(prose: ProseText, corrections: CharacterCorrections = NO_CORRECTIONS): Dialogue {
  const quotations = findQuotedSpans(prose.text, prose.paragraphs);
  const quoted = quotedWords(prose, quotations);
  const isQuoted = (word: number) => quoted[word] === 1;
  const found = findCharacters(prose, isQuoted);
  const person = narrativePerson(prose, quoted);
  const firstTurns = findTurns(prose, castOf(prose, found), quotations);
  const roles = findRoles(prose, firstTurns, found);
  const people = correctCharacters([...found, ...roles], corrections);
  const isAsFound = people.length === found.length && people.every((character, at) => character === found[at]);
  const peopleTurns = () => (isAsFound ? firstTurns : findTurns(prose, castOf(prose, people), quotations));
  const { characters, narrator } = withNarrator(people, peopleTurns, isQuoted, person);
  const cast = castOf(prose, characters);
  // Attributing speakers takes most of the time and is needed only for the map, so the checks of a chapter under
  // revision skip it.
  const turns = once(() => findTurns(prose, cast, quotations));
  const speakers = once(() => attributeSpeakers(prose, cast, quotations, turns(), narrator));
  const kinds = once(() => {
    const thoughts = new Set(
      turns().flatMap(({ quotations, tags }) => quotations.filter((_, index) => tags[index]?.isThought)),
    );
    return classifyQuotations(prose, quotations, (quotation) => thoughts.has(quotation));
  });
  return {
    cast,
    quotations,
    get kinds() {
      return kinds();
    },
    get turns() {
      return turns();
    },
    get speakers() {
      return speakers();
    },
    person,
    narrator,
    quoted,
  };
}

/** Worked out when it is first wanted. */
function once<T>(work: () => T): () => T {
  let known: { readonly value: T } | null = null;
  return () => {
    known ??= { value: work() };
    return known.value;
  };
}

function withNarrator(
  found: readonly Character[],
  turnsOf: () => readonly Turn[],
  isQuoted: (word: number) => boolean,
  person: NarrativePerson,
): { characters: readonly Character[]; narrator: number | null } {
  if (person === "third") return { characters: found, narrator: null };
  const turns = turnsOf();
  const addressed = new Array<number>(found.length).fill(0);
  const tagged = new Array<number>(found.length).fill(0);
  for (const turn of turns) {
    for (const character of turn.addressed) addressed[character]!++;
    for (const tag of turn.tags) if (tag?.subject.kind === "name") tagged[tag.subject.character]!++;
  }
  const narrator = findNarrator(found, isQuoted, addressed, tagged);
  if (narrator !== null) return { characters: found, narrator };
  const unnamed: Character = { name: "Narrator", aliases: ["Narrator", "I"], gender: null, mentions: [] };
  return { characters: [...found, unnamed], narrator: found.length };
}

/**
 * Applies the writer's corrections to the characters: split first, then merge, rename and drop, so that a name can be
 * moved from one person to another. A correction for a name that is no longer in the text changes nothing.
 */
export function correctCharacters(
  characters: readonly Character[],
  { merge, split, rename, drop }: CharacterCorrections,
): Character[] {
  let result = [...characters];
  for (const { name, aliases, as } of split) {
    const from = find(result, name);
    if (from) result = replace(result, [from], divide(from, aliases, as));
  }
  for (const names of merge) {
    const people = [...new Set(names.flatMap((name) => find(result, name) ?? []))];
    if (people.length > 1) result = replace(result, people, [united(people)]);
  }
  for (const { from, to } of rename) {
    const person = find(result, from);
    if (person)
      result = replace(result, [person], [{ ...person, name: to, aliases: [...new Set([...person.aliases, to])] }]);
  }
  for (const name of drop) {
    const person = find(result, name);
    if (person) result = replace(result, [person], []);
  }
  return result.sort((left, right) => right.mentions.length - left.mentions.length);
}

function find(characters: readonly Character[], name: string): Character | undefined {
  return characters.find((each) => each.name === name) ?? characters.find(({ aliases }) => aliases.includes(name));
}

function replace(characters: readonly Character[], old: readonly Character[], now: readonly Character[]): Character[] {
  return [...characters.filter((character) => !old.includes(character)), ...now];
}

/** An alias in the form of a mention's key: in lower case, without full stops and without "the". */
function keyOf(alias: string): string {
  return alias.toLowerCase().replaceAll(".", "").replaceAll("’", "'").replace(/^the /, "");
}

function divide(character: Character, aliases: readonly string[], as: string): Character[] {
  const keys = new Set(aliases.map(keyOf));
  const taken = character.mentions.filter(({ key }) => keys.has(key));
  if (taken.length === 0) return [character];
  const left = character.aliases.filter((alias) => !keys.has(keyOf(alias)));
  const name = keys.has(keyOf(character.name)) ? (left[0] ?? character.name) : character.name;
  const rest = { ...character, name, aliases: left, mentions: character.mentions.filter(({ key }) => !keys.has(key)) };
  return [
    ...(rest.mentions.length > 0 ? [rest] : []),
    { ...character, name: as, aliases: [...new Set([as, ...aliases])], mentions: taken },
  ];
}

function united(people: readonly Character[]): Character {
  const [first] = people;
  return {
    name: first!.name,
    aliases: [...new Set(people.flatMap(({ aliases }) => aliases))],
    gender: people.map(({ gender }) => gender).find((gender) => gender !== null) ?? null,
    mentions: people.flatMap(({ mentions }) => mentions).sort((left, right) => left.first - right.first),
  };
}
