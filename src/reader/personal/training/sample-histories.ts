import { type Random, randomInteger, shuffled } from "../../../core/random.ts";
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

/** From each reader of at least `minimum` reviews, some pairs, each with another query and 1 to 5 reviews before it. */
export function sampleTrainingPairs(
  table: ReviewTable,
  rows: Iterable<number>,
  options: { readonly minimum: number; readonly perReader: number; readonly longest: number; readonly random: Random },
): SampledPair[] {
  const pairs: SampledPair[] = [];
  for (const [reader, group] of rowsByReader(table, rows)) {
    if (group.length < options.minimum) continue;
    for (const query of shuffled(group, options.random).slice(0, options.perReader)) {
      const others = shuffled(
        group.filter((row) => row !== query),
        options.random,
      );
      const length = 1 + randomInteger(options.random, Math.min(options.longest, others.length));
      pairs.push({ reader, query, history: others.slice(0, length) });
    }
  }
  return pairs;
}

/** Pairs for testing: each reader's first few reviews in turn are asked about, with exactly `length` others known. */
export function sampleTestPairs(
  table: ReviewTable,
  rows: Iterable<number>,
  options: { readonly length: number; readonly minimum: number; readonly perReader: number; readonly random: Random },
): SampledPair[] {
  const pairs: SampledPair[] = [];
  for (const [reader, group] of rowsByReader(table, rows)) {
    if (group.length < options.minimum) continue;
    for (const query of shuffled(group, options.random).slice(0, options.perReader)) {
      const others = shuffled(
        group.filter((row) => row !== query),
        options.random,
      );
      pairs.push({ reader, query, history: others.slice(0, options.length) });
    }
  }
  return pairs;
}
