import { readFile } from "node:fs/promises";
import { assetPath } from "../../../core/assets.ts";
import { type AnswerMetric, memoised, metricFrom } from "../metric.ts";
import { porterStem } from "./porter-stem.ts";

/** The single words that share a meaning with a word in WordNet, in lower case, including the word itself. */
type Synonyms = (word: string) => ReadonlySet<string>;

/** The parts of speech, by their marks in the file, with WordNet's detachment rules (morphy). */
const PARTS: Readonly<Record<string, Endings>> = {
  "=n": [
    ["s", ""],
    ["ses", "s"],
    ["ves", "f"],
    ["xes", "x"],
    ["zes", "z"],
    ["ches", "ch"],
    ["shes", "sh"],
    ["men", "man"],
    ["ies", "y"],
  ],
  "=v": [
    ["s", ""],
    ["ies", "y"],
    ["es", "e"],
    ["es", ""],
    ["ed", "e"],
    ["ed", ""],
    ["ing", "e"],
    ["ing", ""],
  ],
  "=a": [
    ["er", ""],
    ["est", ""],
    ["er", "e"],
    ["est", "e"],
  ],
  "=r": [],
};

type Endings = readonly (readonly [ending: string, replacement: string])[];

/** The contents of a word's line, by part of speech. */
type Entry = Readonly<Record<string, readonly string[]>>;
type Dictionary = (word: string) => Entry;

/** No word in WordNet is longer; a text without spaces would take far too long. */
const LONGEST_WORD = 64;

let loading: Promise<Synonyms> | undefined;

/** Loaded once, when first needed, from `assets/wordnet` (its card says how the file was made). */
export function loadSynonyms(): Promise<Synonyms> {
  loading ??= readFile(assetPath("wordnet", "synonyms.txt"), "latin1").then(synonymsFrom);
  return loading;
}

function synonymsFrom(text: string): Synonyms {
  const [words, irregular] = text.trimEnd().split("\n~\n").map(dictionaryOf);
  return memoised((word) => lookUp(word, words!, irregular!));
}

/** Reads lines that consist of a word and, after the mark of each part of speech, other words. */
function dictionaryOf(lines: string): Dictionary {
  return memoised((word) => {
    const entry: Record<string, string[]> = {};
    let current: string[] = [];
    for (const field of sortedLine(lines, word)?.slice(1) ?? []) {
      if (field.startsWith("=")) {
        current = [];
        entry[field] = current;
      } else current.push(field);
    }
    return entry;
  });
}

function lookUp(word: string, words: Dictionary, irregular: Dictionary): ReadonlySet<string> {
  const found = new Set([word]);
  if (word.length > LONGEST_WORD) return found;
  for (const [part, endings] of Object.entries(PARTS)) {
    const isKnown = (form: string) => words(form)[part] !== undefined;
    for (const base of baseForms(word, endings, irregular(word)[part], isKnown)) {
      const synonyms = words(base)[part]!;
      if (!synonyms.includes("^")) found.add(base);
      for (const synonym of synonyms) found.add(synonym);
    }
  }
  return found;
}

/** Listed irregular forms; otherwise removes endings until a known word is left. */
function baseForms(
  word: string,
  endings: Endings,
  irregular: readonly string[] | undefined,
  isKnown: (form: string) => boolean,
): string[] {
  if (irregular) return [word, ...irregular].filter(isKnown);
  let forms = detached([word], endings);
  let found = [word, ...forms].filter(isKnown);
  while (found.length === 0 && forms.length > 0) {
    forms = detached(forms, endings);
    found = forms.filter(isKnown);
  }
  return found;
}

function detached(forms: readonly string[], endings: Endings): string[] {
  const shorter = forms.flatMap((form) =>
    endings
      .filter(([ending]) => form.endsWith(ending))
      .map(([ending, replacement]) => form.slice(0, form.length - ending.length) + replacement),
  );
  return [...new Set(shorter)];
}

/**
 * The line whose first word is `word`, split at its spaces, from lines sorted by first word; null when there is none.
 * A binary search in the text takes a few microseconds and needs no index.
 */
export function sortedLine(text: string, word: string): string[] | null {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const start = middle === 0 ? 0 : text.lastIndexOf("\n", middle - 1) + 1;
    const next = text.indexOf("\n", middle);
    const end = next < 0 ? text.length : next;
    const space = text.indexOf(" ", start);
    const first = text.slice(start, space < 0 || space > end ? end : space);
    if (first === word) return text.slice(start, end).split(" ");
    if (first < word) low = end + 1;
    else high = start;
  }
  return null;
}

/**
 * Splits English like NLTK's `word_tokenize`: sentences first, then the conventions of the Penn Treebank, so that
 * "doesn't" is "does" + "n't", "John's" is "John" + "'s", and a full stop is a word of its own only at the end of a
 * sentence.
 */
export function treebankWords(text: string): string[] {
  return sentences(text).flatMap(wordsOfSentence);
}

/**
 * Abbreviations whose full stop does not end a sentence. NLTK learns such a list from newspapers; this one is our
 * own.
 */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  (
    "mr mrs ms messrs mme mlle dr st ste prof rev revd hon esq jr sr gen col maj capt lt sgt cpl adm cmdr gov sen rep pres " +
    "supt insp vs etc vol co corp inc ltd bros mt ft ave jan feb aug sept oct nov dec e.g i.e cf viz u.s u.k u.n a.m p.m " +
    "b.c a.d ph.d m.d b.a m.a d.c"
  ).split(" "),
);

const STOP = /\.["'’”)\]]*\s+(?=\S)/g;

/** Only full stops matter here: question and exclamation marks are always words of their own. */
function sentences(text: string): string[] {
  const found: string[] = [];
  let start = 0;
  let wordStart = 0;
  for (const stop of text.matchAll(STOP)) {
    const lastWord = text.slice(wordStart, stop.index).split(/\s/).at(-1)!;
    wordStart = stop.index + stop[0].length;
    if (!endsSentence(lastWord)) continue;
    found.push(text.slice(start, wordStart));
    start = wordStart;
  }
  found.push(text.slice(start));
  return found;
}

function endsSentence(lastWord: string): boolean {
  const word = lastWord.replace(/^["'‘“([]+/, "").toLowerCase();
  const initial = /^\p{L}$/u.test(word);
  return word !== "" && !initial && !word.endsWith(".") && !ABBREVIATIONS.has(word);
}

/** Applied in order: each rule sees the result of those before it. Word and digit are Unicode's, as in Python. */
const SEPARATIONS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/[«“‘„]|`+/g, " $& "],
  [/^"/, "`` "],
  [/([ ([{<])(?:"|'')/g, "$1 `` "],
  [/'(?!re|ve|ll|m|t|s|d|n)([\p{L}\p{N}_])(?![\p{L}\p{N}_])/giu, "' $1"],
  [/([:,])(\P{Nd})/gu, " $1 $2"],
  [/[:,]$/, " $& "],
  [/\.{2,}/g, " $& "],
  [/[;@#$%&?!]/g, " $& "],
  [/([^'])' /g, "$1 ' "],
  [/[*()[\]{}<>]/g, " $& "],
  [/--/g, " -- "],
];

/** These patterns need a space after them, so they run on a text that ends in one. */
const CLITICS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/[»”’]/g, " $& "],
  [/''|"/g, " '' "],
  [/([^' ])('[sSmMdD]|') /g, "$1 $2 "],
  [/([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) /g, "$1 $2 "],
  [
    /(?<![\p{L}\p{N}_])(can(?=not)|d(?='ye)|gim(?=me)|gon(?=na)|got(?=ta)|lem(?=me)|more(?='n))(not|'ye|me|na|ta|'n)(?![\p{L}\p{N}_])/giu,
    " $1 $2 ",
  ],
  [/(?<![\p{L}\p{N}_])(wan)(na)(?=\s)/giu, " $1 $2 "],
  [/ ('t)(is|was)(?![\p{L}\p{N}_])/giu, " $1 $2 "],
];

/** Texts in which nothing needs to be separated. */
const PLAIN = /^[A-Za-z0-9 ]*$/;
const JOINED = /cannot|gimme|gonna|gotta|lemme|wanna/i;

function wordsOfSentence(sentence: string): string[] {
  const spaced = withFinalStopApart(sentence.trimEnd());
  const plain = spaced.endsWith(" . ") ? spaced.slice(0, -3) : spaced;
  if (PLAIN.test(plain) && !JOINED.test(plain)) return split(spaced);
  let text = spaced;
  for (const [pattern, replacement] of SEPARATIONS) text = text.replace(pattern, replacement);
  text = ` ${text} `;
  for (const [pattern, replacement] of CLITICS) text = text.replace(pattern, replacement);
  return split(text);
}

function split(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

/** In "said." and `said."` the final stop becomes a word of its own; in "..." it does not. */
function withFinalStopApart(sentence: string): string {
  let stop = sentence.length - 1;
  while (stop > 0 && "])}>\"'»”’ ".includes(sentence[stop]!)) stop--;
  if (stop < 1 || sentence[stop] !== "." || sentence[stop - 1] === ".") return sentence;
  return `${sentence.slice(0, stop)} . ${sentence.slice(stop + 1)}`;
}

/** The weights of Lavie and Agarwal (2007), NLTK's defaults: recall counts nine times as much as precision. */
const ALPHA = 0.9;
const BETA = 3;
const GAMMA = 0.5;

/**
 * METEOR (Banerjee and Lavie, 2005) as in NLTK 3.8. Words are split by `treebankWords`, lower-cased, and aligned in
 * three stages, each on what the previous one left: same word, same stem, synonym in WordNet. Every stage goes
 * through the prediction from its end and takes the last matching word of the reference. The third stage compares
 * *stems*, as NLTK does, so a word finds synonyms only if its stem is itself a word. With m matches: P = m ÷ words
 * predicted, R = m ÷ words expected, F = P·R ÷ (0.9·P + 0.1·R), and the score is F · (1 − 0.5 · (chunks ÷ m)³), where
 * a chunk is a run of matches that are adjacent and in order on both sides.
 */
export async function loadMeteor(): Promise<AnswerMetric> {
  const synonyms = await loadSynonyms();
  const stem = memoised(porterStem);
  return metricFrom<readonly string[]>({
    id: "meteor",
    name: "METEOR",
    seesLatinOnly: true,
    read: (text) => treebankWords(text).map((word) => word.toLowerCase()),
    compare: (prediction, reference) => score(align(prediction, reference, stem, synonyms), reference.length),
  });
}

function score(partners: Int32Array, referenceLength: number): number {
  const matches = partners.filter((partner) => partner >= 0).length;
  if (matches === 0) return 0;
  const precision = matches / partners.length;
  const recall = matches / referenceLength;
  const mean = (precision * recall) / (ALPHA * precision + (1 - ALPHA) * recall);
  return (1 - GAMMA * (countChunks(partners) / matches) ** BETA) * mean;
}

/** For each predicted word, the position of its partner in the reference, or −1. */
function align(
  prediction: readonly string[],
  reference: readonly string[],
  stem: (word: string) => string,
  synonyms: Synonyms,
): Int32Array {
  const partners = new Int32Array(prediction.length).fill(-1);
  const taken = new Uint8Array(reference.length);
  const stage = (predicted: readonly string[], expected: readonly string[], partnersOf: Synonyms | null) => {
    for (let index = predicted.length - 1; index >= 0; index--) {
      if (partners[index]! >= 0) continue;
      const word = predicted[index]!;
      const others = partnersOf?.(word);
      for (let candidate = expected.length - 1; candidate >= 0; candidate--) {
        if (taken[candidate]) continue;
        if (others ? !others.has(expected[candidate]!) : word !== expected[candidate]) continue;
        partners[index] = candidate;
        taken[candidate] = 1;
        break;
      }
    }
  };
  stage(prediction, reference, null);
  if (!partners.includes(-1) || !taken.includes(0)) return partners;
  const predictedStems = prediction.map(stem);
  const expectedStems = reference.map(stem);
  stage(predictedStems, expectedStems, null);
  if (taken.includes(0)) stage(predictedStems, expectedStems, synonyms);
  return partners;
}

function countChunks(partners: Int32Array): number {
  let chunks = 0;
  for (let index = 0; index < partners.length; index++) {
    if (partners[index]! < 0) continue;
    const continues = index > 0 && partners[index - 1]! >= 0 && partners[index] === partners[index - 1]! + 1;
    if (!continues) chunks++;
  }
  return chunks;
}
