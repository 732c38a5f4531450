import { z } from "zod";
import { extent, sum } from "../stats/distribution.ts";
import type { SparseEntry } from "../stats/index.ts";
import type { FieldDesign } from "./forecast-design.ts";
import { type Field, fieldSchema, type KnownBook } from "./forecast-input.ts";

const WORD = /[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*/gu;

/** The words of a text in lower case, one spelling for each apostrophe. */
export function wordsIn(text: string): string[] {
  return text.replaceAll("’", "'").toLowerCase().match(WORD) ?? [];
}

/** What an empty list says: readers have put the book on no shelf. (No list at all says nothing.) */
const NO_GENRE = "(none listed)";

/** What counts as a term beside words and genres. */
export interface TermRules {
  readonly wordPairs: boolean;
  readonly emptyIsTerm: boolean;
}

/** How a book shows in one field: each term with how often it is there. A field that is not given has none. */
export function fieldTerms(book: KnownBook, field: Exclude<Field, "words">, rules: TermRules): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (term: string) => counts.set(term, (counts.get(term) ?? 0) + 1);
  if (field === "genres") {
    for (const genre of new Set(book.genres?.map((name) => wordsIn(name).join(" ")))) add(genre);
    if (rules.emptyIsTerm && book.genres?.length === 0) add(NO_GENRE);
    return counts;
  }
  const words = wordsIn(book[field] ?? "");
  words.forEach((word, place) => {
    add(word);
    if (rules.wordPairs && place > 0) add(`${words[place - 1]} ${word}`);
  });
  return counts;
}

/** How one field of a book becomes numbers: its terms with their inverse document frequency, or a place on a scale. */
export const fieldEncoderSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("terms"),
    field: fieldSchema.exclude(["words"]),
    terms: z.array(z.string()),
    /** A rare word says more; empty for genres, where each counts alike. */
    rarity: z.array(z.number()),
    /** Whether terms are pairs of neighbouring words too. */
    wordPairs: z.boolean(),
    /** Whether an empty list is a term of its own. */
    emptyIsTerm: z.boolean(),
  }),
  z.object({
    kind: z.literal("scale"),
    field: z.literal("words"),
    /** Of the logarithm of the length. Lengths beyond the range met in training are taken for its ends. */
    mean: z.number(),
    deviation: z.number().positive(),
    range: z.tuple([z.number(), z.number()]),
  }),
]);
export type FieldEncoder = z.infer<typeof fieldEncoderSchema>;

export function fitEncoder(field: Field, books: readonly KnownBook[], design: FieldDesign): FieldEncoder {
  if (field === "words") return fitScale(books);
  const frequency = new Map<string, number>();
  let given = 0;
  for (const book of books) {
    const terms = fieldTerms(book, field, design);
    if (terms.size > 0) given++;
    for (const term of terms.keys()) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  }
  const terms = [...frequency]
    .filter(([, count]) => count >= design.fewestBooks)
    .map(([term]) => term)
    .sort();
  const rarity = field === "genres" ? [] : terms.map((term) => Math.log((1 + given) / (1 + frequency.get(term)!)) + 1);
  const { wordPairs, emptyIsTerm } = design;
  return { kind: "terms", field, terms, rarity, wordPairs, emptyIsTerm };
}

function fitScale(books: readonly KnownBook[]): FieldEncoder {
  const lengths = books.flatMap(({ words }) => (words ? [words] : []));
  const logs = lengths.map(Math.log);
  const mean = sum(logs) / logs.length;
  const deviation = Math.sqrt(sum(logs.map((value) => (value - mean) ** 2)) / logs.length);
  return { kind: "scale", field: "words", mean, deviation, range: extent(lengths) };
}

/** `entries` is null when the field is not given, or when so little of it is recognised that it says nothing. */
export interface EncodedField {
  readonly entries: readonly SparseEntry[] | null;
  readonly unrecognised: boolean;
}

/** Most running words of an English text are in the vocabulary; of a text in another language a few are, by accident. */
const SMALLEST_SHARE = 0.5;
const TOO_SHORT_TO_TELL = 12;

/** Encodes many books with one encoder: the index of its terms is built once. */
export function fieldReader(encoder: FieldEncoder): (book: KnownBook) => EncodedField {
  if (encoder.kind === "scale") return (book) => ({ entries: onScale(book.words, encoder), unrecognised: false });
  const positions = new Map(encoder.terms.map((term, position) => [term, position]));
  return (book) => {
    const counts = fieldTerms(book, encoder.field, encoder);
    const entries: SparseEntry[] = [];
    let running = 0;
    let recognised = 0;
    for (const [term, count] of counts) {
      // Pairs of words are rare in every language: words alone tell which one it is.
      const tells = encoder.field === "genres" || !term.includes(" ");
      if (tells) running += count;
      const index = positions.get(term);
      if (index === undefined) continue;
      if (tells) recognised += count;
      const value = encoder.field === "genres" ? 1 : (1 + Math.log(count)) * encoder.rarity[index]!;
      entries.push({ index, value });
    }
    const foreign = running >= TOO_SHORT_TO_TELL && recognised < SMALLEST_SHARE * running && encoder.field !== "genres";
    if (entries.length === 0 || foreign) return { entries: null, unrecognised: running > 0 };
    return { entries: encoder.field === "genres" ? entries : toUnitLength(entries), unrecognised: false };
  };
}

function onScale(words: number | null | undefined, { mean, deviation, range }: FieldEncoder & { kind: "scale" }) {
  if (!words) return null;
  const clamped = Math.min(Math.max(words, range[0]), range[1]);
  return [{ index: 0, value: (Math.log(clamped) - mean) / deviation }];
}

function toUnitLength(entries: readonly SparseEntry[]): SparseEntry[] {
  const norm = Math.sqrt(sum(entries.map(({ value }) => value * value)));
  return entries.map(({ index, value }) => ({ index, value: value / norm }));
}

export function encoderWidth(encoder: FieldEncoder): number {
  return encoder.kind === "scale" ? 1 : encoder.terms.length;
}
