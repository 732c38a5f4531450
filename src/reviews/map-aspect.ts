import type { Rubric } from "../criteria/rubric.ts";
import type { AspectVocabulary } from "./aspect-vocabulary.ts";

const FILLERS = new Set([
  "the",
  "a",
  "an",
  "of",
  "and",
  "in",
  "to",
  "for",
  "its",
  "overall",
  "general",
  "book",
  "novel",
]);

/**
 * One spelling for the many ways a name is written: lower case, no punctuation, no filler words, singulars. "The
 * Book's Overall Pacing" and "pacing" are the same name.
 */
function normaliseName(name: string): string {
  const words = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/['’]s\b/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .split(" ");
  const telling = words.filter((word) => !FILLERS.has(word)).map(singular);
  return (telling.length > 0 ? telling : words).join(" ");
}

function singular(word: string): string {
  if (word.length < 4 || /(ss|us|is)$/.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

/** Where a free-text aspect belongs. */
export type AspectPlace =
  | {
      readonly kind: "aspect";
      /** One of the rubric's top-level aspects. */
      readonly aspect: string;
      /** The part of it that the name speaks of, or null for the aspect as a whole. */
      readonly part: string | null;
      readonly similarity: number;
    }
  /** Originality, content warnings, design, personal bias: said of books, but no aspect of the story. */
  | { readonly kind: "other"; readonly other: string; readonly similarity: number }
  | { readonly kind: "unmapped" };

export type AspectMapper = (name: string) => AspectPlace;

/** Below this similarity two names are no longer taken for one. */
const CLOSE_ENOUGH = 0.72;

/** Maps names by the vocabulary: the normalised name itself, or else the most similar one that is similar enough. */
export function aspectMapper(vocabulary: AspectVocabulary, rubric: Rubric): AspectMapper {
  const places = new Map<string, Exclude<AspectPlace, { kind: "unmapped" }>>();
  for (const [id, names] of Object.entries(vocabulary.aspects)) {
    const criterion = rubric.criteria.find((candidate) => candidate.id === id);
    if (!criterion) throw new RangeError(`the aspect vocabulary names "${id}", which is not in the rubric`);
    const { parent } = criterion;
    const place = { kind: "aspect", aspect: parent ?? id, part: parent ? id : null, similarity: 1 } as const;
    for (const name of [criterion.name, ...names]) places.set(normaliseName(name), place);
    // The id "writing-language" reads like the name "Writing and Language" of the whole, which comes first.
    if (!places.has(normaliseName(id))) places.set(normaliseName(id), place);
  }
  for (const [other, names] of Object.entries(vocabulary.others)) {
    for (const name of [other, ...names]) places.set(normaliseName(name), { kind: "other", other, similarity: 1 });
  }
  const remembered = new Map<string, AspectPlace>();
  return (name) => {
    const key = normaliseName(name);
    const known = places.get(key) ?? remembered.get(key);
    if (known) return known;
    const place = nearest(key, places);
    remembered.set(key, place);
    return place;
  };
}

function nearest(key: string, places: ReadonlyMap<string, Exclude<AspectPlace, { kind: "unmapped" }>>): AspectPlace {
  let best: AspectPlace = { kind: "unmapped" };
  let closest = CLOSE_ENOUGH;
  for (const [name, place] of places) {
    const similarity = nameSimilarity(key, name);
    if (similarity <= closest) continue;
    closest = similarity;
    best = { ...place, similarity };
  }
  return best;
}

/**
 * How alike two names are, 0–1: the Dice coefficient of their letter pairs (Sørensen, 1948), which forgives spelling and
 * word order, as in "depth of character" and "character depth".
 */
export function nameSimilarity(left: string, right: string): number {
  if (left === right) return 1;
  const pairs = letterPairs(left);
  const others = letterPairs(right);
  if (pairs.length === 0 || others.length === 0) return 0;
  const remaining = new Map<string, number>();
  for (const pair of others) remaining.set(pair, (remaining.get(pair) ?? 0) + 1);
  let shared = 0;
  for (const pair of pairs) {
    const count = remaining.get(pair) ?? 0;
    if (count === 0) continue;
    remaining.set(pair, count - 1);
    shared++;
  }
  return (2 * shared) / (pairs.length + others.length);
}

function letterPairs(name: string): string[] {
  return name.split(" ").flatMap((word) => Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2)));
}
