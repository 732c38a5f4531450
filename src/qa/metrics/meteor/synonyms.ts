import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { assetPath } from "../../../core/assets.ts";

/** The single words that share a meaning with a word in WordNet, in lower case; the word itself is among them. */
export type Synonyms = (word: string) => ReadonlySet<string>;

/** What WordNet knows of nouns, or verbs, or adjectives, or adverbs. */
interface PartOfSpeech {
  /** The sets a word stands in, each a line of words; `^` marks what WordNet writes with a capital. */
  readonly sets: ReadonlyMap<string, readonly string[]>;
  /** Other words, marked in the same way. */
  readonly others: ReadonlySet<string>;
  readonly irregular: ReadonlyMap<string, readonly string[]>;
  readonly endings: Endings;
}

type Endings = readonly (readonly [ending: string, replacement: string])[];

/** WordNet's rules of detachment (morphy), in the order of the sections of the file. */
const ENDINGS: readonly Endings[] = [
  [
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
  [
    ["s", ""],
    ["ies", "y"],
    ["es", "e"],
    ["es", ""],
    ["ed", "e"],
    ["ed", ""],
    ["ing", "e"],
    ["ing", ""],
  ],
  [
    ["er", ""],
    ["est", ""],
    ["er", "e"],
    ["est", "e"],
  ],
  [],
];

/** WordNet has no longer word; detaching the endings of a page without spaces would take for ever. */
const LONGEST_WORD = 64;

let loading: Promise<Synonyms> | undefined;

/** Loaded once, when first asked for: the words that ship in `assets/wordnet` (its card says how they were made). */
export function loadSynonyms(): Promise<Synonyms> {
  loading ??= readFile(assetPath("wordnet", "synonyms.txt.gz"))
    .then((packed) => promisify(gunzip)(packed))
    .then((text) => synonymsFrom(text.toString("utf8")));
  return loading;
}

/** Blocks of four per part of speech: its name, sets of synonyms, words without any, irregular forms. */
export function synonymsFrom(text: string): Synonyms {
  const blocks = text.split("\n~\n");
  const parts = ENDINGS.map((endings, index) => readPart(blocks.slice(4 * index, 4 * index + 4), endings));
  const remembered = new Map<string, ReadonlySet<string>>();
  return (word) => {
    let found = remembered.get(word);
    if (found === undefined) {
      found = lookUp(word, parts);
      remembered.set(word, found);
    }
    return found;
  };
}

function readPart([, sets = "", lone = "", irregular = ""]: readonly string[], endings: Endings): PartOfSpeech {
  const setsOf = new Map<string, string[]>();
  const others = new Set(lone.split(" "));
  for (const line of sets.split("\n")) {
    for (const member of line.split(" ")) {
      const word = member.startsWith("^") ? member.slice(1) : member;
      const lines = setsOf.get(word);
      if (lines) lines.push(line);
      else setsOf.set(word, [line]);
    }
  }
  const bases = irregular.split("\n").map((line) => line.split(" "));
  return { sets: setsOf, others, irregular: new Map(bases.map(([form, ...base]) => [form!, base])), endings };
}

function lookUp(word: string, parts: readonly PartOfSpeech[]): ReadonlySet<string> {
  const found = new Set([word]);
  if (word.length > LONGEST_WORD) return found;
  for (const part of parts) {
    for (const base of baseForms(word, part)) {
      if (part.others.has(base)) found.add(base);
      for (const line of part.sets.get(base) ?? []) {
        for (const member of line.split(" ")) if (!member.startsWith("^")) found.add(member);
      }
    }
  }
  return found;
}

/** Irregular forms as listed; else the word and what its endings leave, detached again until something is known. */
function baseForms(word: string, part: PartOfSpeech): string[] {
  const isKnown = (form: string) => part.sets.has(form) || part.others.has(form) || part.others.has(`^${form}`);
  const irregular = part.irregular.get(word);
  if (irregular) return [word, ...irregular].filter(isKnown);
  let forms = detached([word], part.endings);
  const found = [word, ...forms].filter(isKnown);
  while (found.length === 0 && forms.length > 0) {
    forms = detached(forms, part.endings);
    found.push(...forms.filter(isKnown));
  }
  return found;
}

function detached(forms: readonly string[], endings: Endings): string[] {
  return [
    ...new Set(
      forms.flatMap((form) =>
        endings
          .filter(([ending]) => form.endsWith(ending))
          .map(([ending, rest]) => form.slice(0, form.length - ending.length) + rest),
      ),
    ),
  ];
}
