import { sum } from "../distribution/sum.ts";

export interface Label {
  readonly item: string;
  readonly rater: string;
  readonly label: string;
}

export interface DawidSkene {
  readonly labels: readonly string[];
  /** For each item, the chance of each label being the true one, in the order of `labels`. */
  readonly items: ReadonlyMap<string, readonly number[]>;
  /** For each rater, `confusion[true][given]`: the chance of giving a label when another is true. */
  readonly raters: ReadonlyMap<string, readonly (readonly number[])[]>;
  /** How common each label is. */
  readonly prevalence: readonly number[];
  readonly iterations: number;
}

const DEFAULTS = { iterations: 1000, tolerance: 1e-10 };

/**
 * Dawid and Skene (1979): what a panel believes when its members err in their own ways. Truth and error rates are
 * estimated in turn (EM) from the majority vote on. A rater may skip items and label one item more than once. Where a
 * rater never met a true label, the row of the confusion matrix is the prevalence of what was given at all. Use it to
 * combine labels when some raters are better than others.
 *
 * @example
 * ```ts
 * const votes = { r1: ["yes", "no", "yes"], r2: ["yes", "no", "yes"], r3: ["yes", "no", "no"] };
 * const labels = Object.entries(votes).flatMap(([rater, given]) =>
 *   given.map((label, page) => ({ item: `page ${page}`, rater, label })),
 * );
 * dawidSkene(labels).items.get("page 2"); // the chances of "no" and "yes": about [0, 1]
 * ```
 */
export function dawidSkene(
  given: readonly Label[],
  options: { readonly iterations?: number; readonly tolerance?: number } = {},
): DawidSkene {
  if (given.length === 0) throw new RangeError("a panel needs at least one label");
  const { iterations: limit, tolerance } = { ...DEFAULTS, ...options };
  const labels = [...new Set(given.map(({ label }) => label))].sort();
  const place = new Map(labels.map((label, index) => [label, index]));
  const votes = given.map(({ item, rater, label }) => ({ item, rater, given: place.get(label)! }));
  let beliefs = majority(votes, labels.length);
  let iterations = 0;
  for (;;) {
    const prevalence = averageBelief(beliefs, labels.length);
    const raters = confusions(votes, beliefs, labels.length);
    if (iterations >= limit) return { labels, items: beliefs, raters, prevalence, iterations };
    iterations++;
    const next = updated(votes, prevalence, raters);
    const change = largestChange(beliefs, next);
    beliefs = next;
    if (change < tolerance) {
      return {
        labels,
        items: beliefs,
        raters: confusions(votes, beliefs, labels.length),
        prevalence: averageBelief(beliefs, labels.length),
        iterations,
      };
    }
  }
}

interface Vote {
  readonly item: string;
  readonly rater: string;
  readonly given: number;
}
type Beliefs = Map<string, number[]>;

function majority(votes: readonly Vote[], size: number): Beliefs {
  const counts: Beliefs = new Map();
  for (const { item, given } of votes) {
    const row = entry(counts, item, () => new Array<number>(size).fill(0));
    row[given] = row[given]! + 1;
  }
  for (const [item, row] of counts) counts.set(item, normalised(row));
  return counts;
}

function averageBelief(beliefs: Beliefs, size: number): number[] {
  const totals = new Array<number>(size).fill(0);
  for (const belief of beliefs.values()) {
    belief.forEach((chance, label) => {
      totals[label] = totals[label]! + chance;
    });
  }
  return normalised(totals);
}

function confusions(votes: readonly Vote[], beliefs: Beliefs, size: number): Map<string, number[][]> {
  const counts = new Map<string, number[][]>();
  for (const { item, rater, given } of votes) {
    const rows = entry(counts, rater, () => Array.from({ length: size }, () => new Array<number>(size).fill(0)));
    beliefs.get(item)!.forEach((chance, truth) => {
      rows[truth]![given] = rows[truth]![given]! + chance;
    });
  }
  const overall = normalised(
    votes.reduce<number[]>((sums, { given }) => {
      sums[given] = sums[given]! + 1;
      return sums;
    }, new Array<number>(size).fill(0)),
  );
  for (const [rater, rows] of counts) {
    counts.set(
      rater,
      rows.map((row) => (row.some((count) => count > 0) ? normalised(row) : overall)),
    );
  }
  return counts;
}

/** In logarithms, so that a large panel does not underflow. */
function updated(votes: readonly Vote[], prevalence: readonly number[], raters: Map<string, number[][]>): Beliefs {
  const logs: Beliefs = new Map();
  for (const { item, rater, given } of votes) {
    const row = entry(logs, item, () => prevalence.map(Math.log));
    const confusion = raters.get(rater)!;
    row.forEach((log, truth) => {
      row[truth] = log + Math.log(confusion[truth]![given]!);
    });
  }
  for (const [item, row] of logs) {
    const highest = Math.max(...row);
    logs.set(item, normalised(row.map((log) => Math.exp(log - highest))));
  }
  return logs;
}

function largestChange(before: Beliefs, after: Beliefs): number {
  let largest = 0;
  for (const [item, row] of after) {
    row.forEach((chance, label) => {
      largest = Math.max(largest, Math.abs(chance - before.get(item)![label]!));
    });
  }
  return largest;
}

function normalised(weights: readonly number[]): number[] {
  const total = sum(weights);
  return weights.map((weight) => weight / total);
}

function entry<V>(map: Map<string, V>, key: string, create: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const created = create();
  map.set(key, created);
  return created;
}
