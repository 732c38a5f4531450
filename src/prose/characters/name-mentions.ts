import { ADJOINS, CAPITAL, OPENS, POSSESSIVE, type ProseText, SHOUTED } from "../prose-text.ts";
import { ADJECTIVES, DATES, isGivenName, NOT_NAMES, PARTICLES, SURNAMES, TITLES } from "./name-words.ts";

/** An occurrence of a name: words `first` to `last` of the text. */
export interface NameMention {
  readonly first: number;
  readonly last: number;
  /**
   * The name in lower case with single spaces, including titles: "mr darcy". Mentions with the same key are the same
   * name.
   */
  readonly key: string;
  /** It follows "the": "the General". */
  readonly definite: boolean;
}

const LONGEST_NAME = 5;

/**
 * Finds every sequence of words written as a name. A capital inside a sentence is enough; at the start of a sentence
 * the same word counts only if the text elsewhere capitalises it more often than not.
 */
export function findNameMentions(prose: ProseText): NameMention[] {
  const isName = nameWords(prose);
  const mentions: NameMention[] = [];
  for (let first = 0; first < prose.wordCount; first++) {
    if (!isName(first)) continue;
    const last = endOfName(prose, first, isName);
    const named = withoutAdjectives(prose, first, last);
    first = last;
    if (named === null) continue;
    const words = prose.words.slice(named, last + 1);
    const definite = named > 0 && prose.words[named - 1] === "the" && Boolean(prose.traits[named]! & ADJOINS);
    const isBareTitle = words.length === 1 && TITLES.has(words[0]!) && !definite;
    if (isBareTitle && !TITLES.get(words[0]!)!.standsAlone) continue;
    mentions.push({ first: named, last, key: words.join(" "), definite });
  }
  return mentions;
}

/** "Poor Miss Taylor" names Miss Taylor. */
function withoutAdjectives(prose: ProseText, first: number, last: number): number | null {
  let start = first;
  while (start <= last && ADJECTIVES.has(prose.words[start]!)) start++;
  return start > last ? null : start;
}

/** By word id: how often it is written in lower case, and capitalised where this is not required. */
interface Casings {
  readonly lower: Uint32Array;
  readonly inside: Uint32Array;
}

function casingsOf(prose: ProseText): Casings {
  const lower = new Uint32Array(prose.vocabulary.length);
  const inside = new Uint32Array(prose.vocabulary.length);
  for (let word = 0; word < prose.wordCount; word++) {
    const trait = prose.traits[word]!;
    if (trait & SHOUTED) continue;
    if (!(trait & CAPITAL)) lower[prose.ids[word]!]!++;
    else if (!(trait & OPENS)) inside[prose.ids[word]!]!++;
  }
  return { lower, inside };
}

function nameWords(prose: ProseText): (word: number) => boolean {
  const casings = casingsOf(prose);
  return (index) => {
    const trait = prose.traits[index]!;
    if (!(trait & CAPITAL) || trait & SHOUTED) return false;
    const word = prose.words[index]!;
    if (NOT_NAMES.has(word)) return false;
    const lower = casings.lower[prose.ids[index]!]!;
    const inside = casings.inside[prose.ids[index]!]!;
    if (!(trait & OPENS)) return inside >= lower / 20 || TITLES.has(word);
    if (TITLES.has(word)) return followedByName(prose, index, casings);
    if (inside === 0 && lower === 0) return isGivenName(word);
    return inside > 0 && inside >= lower / 2;
  };
}

function followedByName(prose: ProseText, index: number, { inside }: Casings): boolean {
  let next = index + 1;
  while (next < index + 3 && PARTICLES.has(prose.words[next]!)) next++;
  if (next >= prose.wordCount) return false;
  const trait = prose.traits[next]!;
  return Boolean(trait & CAPITAL && trait & ADJOINS && inside[prose.ids[next]!]! > 0);
}

function endOfName(prose: ProseText, first: number, isName: (word: number) => boolean): number {
  let last = first;
  while (last - first < LONGEST_NAME - 1) {
    if (prose.traits[last]! & POSSESSIVE) break;
    const next = last + 1;
    if (next >= prose.wordCount || !(prose.traits[next]! & ADJOINS)) break;
    if (isName(next) && !startsAnotherName(prose, first, next, isName)) last = next;
    else {
      const after = afterParticles(prose, first, next, isName);
      if (after === null) break;
      last = after;
    }
  }
  return last;
}

/**
 * "Emma Mrs. Weston": a title inside a run of capitals begins the next name, unless titles are adjacent or it is the
 * surname of the one before ("Arabella Bishop"). A date ends a name: "Colonel Brandon Monday".
 */
function startsAnotherName(prose: ProseText, first: number, next: number, isName: (word: number) => boolean): boolean {
  const word = prose.words[next]!;
  if (TITLES.has(prose.words[next - 1]!)) return false;
  if (DATES.has(word)) return true;
  if (!TITLES.has(word) || next === first) return false;
  const isFollowed = next + 1 < prose.wordCount && Boolean(prose.traits[next + 1]! & ADJOINS) && isName(next + 1);
  return isFollowed || !SURNAMES.has(word) || !isGivenName(prose.words[next - 1]!);
}

/** The name word after "van der" and the like, if they occur here. */
function afterParticles(
  prose: ProseText,
  first: number,
  particle: number,
  isName: (word: number) => boolean,
): number | null {
  const word = prose.words[particle]!;
  let next = particle;
  while (next < particle + 3 && PARTICLES.has(prose.words[next]!) && prose.traits[next]! & ADJOINS) next++;
  if (next === particle || next >= prose.wordCount || !(prose.traits[next]! & ADJOINS) || !isName(next)) return null;
  // "Duchess of Monmouth" is a person; "Emma of Highbury" is a person and a place.
  const isTitleOnly = particle - first === 1 && Boolean(TITLES.get(prose.words[first]!)?.standsAlone);
  return word !== "of" || isTitleOnly ? next : null;
}
