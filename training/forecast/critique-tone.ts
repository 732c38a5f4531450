import { fitRidge } from "../../src/stats/index.ts";

/** A critique with the stars its reader gave the book. */
export interface RatedCritique {
  readonly text: string;
  readonly rating: number;
}

/** The rating that readers give who write of an aspect as this critique does. */
export type ToneReader = (critique: string) => number;

const FEWEST_CRITIQUES = 12;
const PENALTY = 1;

/**
 * Learns what words on an aspect go with which stars: a ridge regression from the words and pairs of words of a critique to
 * the rating of the review it stands in.
 */
export function learnTone(critiques: readonly RatedCritique[]): ToneReader {
  const vocabulary = frequentTerms(critiques);
  const offsets = new Uint32Array(critiques.length + 1);
  const indices: number[] = [];
  const values: number[] = [];
  critiques.forEach(({ text }, row) => {
    const terms = knownTerms(text, vocabulary);
    const value = 1 / Math.sqrt(terms.length || 1);
    for (const term of terms) {
      indices.push(term);
      values.push(value);
    }
    offsets[row + 1] = indices.length;
  });
  const matrix = {
    rows: critiques.length,
    columns: vocabulary.size,
    offsets,
    indices: Uint32Array.from(indices),
    values: Float32Array.from(values),
  };
  const { weights, intercepts } = fitRidge(
    matrix,
    Float64Array.from(critiques, ({ rating }) => rating),
    1,
    { penalty: PENALTY, tolerance: 1e-3, maximumIterations: 60 },
  );
  return (critique) => {
    const terms = knownTerms(critique, vocabulary);
    const sum = terms.reduce((total, term) => total + weights[term]!, 0);
    return intercepts[0]! + sum / Math.sqrt(terms.length || 1);
  };
}

function frequentTerms(critiques: readonly RatedCritique[]): Map<string, number> {
  const frequency = new Map<string, number>();
  for (const { text } of critiques) {
    for (const term of new Set(termsOf(text))) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  }
  const frequent = [...frequency].filter(([, count]) => count >= FEWEST_CRITIQUES).map(([term]) => term);
  return new Map(frequent.sort().map((term, position) => [term, position]));
}

function knownTerms(text: string, vocabulary: ReadonlyMap<string, number>): number[] {
  const positions = new Set<number>();
  for (const term of termsOf(text)) {
    const position = vocabulary.get(term);
    if (position !== undefined) positions.add(position);
  }
  return [...positions];
}

/** Words and pairs of neighbours: "not" alone says little, "not believable" says much. */
function termsOf(text: string): string[] {
  const words =
    text
      .replaceAll("’", "'")
      .toLowerCase()
      .match(/[\p{L}']+/gu) ?? [];
  return [...words, ...words.slice(1).map((word, position) => `${words[position]} ${word}`)];
}
