import type { Story } from "./story.ts";
import { wholeText } from "./story-space.ts";
import { countTerms, TermSpace, type TermTable } from "./term-space.ts";
import { pushWords, TermBuffer } from "./terms.ts";

export interface ContentVector {
  readonly terms: Uint32Array;
  readonly values: Float32Array;
}

/** A word in more than this share of the books says nothing about likeness. */
const COMMON_SHARE = 0.6;

/**
 * How alike two stories are in the words of their descriptions. A word never seen in training counts as the rarest of all:
 * two books that share such a word usually share a character, that is, a series.
 */
export class Likeness {
  readonly table: TermTable;
  private readonly space: TermSpace;
  private readonly common: TermSpace;
  private readonly unseenRarity: number;
  private readonly buffer = new TermBuffer();

  constructor(table: TermTable, commonTerms: Uint32Array) {
    this.table = table;
    this.space = new TermSpace(table);
    this.common = new TermSpace({
      documents: table.documents,
      terms: commonTerms,
      rarity: new Float32Array(commonTerms.length),
    });
    this.unseenRarity = Math.log(1 + table.documents) + 1;
  }

  get commonTerms(): Uint32Array {
    return this.common.table.terms;
  }

  static fit(stories: readonly Story[]): Likeness {
    const buffer = new TermBuffer();
    const termsOf = (index: number) => {
      pushWords(wholeText(stories[index]!), buffer.clear(), false);
      return buffer.view();
    };
    const all = countTerms(stories.length, termsOf, { minimumDocuments: 2 });
    const rare = countTerms(stories.length, termsOf, { minimumDocuments: 2, maximumShare: COMMON_SHARE });
    const kept = new Set(rare.terms);
    return new Likeness(
      rare,
      all.terms.filter((term) => !kept.has(term)),
    );
  }

  /** The position of a term in the table, or -1. */
  positionOf(term: number): number {
    return this.space.find(term);
  }

  vector(story: Story): ContentVector {
    pushWords(wholeText(story), this.buffer.clear(), false);
    const sorted = this.buffer.view().slice().sort();
    const terms: number[] = [];
    const values: number[] = [];
    let squares = 0;
    for (let start = 0, end = 0; start < sorted.length; start = end) {
      const term = sorted[start]!;
      while (end < sorted.length && sorted[end] === term) end++;
      const position = this.space.find(term);
      if (position < 0 && this.common.find(term) >= 0) continue;
      const rarity = position < 0 ? this.unseenRarity : this.table.rarity[position]!;
      const value = (1 + Math.log(end - start)) * rarity;
      terms.push(term);
      values.push(value);
      squares += value * value;
    }
    const norm = Math.sqrt(squares) || 1;
    return { terms: Uint32Array.from(terms), values: Float32Array.from(values, (value) => value / norm) };
  }
}

/** Null where either story has no words. */
export function wordLikeness(left: ContentVector, right: ContentVector): number | null {
  return left.terms.length > 0 && right.terms.length > 0 ? cosine(left, right) : null;
}

export function cosine(left: ContentVector, right: ContentVector): number {
  let sum = 0;
  let l = 0;
  let r = 0;
  while (l < left.terms.length && r < right.terms.length) {
    const leftTerm = left.terms[l]!;
    const rightTerm = right.terms[r]!;
    if (leftTerm === rightTerm) sum += left.values[l++]! * right.values[r++]!;
    else if (leftTerm < rightTerm) l++;
    else r++;
  }
  return sum;
}
