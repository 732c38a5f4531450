import { HashTable, hashOf, joined } from "./hashing.ts";
import { RARITY_BANDS, type WordRarity } from "./reference/reference-words.ts";
import { MARK_HASHES, NAME, NUMBER } from "./scan-prose.ts";
import { CONTRACTED, FUNCTION_WORD, LETTERS, type ScannedProse } from "./scanned-prose.ts";
import { ABSTRACT_ENDINGS, endingHash } from "./word-shape.ts";

const SLOTS = 1 << 15;
/** Positions are 32-bit numbers; long before they run out, everything is forgotten. */
const LAST_PLACE = 2 ** 31;

/**
 * Where each hash was last seen. There is one slot per hash, and the newer of two that share a slot wins: only the
 * last few hundred words matter, so that is rare, and the memory is the same for a paragraph and a novel. One
 * instance serves all texts: {@link forget} moves ahead by more words than anyone looks back, which costs nothing,
 * whereas a new table would cost more than reading a chapter.
 */
class RecentlySeen {
  /** Hash and position side by side; a position of 0 is an empty slot. */
  private readonly slots = new Uint32Array(2 * SLOTS);
  private place = 0;
  private readonly span: number;

  /** `span`: the longest distance that is needed. */
  constructor(span: number) {
    this.span = span;
  }

  forget(): void {
    this.place += this.span + 1;
    if (this.place < LAST_PLACE) return;
    this.slots.fill(0);
    this.place = 0;
  }

  nextWord(): void {
    this.place++;
  }

  /** How many words ago `hash` was seen, or more than the span if it was not; records it at this word. */
  distance(hash: number): number {
    const { slots, place } = this;
    const slot = 2 * ((hash ^ (hash >>> 15)) & (SLOTS - 1));
    const before = slots[slot] === hash ? slots[slot + 1]! : 0;
    slots[slot] = hash;
    slots[slot + 1] = place;
    return before === 0 ? this.span + 1 : place - before;
  }
}

const LONGEST_WORD = 12;
const LENGTH_STEPS = 13;
const SPEECH_STEPS = 6;
/** The largest distance, in words, at which a repetition counts: near enough to be noticed, and less than a window. */
const ECHO_SPAN = 30;
const WORD_SPAN = 150;
const PAIR_SPAN = 300;
const TRIPLE_SPAN = 450;

const names: string[] = [];
const feature = (name: string): number => names.push(name) - 1;
const features = (count: number, name: (step: number) => string): number => {
  const first = names.length;
  for (let step = 0; step < count; step++) feature(name(step));
  return first;
};
const classLists = new Map<number, number[]>();
const wordClass = (name: string, words: string): void => {
  const index = feature(name);
  for (const word of words.split(" ")) classLists.set(hashOf(word), [...(classLists.get(hashOf(word)) ?? []), index]);
};

const wordLength = features(
  LONGEST_WORD,
  (step) => `words of ${step + 1}${step + 1 === LONGEST_WORD ? "+" : ""} letters`,
);
const rarity = features(RARITY_BANDS, (step) => `words of rarity ${step}`);
/** The first of the features that count words by rarity, the only ones that depend on other texts. */
export const FIRST_RARITY_FEATURE = rarity;
const functionWord = feature("function words");
const contraction = feature("contractions");
const name = feature("names");
const number = feature("numbers");
const echo = feature(`words heard within ${ECHO_SPAN} words`);
const repeatedWord = feature(`words heard within ${WORD_SPAN} words`);
const repeatedPair = feature(`pairs heard within ${PAIR_SPAN} words`);
const repeatedTriple = feature(`triples heard within ${TRIPLE_SPAN} words`);
wordClass("first person", "i me my mine myself i'm i'd i've i'll we us our ours");
wordClass("second person", "you your yours you're you've you'll you'd yourself");
wordClass("third person", "he she him her his hers they them their theirs himself herself themselves");
wordClass("modals", "could would might must should may can");
wordClass("negations", "not no never nothing didn't wasn't couldn't don't nor neither without");
wordClass("comparisons", "like as if though");
wordClass("copulas", "was were is are be been being");
const classes = new HashTable(classLists);
const endingFeatures: [number, number][] = [
  [endingHash("ing"), feature("words in -ing")],
  [endingHash("ed"), feature("words in -ed")],
  [endingHash("ly"), feature("words in -ly")],
];
const abstractWord = feature("abstract nouns");
const endings = new HashTable([
  ...endingFeatures,
  ...ABSTRACT_ENDINGS.map((ending): [number, number] => [endingHash(ending), abstractWord]),
]);
const marks = new HashTable([...MARK_HASHES].map(([mark, hash]) => [hash, feature(`mark ${mark}`)]));
const quotation = marks.get(MARK_HASHES.get('"')!)!;

const sentence = feature("sentences");
const sentenceLength = features(LENGTH_STEPS, (step) => `sentences of length step ${step}`);
const speechLength = features(SPEECH_STEPS, (step) => `sentences with speech of length step ${step}`);
const paragraph = feature("paragraphs");
const speech = feature("sentences with speech");
const speechWords = feature("words in sentences with speech");
const fragment = feature("fragments outside speech");
const sameOpening = feature("sentences that open like the one before");
const opening = (name: string, words: string): [number, number][] => {
  const index = feature(name);
  return words.split(" ").map((word) => [hashOf(word), index]);
};
const openings = new HashTable([
  ...opening("sentences that open with an article", "the a an"),
  ...opening("sentences that open with a conjunction", "and but so then yet or"),
  ...opening("sentences that open with a pronoun", "he she they him her his their them"),
]);
const openingGerund = feature("sentences that open in -ing");
const openingAdverb = feature("sentences that open in -ly");
const GERUND = endingHash("ing");
const ADVERB = endingHash("ly");
/** Shared by all texts, one after the other. */
const seen = new RecentlySeen(TRIPLE_SPAN);

/** Features of how a text is written, not what it is about. Each is counted in the sentence where it occurs. */
export const STYLE_FEATURES: readonly string[] = names;

/** `counts[s * STYLE_FEATURES.length + f]`: how often feature `f` occurs in sentence `s`. */
export function countStyle(prose: ScannedProse, wordRarity: WordRarity): Float32Array {
  const width = STYLE_FEATURES.length;
  const counts = new Float32Array(prose.sentenceCount * width);
  let openingBefore = 0;
  seen.forget();
  for (let s = 0; s < prose.sentenceCount; s++) {
    const own = counts.subarray(s * width, (s + 1) * width);
    countTokens(prose, s, wordRarity, own);
    countRepetitions(prose, s, own);
    const opener = firstWord(prose, s);
    countSentence(prose, s, opener, own);
    if (opener !== 0 && opener === openingBefore) count(own, sameOpening);
    openingBefore = opener;
  }
  return counts;
}

function count(counts: Float32Array, index: number, amount = 1): void {
  counts[index] = counts[index]! + amount;
}

/** Counts properties of single words and marks. */
function countTokens(prose: ScannedProse, s: number, wordRarity: WordRarity, counts: Float32Array): void {
  const { tokens, traits, shapes } = prose;
  const end = prose.firstToken[s + 1]!;
  for (let t = prose.firstToken[s]!; t < end; t++) {
    const token = tokens[t]!;
    const trait = traits[t]!;
    const letters = trait & LETTERS;
    if (letters === 0) {
      const mark = token === NUMBER ? number : marks.get(token);
      if (mark !== undefined) count(counts, mark);
    } else if (token === NAME) count(counts, name);
    else {
      count(counts, wordLength + Math.min(letters, LONGEST_WORD) - 1);
      if (trait & CONTRACTED) count(counts, contraction);
      if (trait & FUNCTION_WORD) count(counts, functionWord);
      else {
        count(counts, rarity + wordRarity(token));
        const ending = endings.get(shapes[t]!);
        if (ending !== undefined) count(counts, ending);
      }
      const own = classes.get(token);
      if (own !== undefined) for (const index of own) count(counts, index);
    }
  }
}

/**
 * Counts words, pairs and triples that occurred shortly before. In a separate loop because its calls would not be
 * inlined in a common one.
 */
function countRepetitions(prose: ScannedProse, s: number, counts: Float32Array): void {
  const { tokens, traits } = prose;
  const end = prose.firstToken[s + 1]!;
  let previous = 0;
  let previousPair = 0;
  for (let t = prose.firstToken[s]!; t < end; t++) {
    const token = tokens[t]!;
    const trait = traits[t]!;
    if ((trait & LETTERS) === 0) continue;
    seen.nextWord();
    if (token !== NAME && (trait & FUNCTION_WORD) === 0) {
      const distance = seen.distance(token);
      if (distance <= ECHO_SPAN) count(counts, echo);
      if (distance <= WORD_SPAN) count(counts, repeatedWord);
    }
    const pair = previous === 0 ? 0 : joined(previous, token);
    if (pair !== 0 && seen.distance(pair) <= PAIR_SPAN) count(counts, repeatedPair);
    if (previousPair !== 0 && seen.distance(joined(previousPair, token)) <= TRIPLE_SPAN) count(counts, repeatedTriple);
    previousPair = pair;
    previous = token;
  }
}

/** The first word that is no name, or 0. */
function firstWord({ tokens, traits, firstToken }: ScannedProse, s: number): number {
  for (let t = firstToken[s]!; t < firstToken[s + 1]!; t++) {
    if ((traits[t]! & LETTERS) !== 0 && tokens[t] !== NAME) return tokens[t]!;
  }
  return 0;
}

/** Counts properties of the whole sentence. */
function countSentence(prose: ScannedProse, s: number, opener: number, counts: Float32Array): void {
  const words = prose.words[s]!;
  const step = lengthStep(words);
  count(counts, sentence);
  count(counts, sentenceLength + step);
  if (prose.opensParagraph[s]) count(counts, paragraph);
  if (counts[quotation]! > 0) {
    count(counts, speech);
    count(counts, speechWords, words);
    count(counts, speechLength + Math.min(step >> 1, SPEECH_STEPS - 1));
  } else if (words <= 3) count(counts, fragment);
  const openingClass = openings.get(opener);
  if (openingClass !== undefined) count(counts, openingClass);
  const shape = prose.shapes[prose.firstToken[s]!]!;
  if (shape === GERUND) count(counts, openingGerund);
  if (shape === ADVERB) count(counts, openingAdverb);
}

/** Half-octaves of sentence length: 1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64 words and more. */
function lengthStep(words: number): number {
  return Math.min(Math.floor(Math.log2(Math.max(words, 1)) * 2), LENGTH_STEPS - 1);
}
