import { readFile } from "node:fs/promises";
import { assetPath } from "../../../core/assets.ts";
import { memoised } from "../memoised.ts";
import { sortedLine } from "./sorted-lines.ts";

/** The single words that share a meaning with a word in WordNet, in lower case; the word itself is among them. */
export type Synonyms = (word: string) => ReadonlySet<string>;

/** The parts of speech, by their marks in the file, with WordNet's rules of detachment (morphy). */
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

/** What a line says of its word, by part of speech. */
type Entry = Readonly<Record<string, readonly string[]>>;
type Dictionary = (word: string) => Entry;

/** WordNet has no longer word; detaching the endings of a page without spaces would take far too long. */
const LONGEST_WORD = 64;

let loading: Promise<Synonyms> | undefined;

/** Loaded once, when first asked for, from `assets/wordnet` (its card says how the file was made). */
export function loadSynonyms(): Promise<Synonyms> {
  loading ??= readFile(assetPath("wordnet", "synonyms.txt"), "latin1").then(synonymsFrom);
  return loading;
}

function synonymsFrom(text: string): Synonyms {
  const [words, irregular] = text.trimEnd().split("\n~\n").map(dictionaryOf);
  return memoised((word) => lookUp(word, words!, irregular!));
}

/** Lines of a word and, after the mark of each part of speech, other words. */
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

/** Irregular forms as listed; else the word and what its endings leave, detached again until something is known. */
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
