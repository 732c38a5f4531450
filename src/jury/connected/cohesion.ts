import { lowerCaseOf } from "../../prose/character-kinds.ts";
import { HashTable } from "../../prose/hash-table.ts";
import { EMPTY_HASH, extended, finished, hashOf, joined } from "../../prose/hashing.ts";
import { MARK_HASHES, NAME } from "../../prose/scan-prose.ts";
import { FUNCTION_WORD, LETTERS, type ScannedProse } from "../../prose/scanned-prose.ts";
import { PlacesByWord } from "./places-by-word.ts";

/** Links between neighbouring sentences, counted, and how many the same sentences in random order would have. */
export interface Links {
  readonly found: number;
  readonly expected: number;
  /** The variance of `found` in random order, links taken as independent. */
  readonly variance: number;
}

/** What links neighbours: a content word or name that comes again soon, and what turns in runs (persons, speech). */
export interface Cohesion {
  readonly words: Links;
  readonly turns: Links;
}

/** A link reaches this many sentences, or paragraphs, ahead. */
const REACH = 2;
/** Order is measured within runs of so many of them, so that a topic that lasts a whole chapter does not count as order. */
const BLOCK = { sentences: 120, paragraphs: 60 } as const;
/** A word of more than this part of a block links nothing: it is everywhere. */
const LARGEST_SHARE = 0.2;

/** Sentences that begin with the same so many words and marks are taken for the same. */
const OPENING = 6;

const QUOTE = MARK_HASHES.get('"')!;
const persons = new HashTable(
  [
    "he him his himself",
    "she her hers herself",
    "i me my i'm i'd i've i'll",
    "you your you're",
    "they them their",
    "we us our",
  ].flatMap((words, person) => words.split(" ").map((word): [number, number] => [hashOf(word), person + 1])),
);
/** Whether a token is a personal pronoun: stories are full of them, lists have hardly any. */
export function isPersonalPronoun(token: number): boolean {
  return persons.get(token) !== undefined;
}

/** Of one block after the other. */
const wordPlaces = new PlacesByWord();

const SPEECH = 0;
const TURNS = 7;

/** Runs of tokens whose order is in question: run `r` holds the tokens from `from[r]` up to `to[r]`. */
interface Runs {
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** How much neighbouring sentences share, or neighbouring paragraphs. */
export function measureCohesion(
  chapters: readonly { readonly text: string; readonly prose: ScannedProse }[],
  unit: keyof typeof BLOCK,
): Cohesion {
  const words = { found: 0, expected: 0, variance: 0 };
  const turns = { found: 0, expected: 0, variance: 0 };
  for (const { text, prose } of chapters) {
    const runs = unit === "sentences" ? distinctSentences(prose) : paragraphs(prose);
    const count = runs.from.length;
    const blocks = Math.max(1, Math.round(count / BLOCK[unit]));
    for (let block = 0; block < blocks; block++) {
      const [first, end] = [Math.floor((count * block) / blocks), Math.floor((count * (block + 1)) / blocks)];
      countBlock(text, prose, { from: runs.from.slice(first, end), to: runs.to.slice(first, end) }, words, turns);
    }
  }
  return { words, turns };
}

type Counter = { -readonly [Key in keyof Links]: number };

/** Sentences that open as none before did: a text that goes round in circles links each round with itself, not with what is near. */
function distinctSentences(prose: ScannedProse): Runs {
  const seen = new Set<number>();
  const runs = { from: [] as number[], to: [] as number[] };
  for (let sentence = 0; sentence < prose.sentenceCount; sentence++) {
    const from = prose.firstToken[sentence]!;
    const to = prose.firstToken[sentence + 1]!;
    let hash = 0;
    for (let token = from; token < Math.min(to, from + OPENING); token++) hash = joined(hash, prose.tokens[token]!);
    if (to - from >= OPENING && seen.has(hash)) continue;
    seen.add(hash);
    runs.from.push(from);
    runs.to.push(to);
  }
  return runs;
}

function paragraphs({ sentenceCount, opensParagraph, firstToken }: ScannedProse): Runs {
  const from: number[] = [];
  for (let sentence = 0; sentence < sentenceCount; sentence++) {
    if (sentence === 0 || opensParagraph[sentence]) from.push(firstToken[sentence]!);
  }
  return { from, to: [...from.slice(1), firstToken[sentenceCount]!] };
}

function countBlock(text: string, prose: ScannedProse, runs: Runs, words: Counter, turns: Counter): void {
  const size = runs.from.length;
  if (size < 2 * REACH + 2) return;
  wordPlaces.clear();
  const turnPlaces: number[][] = Array.from({ length: TURNS }, () => []);
  const note = (places: number[], place: number): void => {
    if (places.at(-1) !== place) places.push(place);
  };
  for (let place = 0; place < size; place++) {
    for (let token = runs.from[place]!; token < runs.to[place]!; token++) {
      const hash = prose.tokens[token]!;
      if (hash === QUOTE) note(turnPlaces[SPEECH]!, place);
      const person = persons.get(hash);
      if (person !== undefined) note(turnPlaces[person]!, place);
      const traits = prose.traits[token]!;
      if ((traits & LETTERS) === 0 || traits & FUNCTION_WORD) continue;
      const word = hash === NAME ? wordHash(text, prose.tokenStarts[token]!, prose.tokenEnds[token]!) : hash;
      wordPlaces.note(word, place);
    }
  }
  wordPlaces.forEach((places) => {
    // Each further place of the word could be a link; common words would drown the telling ones, so each word counts alike.
    if (places.length <= Math.max(2, LARGEST_SHARE * size)) add(words, places, size, 1 / (places.length - 1));
  });
  for (const places of turnPlaces) {
    if (places.length > 1 && places.length < size - 1) add(turns, places, size, 1 / (places.length - 1));
  }
}

/** Pairs of places at most {@link REACH} apart, against the pairs that random places would give. */
function add(into: Counter, places: ArrayLike<number>, size: number, weight: number): void {
  let near = 0;
  for (let i = 0; i < places.length; i++) {
    for (let j = i + 1; j < places.length && places[j]! - places[i]! <= REACH; j++) near++;
  }
  const pairs = (places.length * (places.length - 1)) / 2;
  const chance = (REACH * (2 * size - REACH - 1)) / (size * (size - 1));
  into.found += weight * near;
  into.expected += weight * pairs * chance;
  into.variance += weight * weight * pairs * chance * (1 - chance);
}

function wordHash(text: string, from: number, to: number): number {
  let hash = EMPTY_HASH;
  for (let at = from; at < to; at++) hash = extended(hash, lowerCaseOf(text.charCodeAt(at)));
  return finished(hash);
}
