import { TITLES } from "../../prose/characters/titles.ts";
import { NAME } from "../../prose/scan-prose.ts";
import type { PreparedText } from "../prepare-text.ts";

/** The two groups of names that meet least. */
export interface TwoCasts {
  /** Paragraphs that name members of both, as a part of those to be expected where both come up in the same pages by chance. */
  readonly meetings: number;
  readonly expected: number;
  /** Of the smaller group, the most frequent first. */
  readonly names: readonly string[];
}

/** Names are looked at within runs of so many paragraphs: characters of different chapters need not meet. */
const BLOCK = 30;
const MOST_NAMES = 40;
const FEWEST_MENTIONS = 5;
const FEWEST_NAMES = 4;
/** Fewer meetings to be expected than this say nothing. */
const ENOUGH_EXPECTED = 20;

/** By paragraph: the frequent names in it, as numbers. */
type Block = readonly (readonly number[])[];

/**
 * Looks for two casts that come up on the same pages and never in the same paragraph, as where the prose of one novel stands in another.
 * Names that meet most are joined step by step; each group that forms is compared with all the other names. Null where there are too few names.
 */
export function findTwoCasts(chapters: readonly PreparedText[]): TwoCasts | null {
  const named = chapters.map(namesByParagraph);
  const names = frequentNames(named.flat());
  if (names.length < 2 * FEWEST_NAMES) return null;
  const numbers = new Map(names.map((name, number) => [name, number]));
  const blocks = named.flatMap((paragraphs) => blocksOf(paragraphs, numbers));
  let least: TwoCasts | null = null;
  for (const group of groupsThatForm(blocks, names.length)) {
    if (Math.min(group.size, names.length - group.size) < FEWEST_NAMES) continue;
    const { met, expected } = meetingsOf(blocks, group);
    if (expected < ENOUGH_EXPECTED || (least !== null && met / expected >= least.meetings)) continue;
    const isSmaller = group.size <= names.length / 2;
    least = { meetings: met / expected, expected, names: names.filter((_, at) => group.has(at) === isSmaller) };
  }
  return least;
}

function namesByParagraph({ text, prose }: PreparedText): Set<string>[] {
  const paragraphs: Set<string>[] = [];
  for (let sentence = 0; sentence < prose.sentenceCount; sentence++) {
    if (sentence === 0 || prose.opensParagraph[sentence]) paragraphs.push(new Set());
    for (let token = prose.firstToken[sentence]!; token < prose.firstToken[sentence + 1]!; token++) {
      if (prose.tokens[token] !== NAME) continue;
      const name = text.slice(prose.tokenStarts[token]!, prose.tokenEnds[token]!).replace(/[’']s?$/, "");
      if (!TITLES.has(name.toLowerCase())) paragraphs.at(-1)!.add(name);
    }
  }
  return paragraphs;
}

function frequentNames(paragraphs: readonly ReadonlySet<string>[]): string[] {
  const counts = new Map<string, number>();
  for (const names of paragraphs) for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count >= FEWEST_MENTIONS)
    .sort(([, left], [, right]) => right - left)
    .slice(0, MOST_NAMES)
    .map(([name]) => name);
}

function blocksOf(paragraphs: readonly ReadonlySet<string>[], numbers: ReadonlyMap<string, number>): Block[] {
  const count = Math.max(1, Math.round(paragraphs.length / BLOCK));
  const known = paragraphs.map((names) => [...names].flatMap((name) => numbers.get(name) ?? []));
  return Array.from({ length: count }, (_, block) =>
    known.slice(Math.floor((known.length * block) / count), Math.floor((known.length * (block + 1)) / count)),
  );
}

/** Joins the two groups that meet most for how often both come up, until one is left; gives each group as it forms. */
function* groupsThatForm(blocks: readonly Block[], size: number): Generator<ReadonlySet<number>> {
  const table = () => Array.from({ length: size }, () => new Float64Array(size));
  const [met, expected] = [table(), table()];
  for (const block of blocks) {
    const mentions = new Float64Array(size);
    for (const names of block) {
      for (const name of names) mentions[name] = mentions[name]! + 1;
      for (const left of names) for (const right of names) met[left]![right] = met[left]![right]! + 1;
    }
    for (let left = 0; left < size; left++) {
      if (mentions[left] === 0) continue;
      for (let right = 0; right < size; right++) {
        expected[left]![right] = expected[left]![right]! + (mentions[left]! * mentions[right]!) / block.length;
      }
    }
  }
  const groups = new Map(Array.from({ length: size }, (_, name) => [name, new Set([name])]));
  while (groups.size > 1) {
    const [into, from] = closest([...groups.keys()], met, expected);
    for (const counts of [met, expected]) {
      for (let other = 0; other < size; other++) {
        counts[into]![other] = counts[into]![other]! + counts[from]![other]!;
        counts[other]![into] = counts[into]![other]!;
      }
    }
    for (const name of groups.get(from)!) groups.get(into)!.add(name);
    groups.delete(from);
    yield groups.get(into)!;
  }
}

function closest(groups: readonly number[], met: readonly Float64Array[], expected: readonly Float64Array[]) {
  let best: readonly [number, number] = [groups[0]!, groups[1]!];
  let most = -1;
  for (const [at, left] of groups.entries()) {
    for (const right of groups.slice(at + 1)) {
      const closeness = met[left]![right]! / (expected[left]![right]! + 1);
      if (closeness > most) [most, best] = [closeness, [left, right]];
    }
  }
  return best;
}

/** Paragraphs that name both the group and the others, and how many there would be if each came up anywhere in its block. */
function meetingsOf(blocks: readonly Block[], group: ReadonlySet<number>): { met: number; expected: number } {
  let met = 0;
  let expected = 0;
  for (const block of blocks) {
    let [own, others] = [0, 0];
    for (const names of block) {
      const hasOwn = names.some((name) => group.has(name));
      const hasOther = names.some((name) => !group.has(name));
      if (hasOwn) own++;
      if (hasOther) others++;
      if (hasOwn && hasOther) met++;
    }
    if (block.length > 0) expected += (own * others) / block.length;
  }
  return { met, expected };
}
