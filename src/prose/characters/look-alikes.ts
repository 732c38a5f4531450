import type { Character } from "./find-characters.ts";

export interface LookAlike {
  readonly names: readonly [string, string];
  readonly mentions: readonly [number, number];
  /** One letter apart, or the same to the ear: perhaps one name in two spellings. */
  readonly reason: "spelling" | "sound" | "beginning";
}

const MOST_COMPARED = 60;
const FEWEST_MENTIONS = 3;

/** Names a reader may take for each other: Katherine and Catherine, Elinor and Eleanor, Morris and Norris. */
export function lookAlikes(characters: readonly Character[]): LookAlike[] {
  const names = characters
    .filter(({ mentions }) => mentions.length >= FEWEST_MENTIONS)
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

/** A family shares its last name: there only the first says who is meant. */
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

/** The consonants as they sound: a rough key, so that Katherine meets Catherine and Stephen meets Steven. */
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
