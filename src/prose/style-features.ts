import { hashOf, joined } from "./hashing.ts";
import { RecentlySeen } from "./recently-seen.ts";
import { MARK_HASHES, NAME, NUMBER } from "./scan-prose.ts";
import { CONTRACTED, FUNCTION_WORD, LETTERS, type ScannedProse } from "./scanned-prose.ts";
import { RARITY_BANDS, type WordRarity } from "./word-rarity.ts";
import { ABSTRACT_ENDINGS, endingHash } from "./word-shape.ts";

const LONGEST_WORD = 12;
const LENGTH_STEPS = 13;
const SPEECH_STEPS = 6;
/** How far back a repetition is noticed, in words: near enough to be heard, and less than a window. */
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
const classes = new Map<number, number[]>();
const wordClass = (name: string, words: string): void => {
  const index = feature(name);
  for (const word of words.split(" ")) classes.set(hashOf(word), [...(classes.get(hashOf(word)) ?? []), index]);
};

const wordLength = features(
  LONGEST_WORD,
  (step) => `words of ${step + 1}${step + 1 === LONGEST_WORD ? "+" : ""} letters`,
);
const rarity = features(RARITY_BANDS, (step) => `words of rarity ${step}`);
/** The first of the features that count words by rarity: the only ones that depend on other texts. */
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
const endings = new Map<number, number>([
  [endingHash("ing"), feature("words in -ing")],
  [endingHash("ed"), feature("words in -ed")],
  [endingHash("ly"), feature("words in -ly")],
]);
const abstractWord = feature("abstract nouns");
for (const ending of ABSTRACT_ENDINGS) endings.set(endingHash(ending), abstractWord);
const marks = new Map([...MARK_HASHES].map(([mark, hash]): [number, number] => [hash, feature(`mark ${mark}`)]));
const quotationMark = MARK_HASHES.get('"')!;

const sentence = feature("sentences");
const sentenceLength = features(LENGTH_STEPS, (step) => `sentences of length step ${step}`);
const speechLength = features(SPEECH_STEPS, (step) => `sentences with speech of length step ${step}`);
const paragraph = feature("paragraphs");
const speech = feature("sentences with speech");
const speechWords = feature("words in sentences with speech");
const fragment = feature("fragments outside speech");
const sameOpening = feature("sentences that open like the one before");
const openings = new Map<number, number>();
const opening = (name: string, words: string): void => {
  const index = feature(name);
  for (const word of words.split(" ")) openings.set(hashOf(word), index);
};
opening("sentences that open with an article", "the a an");
opening("sentences that open with a conjunction", "and but so then yet or");
opening("sentences that open with a pronoun", "he she they him her his their them");
const openingGerund = feature("sentences that open in -ing");
const openingAdverb = feature("sentences that open in -ly");

/** What is counted of how a text is written, as against what it is about. Each is counted in the sentence it stands in. */
export const STYLE_FEATURES: readonly string[] = names;

/** `counts[s * STYLE_FEATURES.length + f]`: how often feature `f` occurs in sentence `s`. */
export function countStyle(prose: ScannedProse, wordRarity: WordRarity): Float32Array {
  const width = STYLE_FEATURES.length;
  const counts = new Float32Array(prose.sentenceCount * width);
  const seen = new RecentlySeen();
  let place = 0;
  let openingBefore = 0;
  for (let s = 0; s < prose.sentenceCount; s++) {
    const base = s * width;
    const count = (index: number, amount = 1): void => {
      counts[base + index] = counts[base + index]! + amount;
    };
    let opener = 0;
    let previous = 0;
    let previousPair = 0;
    let speaks = false;
    for (let t = prose.firstToken[s]!; t < prose.firstToken[s + 1]!; t++) {
      const token = prose.tokens[t]!;
      const traits = prose.traits[t]!;
      const letters = traits & LETTERS;
      if (letters === 0) {
        const mark = token === NUMBER ? number : marks.get(token);
        if (mark !== undefined) count(mark);
        if (token === quotationMark) speaks = true;
        continue;
      }
      place++;
      if (token === NAME) count(name);
      else {
        opener ||= token;
        count(wordLength + Math.min(letters, LONGEST_WORD) - 1);
        if (traits & CONTRACTED) count(contraction);
        if (traits & FUNCTION_WORD) count(functionWord);
        else {
          count(rarity + wordRarity(token));
          const distance = seen.distance(token, place);
          if (distance <= ECHO_SPAN) count(echo);
          if (distance <= WORD_SPAN) count(repeatedWord);
          const ending = endings.get(prose.shapes[t]!);
          if (ending !== undefined) count(ending);
        }
        for (const index of classes.get(token) ?? []) count(index);
      }
      const pair = previous === 0 ? 0 : joined(previous, token);
      if (pair !== 0 && seen.distance(pair, place) <= PAIR_SPAN) count(repeatedPair);
      if (previousPair !== 0 && seen.distance(joined(previousPair, token), place) <= TRIPLE_SPAN) count(repeatedTriple);
      previousPair = pair;
      previous = token;
    }
    const words = prose.words[s]!;
    const step = lengthStep(words);
    count(sentence);
    count(sentenceLength + step);
    if (prose.opensParagraph[s]) count(paragraph);
    if (speaks) {
      count(speech);
      count(speechWords, words);
      count(speechLength + Math.min(step >> 1, SPEECH_STEPS - 1));
    } else if (words <= 3) count(fragment);
    if (opener !== 0 && opener === openingBefore) count(sameOpening);
    openingBefore = opener;
    const openingClass = openings.get(opener);
    if (openingClass !== undefined) count(openingClass);
    const openingShape = prose.shapes[prose.firstToken[s]!]!;
    if (openingShape === endingHash("ing")) count(openingGerund);
    if (openingShape === endingHash("ly")) count(openingAdverb);
  }
  return counts;
}

/** Half-octaves of sentence length: 1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64 words and more. */
function lengthStep(words: number): number {
  return Math.min(Math.floor(Math.log2(Math.max(words, 1)) * 2), LENGTH_STEPS - 1);
}
