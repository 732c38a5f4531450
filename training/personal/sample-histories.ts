import { type Random, shuffled } from "../../src/core/random.ts";
import type { ReviewTable } from "./training-data.ts";

/** Rows of the table: the reviews that are known and the one that is asked about. */
export interface SampledPair {
  readonly reader: number;
  readonly history: readonly number[];
  readonly query: number;
}

export function rowsByReader(table: ReviewTable, rows: Iterable<number>): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const row of rows) {
    const reader = table.reader[row]!;
    const group = groups.get(reader);
    if (group) group.push(row);
    else groups.set(reader, [row]);
  }
  return groups;
}

/**
 * A few much-read books would decide everything: one with more pairs than this many times the average book's has the rest
 * of its weight taken away. Tighter caps were measured and are worse, on capped pairs too (evals/personal.md).
 */
export const BOOK_CAP = 3;

/** A weight for each pair, so that no book's pairs weigh more than the cap together. */
export function capWeights(table: ReviewTable, pairs: readonly SampledPair[]): Float64Array {
  const counts = new Map<number, number>();
  for (const { query } of pairs) counts.set(table.book[query]!, (counts.get(table.book[query]!) ?? 0) + 1);
  const cap = (BOOK_CAP * pairs.length) / counts.size;
  return Float64Array.from(pairs, ({ query }) => Math.min(1, cap / counts.get(table.book[query]!)!));
}

interface Sampling {
  /** Readers of fewer reviews are left out. */
  readonly minimum: number;
  readonly perReader: number;
  readonly random: Random;
}

/**
 * From each reader of at least `minimum` reviews, some pairs, each with another query and 1 to `longest` reviews before it: as many
 * with 1 to 3 as with 4 to 15 or with 16 to 63, as far as the reader's reviews go.
 */
export function sampleTrainingPairs(
  table: ReviewTable,
  rows: Iterable<number>,
  options: Sampling & { readonly longest: number },
): SampledPair[] {
  return samplePairs(table, rows, options, (others) =>
    Math.floor((Math.min(options.longest, others) + 1) ** options.random()),
  );
}

/** Pairs for testing: each reader's first few reviews in turn are asked about, with exactly `length` others known. */
export function sampleTestPairs(
  table: ReviewTable,
  rows: Iterable<number>,
  options: Sampling & { readonly length: number },
): SampledPair[] {
  return samplePairs(table, rows, options, () => options.length);
}

function samplePairs(
  table: ReviewTable,
  rows: Iterable<number>,
  { minimum, perReader, random }: Sampling,
  lengthOf: (others: number) => number,
): SampledPair[] {
  const pairs: SampledPair[] = [];
  for (const [reader, group] of rowsByReader(table, rows)) {
    if (group.length < minimum) continue;
    for (const query of shuffled(group, random).slice(0, perReader)) {
      const others = shuffled(
        group.filter((row) => row !== query),
        random,
      );
      pairs.push({ reader, query, history: others.slice(0, lengthOf(others.length)) });
    }
  }
  return pairs;
}
