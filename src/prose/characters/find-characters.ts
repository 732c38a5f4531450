import { sumBy } from "../../stats/distribution.ts";
import type { ProseText } from "../prose-text.ts";
import { gatherEvidence, genderOf, type NameEvidence, parseName } from "./name-evidence.ts";
import { findNameMentions, type NameMention } from "./name-mentions.ts";
import { ENDINGS_OF_PLACES, type Gender, isGivenName, NAMES_OF_OTHER_THINGS, sameTitle } from "./name-words.ts";
import { resolveAliases } from "./resolve-aliases.ts";

export interface LookAlike {
  readonly names: readonly [string, string];
  readonly mentions: readonly [number, number];
  /** One letter apart, or the same to the ear: perhaps one name in two spellings. */
  readonly reason: "spelling" | "sound" | "beginning";
}

const MOST_COMPARED = 60;
const FEWEST_LOOK_ALIKE_MENTIONS = 3;

/** Names that readers may confuse: Katherine and Catherine, Elinor and Eleanor, Morris and Norris. */
export function lookAlikes(characters: readonly Character[]): LookAlike[] {
  const names = characters
    .filter(({ mentions }) => mentions.length >= FEWEST_LOOK_ALIKE_MENTIONS)
    .slice(0, MOST_COMPARED)
    .map(({ name, mentions }) => ({ name, mentions: mentions.length, words: distinctive(name) }));
  const found: LookAlike[] = [];
  for (const [index, left] of names.entries()) {
    for (const right of names.slice(index + 1)) {
      const reason = alike(left.words, right.words);
      if (reason) found.push({ names: [left.name, right.name], mentions: [left.mentions, right.mentions], reason });
    }
  }
  return found;
}

/** Members of a family share a last name, so only the first name distinguishes them. */
function distinctive(name: string): string[] {
  return name
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word.length > 2 && !/^(?:mr|mrs|miss|the|sir|lady|lord|dr|captain|colonel)\.?$/.test(word));
}

function alike(left: readonly string[], right: readonly string[]): LookAlike["reason"] | null {
  const [first, second] = [left[0], right[0]];
  if (first === undefined || second === undefined || first === second) return null;
  if (Math.min(first.length, second.length) < 4) return null;
  if (isOneLetterApart(first, second)) return "spelling";
  if (soundOf(first) === soundOf(second)) return "sound";
  return null;
}

export function isOneLetterApart(left: string, right: string): boolean {
  if (Math.abs(left.length - right.length) > 1 || left === right) return false;
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  return short.length === long.length
    ? short.slice(at + 1) === long.slice(at + 1)
    : short.slice(at) === long.slice(at + 1);
}

/** A rough key for the sound of the consonants, so that Katherine matches Catherine and Stephen matches Steven. */
export function soundOf(name: string): string {
  return name
    .replace(/^kn/, "n")
    .replace(/^wr/, "r")
    .replace(/ph/g, "f")
    .replace(/v/g, "f")
    .replace(/c(?=[eiy])/g, "s")
    .replace(/[cq]/g, "k")
    .replace(/z/g, "s")
    .replace(/th/g, "t")
    .replace(/[aeiouyhw]+/g, "a")
    .replace(/(.)\1+/g, "$1");
}

/** Where each character is mentioned. */
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

export interface Character {
  readonly name: string;
  /** Every form of the name in the text, including the name itself, most frequent first. */
  readonly aliases: readonly string[];
  readonly gender: Gender | null;
  readonly mentions: readonly NameMention[];
}

/** Names with fewer mentions are too incidental; with a title or a speech, fewer are enough. */
const FEWEST_MENTIONS = 3;
/**
 * Ships are often written with "the", people hardly ever: the share of mentions with "the", and the share beside a
 * verb of speech.
 */
const DEFINITE = 0.6;
const RARELY = 0.04;
const SELDOM = 0.15;
/** A smaller share of titled mentions is a slip, or an initial before another capital. */
const TITLED = 0.1;
/** How far back, in words, a title that several people have can refer to one of them. */
const NEAR = 3000;

export function findCharacters(prose: ProseText, isQuoted: (word: number) => boolean): Character[] {
  const mentions = findNameMentions(prose);
  const evidence = gatherEvidence(prose, mentions, isQuoted);
  const byKey = new Map<string, NameMention[]>();
  for (const mention of mentions) {
    const list = byKey.get(mention.key);
    if (list) list.push(mention);
    else byKey.set(mention.key, [mention]);
  }
  const identities = resolveAliases([...evidence.values()].filter((name) => !isFamily(name, evidence)));
  const found = identities
    .map(({ names }) => ({
      names,
      isPerson: isPerson(names),
      title: bareTitle(names),
      mentions: names.flatMap(({ key }) => byKey.get(key)!),
    }))
    .filter(({ isPerson: isOne, title }) => isOne || title !== null);
  giveTitles(found);
  return found
    .filter(({ isPerson: isOne, title, mentions: own }) => isOne && (title === null || own.length > 0))
    .map(({ names, mentions: own }) => ({
      name: displayName(names),
      aliases: aliasesOf(names),
      gender: genderOf(names),
      mentions: own.sort((left, right) => left.first - right.first),
    }))
    .sort((left, right) => right.mentions.length - left.mentions.length);
}

interface Found {
  readonly names: readonly NameEvidence[];
  readonly isPerson: boolean;
  /** For somebody who is called only by a title. */
  readonly title: string | null;
  mentions: NameMention[];
}

function bareTitle(names: readonly NameEvidence[]): string | null {
  const parsed = names.map(({ key }) => parseName(key));
  const isBare = parsed.every(({ given, family, only }) => (given ?? family ?? only) === null);
  return isBare ? sameTitle(parsed[0]!.titles.at(-1)!) : null;
}

/** If the book has several captains, "Cap'n" and "the Captain" refer to the one named last. */
function giveTitles(found: readonly Found[]): void {
  const bears = ({ names }: Found, title: string) =>
    names.some(({ key }) => parseName(key).titles.some((each) => sameTitle(each) === title));
  for (const bare of found) {
    const { title } = bare;
    if (title === null) continue;
    const bearers = found.filter((other) => other.isPerson && other.title === null && bears(other, title));
    if (bearers.length < 2) continue;
    const named = bearers
      .flatMap((bearer) => bearer.mentions.map(({ first }) => ({ bearer, first })))
      .sort((left, right) => left.first - right.first);
    const given: [Found, NameMention][] = [];
    bare.mentions = bare.mentions.filter((mention) => {
      const last = named.findLast(({ first }) => first < mention.first);
      if (last === undefined || mention.first - last.first > NEAR) return true;
      given.push([last.bearer, mention]);
      return false;
    });
    for (const [bearer, mention] of given) bearer.mentions.push(mention);
    if (bare.mentions.length < FEWEST_MENTIONS) bare.mentions = [];
  }
}

/** "The Bennets" are not one person. */
function isFamily({ key, definite, mentions }: NameEvidence, names: ReadonlyMap<string, NameEvidence>): boolean {
  const last = key.split(" ").at(-1)!;
  if (definite < mentions / 2 || !last.endsWith("s")) return false;
  const single = last.slice(0, -1);
  return names.has(single) || [...names.keys()].some((other) => other.endsWith(` ${single}`));
}

/** People have titles, speak, act and are spoken to; places are gone to and lived in. */
function isPerson(names: readonly NameEvidence[]): boolean {
  const sum = (pick: (name: NameEvidence) => number) => sumBy(names, (name) => pick(name));
  const mentions = sum((name) => name.mentions);
  const spoken = sum((name) => name.spoken);
  const parsed = names.map(({ key }) => parseName(key));
  if (names.every(({ key }) => ENDINGS_OF_PLACES.has(key.split(" ").at(-1)!)) && spoken < 2) return false;
  if (names.every(({ key }) => NAMES_OF_OTHER_THINGS.has(key)) && spoken < 3) return false;
  const titled = sumBy(names, ({ mentions: own }, at) => {
    const { titles, given, family, only } = parsed[at]!;
    return titles.length > 0 && (given ?? family ?? only) !== null ? own : 0;
  });
  if (titled > 0 && titled >= TITLED * mentions) return mentions >= 2 && !isShip(names, mentions, spoken);
  if (isThing(names, mentions, spoken)) return false;
  const located = sum((name) => name.located);
  if (spoken >= 2 && 2 * spoken >= located) return true;
  const acting = spoken * 3 + sum((name) => name.acts) + sum((name) => name.addressed);
  const placed = located + 0.3 * sum((name) => name.reached);
  const isNamedAsPerson = parsed.some(({ given, only }) => isGivenName(given ?? only ?? ""));
  if (mentions < FEWEST_MENTIONS) return false;
  if (isNamedAsPerson) return acting >= placed;
  return acting >= 3 && acting >= 0.12 * mentions && acting > 2 * placed;
}

/** Ships and boards are written with "the" and hardly ever speak; an island never speaks, and is never called "he". */
function isThing(names: readonly NameEvidence[], mentions: number, spoken: number): boolean {
  const sum = (pick: (name: NameEvidence) => number) => sumBy(names, (name) => pick(name));
  const isDefinite = sum((name) => name.definite) > DEFINITE * mentions;
  if (isDefinite && spoken < Math.max(2, RARELY * mentions)) return true;
  if (isShip(names, mentions, spoken)) return true;
  const isCalledPerson = names.some(({ key }) => isGivenName(key.split(" ")[0]!));
  return !isCalledPerson && spoken === 0 && sum(({ addressed, he, she }) => addressed + he + she) === 0;
}

/** "The Macedonia" is "she" and sends a signal now and then; "the Lady Vain" has a title and is a ship. */
function isShip(names: readonly NameEvidence[], mentions: number, spoken: number): boolean {
  const isLady = (key: string) => parseName(key).titles.every((title) => title === "lady");
  const sum = (pick: (name: NameEvidence) => number) => sumBy(names, (name) => pick(name));
  if (!names.every(({ key }) => isLady(key)) || sum((name) => name.definite) <= DEFINITE * mentions) return false;
  return spoken < SELDOM * mentions && sum((name) => name.he) <= sum((name) => name.she);
}

function spelling(name: NameEvidence): string {
  const [best] = [...name.spellings].sort((left, right) => right[1] - left[1])[0]!;
  return name.definite > name.mentions / 2 ? `The ${best}` : best;
}

function aliasesOf(names: readonly NameEvidence[]): string[] {
  return [...new Set([...names].sort((left, right) => right.mentions - left.mentions).map(spelling))];
}

/** A full name without a title if the text uses it more than occasionally, otherwise the most frequent form. */
function displayName(names: readonly NameEvidence[]): string {
  const full = names.filter(({ key, mentions }) => {
    const { titles, given, family } = parseName(key);
    return titles.length === 0 && given !== null && family !== null && mentions >= 2;
  });
  const candidates = full.length > 0 ? full : names;
  return spelling(candidates.reduce((best, name) => (name.mentions > best.mentions ? name : best)));
}
