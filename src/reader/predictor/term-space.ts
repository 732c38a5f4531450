import { HashIndex } from "../../prose/hashing.ts";
import { TERM_BITS } from "./terms.ts";

/** Positions in ascending order of first appearance; values beside them. */
export interface SparseVector {
  readonly positions: Uint32Array;
  readonly values: Float32Array;
}

export interface TermTable {
  readonly documents: number;
  readonly terms: Uint32Array;
  /** Natural logarithm of how rare each term is, plus one: the usual smoothed inverse document frequency. */
  readonly rarity: Float32Array;
}

/** Which terms count, and how rare each is, learnt from documents given as lists of terms. */
export function countTerms(
  documents: number,
  termsOf: (document: number) => Uint32Array,
  limits: { readonly minimumDocuments: number; readonly maximumShare?: number },
): TermTable {
  // A slot per possible term; only the touched ones are ever written, so most of it never becomes memory.
  const counts = new Uint32Array(2 ** TERM_BITS);
  const touched: number[] = [];
  for (let document = 0; document < documents; document++) {
    let previous = -1;
    for (const term of termsOf(document).slice().sort()) {
      if (term === previous) continue;
      previous = term;
      if (counts[term] === 0) touched.push(term);
      counts[term]!++;
    }
  }
  const maximum = (limits.maximumShare ?? 1) * documents;
  const kept = Uint32Array.from(
    touched.filter((term) => counts[term]! >= limits.minimumDocuments && counts[term]! <= maximum),
  ).sort();
  const rarity = Float32Array.from(kept, (term) => Math.log((1 + documents) / (1 + counts[term]!)) + 1);
  return { documents, terms: kept, rarity };
}

/** Lists of terms → vectors of unit length: (1 + ln count) × rarity, terms that were never learnt left out. */
export class TermSpace {
  readonly size: number;
  readonly table: TermTable;
  private readonly index: HashIndex;
  private readonly counts: Uint32Array;
  private readonly touched: Uint32Array;

  constructor(table: TermTable) {
    this.table = table;
    this.size = table.terms.length;
    this.index = new HashIndex(table.terms);
    this.counts = new Uint32Array(this.size);
    this.touched = new Uint32Array(this.size);
  }

  /** The position of a term, or -1. */
  find(term: number): number {
    return this.index.find(term);
  }

  /** The sum of weights over the unit vector of these terms, without making the vector: half of what reading a story costs. */
  dot(terms: Uint32Array, weights: Float32Array, offset: number): number {
    const { counts, touched } = this;
    const { rarity } = this.table;
    const distinct = this.count(terms);
    let sum = 0;
    let squares = 0;
    for (let i = 0; i < distinct; i++) {
      const position = touched[i]!;
      const value = (1 + Math.log(counts[position]!)) * rarity[position]!;
      counts[position] = 0;
      sum += weights[offset + position]! * value;
      squares += value * value;
    }
    return squares > 0 ? sum / Math.sqrt(squares) : 0;
  }

  /** Fills `counts` and the beginning of `touched`; says how many different terms there are. */
  private count(terms: Uint32Array): number {
    const { counts, touched } = this;
    let distinct = 0;
    for (let i = 0; i < terms.length; i++) {
      const position = this.index.find(terms[i]!);
      if (position < 0) continue;
      if (counts[position] === 0) touched[distinct++] = position;
      counts[position]!++;
    }
    return distinct;
  }

  vector(terms: Uint32Array): SparseVector {
    const { counts, touched } = this;
    const distinct = this.count(terms);
    const positions = touched.slice(0, distinct);
    const values = new Float32Array(distinct);
    let squares = 0;
    for (let i = 0; i < distinct; i++) {
      const position = positions[i]!;
      const value = (1 + Math.log(counts[position]!)) * this.table.rarity[position]!;
      counts[position] = 0;
      values[i] = value;
      squares += value * value;
    }
    const norm = Math.sqrt(squares);
    if (norm > 0) for (let i = 0; i < distinct; i++) values[i] = values[i]! / norm;
    return { positions, values };
  }
}
