import { sum, sumBy } from "./distribution.ts";
import { invertPositiveDefinite } from "./linear/positive-definite.ts";
import { normalCumulative, normalQuantile } from "./special/normal.ts";
import { notDefined, type UndefinedStatistic } from "./statistic.ts";

/** One meeting of two contestants. A tie counts as half a win for each. */
export interface Comparison {
  readonly left: string;
  readonly right: string;
  readonly outcome: "left" | "right" | "tie";
}

export interface Strength {
  readonly id: string;
  /** On the model's own scale; all strengths sum to zero. */
  readonly strength: number;
  readonly interval: readonly [number, number];
  readonly comparisons: number;
}

/** How a difference of strengths becomes a probability of winning, with the slope of that curve. */
export interface Link {
  chance(difference: number): number;
  slope(difference: number): number;
}

const logistic = (difference: number) => 1 / (1 + Math.exp(-difference));

/** The log-odds of a win is the difference of the strengths. */
export const LOGISTIC: Link = {
  chance: logistic,
  slope: (difference) => logistic(difference) * (1 - logistic(difference)),
};

const STEPS = 200;
const PRECISION = 1e-12;

/**
 * The most likely strengths under a link, by Fisher scoring, with normal intervals from the information matrix. They
 * exist only when no group of contestants won all its meetings with the rest (Ford, 1957); otherwise the result says
 * who stands apart.
 */
export function fitPairedComparisons(
  comparisons: readonly Comparison[],
  link: Link,
  level: number,
): readonly Strength[] | UndefinedStatistic {
  const ids = [...new Set(comparisons.flatMap(({ left, right }) => [left, right]))].sort();
  if (ids.length < 2) return notDefined("at least two contestants must have met");
  const wins = winMatrix(ids, comparisons);
  const apart = contestantApart(wins);
  if (apart !== null) {
    return notDefined(`no chain of wins and losses ties ${ids[apart]} to all the others: its strength has no bound`);
  }
  const { strengths, covariance } = likeliestStrengths(wins, link);
  const reach = normalQuantile(0.5 + level / 2);
  return ids.map((id, i) => {
    const strength = strengths[i]!;
    const half = reach * Math.sqrt(Math.max(0, covariance[i * ids.length + i]!));
    const met = sumBy(wins[i]!, (won, j) => won + wins[j]![i]!);
    return { id, strength, interval: [strength - half, strength + half], comparisons: met };
  });
}

/** Strengths of contestants in the order of a matrix of wins, and the inverse information, row by row. */
export interface FittedStrengths {
  readonly strengths: readonly number[];
  readonly covariance: Float64Array;
}

/** The most likely strengths for a matrix of wins that connects all contestants; `start` is the initial guess. */
export function likeliestStrengths(
  wins: readonly (readonly number[])[],
  link: Link,
  start: readonly number[] = wins.map(() => 0),
  precision = PRECISION,
): FittedStrengths {
  const size = wins.length;
  let strengths = [...start];
  for (let step = 0; step < STEPS; step++) {
    const { gradient, covariance } = scores(wins, strengths, link);
    const change = gradient.map((_, row) => sumBy(gradient, (pull, column) => covariance[row * size + column]! * pull));
    // A step that overshoots on lopsided data is limited to a length over which the approximation holds.
    const longest = Math.max(...change.map(Math.abs));
    const scale = longest > 2 ? 2 / longest : 1;
    strengths = strengths.map((strength, i) => strength + scale * change[i]!);
    if (longest < precision) break;
  }
  return { strengths, covariance: scores(wins, strengths, link).covariance };
}

function winMatrix(ids: readonly string[], comparisons: readonly Comparison[]): number[][] {
  const place = new Map(ids.map((id, index) => [id, index]));
  const wins = ids.map(() => ids.map(() => 0));
  for (const { left, right, outcome } of comparisons) {
    const a = place.get(left)!;
    const b = place.get(right)!;
    if (a === b) throw new RangeError(`"${left}" cannot meet itself`);
    const share = outcome === "tie" ? 0.5 : outcome === "left" ? 1 : 0;
    wins[a]![b] = wins[a]![b]! + share;
    wins[b]![a] = wins[b]![a]! + 1 - share;
  }
  return wins;
}

/** A contestant who cannot be reached from, or cannot reach, the first contestant along wins; null if all can. */
function contestantApart(wins: readonly (readonly number[])[]): number | null {
  const unreached = (edge: (from: number, to: number) => boolean) => {
    const reached = new Set([0]);
    // A set that grows during iteration is iterated to its end.
    for (const from of reached) for (let to = 0; to < wins.length; to++) if (edge(from, to)) reached.add(to);
    return wins.findIndex((_, id) => !reached.has(id));
  };
  const forward = unreached((from, to) => wins[from]![to]! > 0);
  const backward = unreached((from, to) => wins[to]![from]! > 0);
  return forward >= 0 ? forward : backward >= 0 ? backward : null;
}

/** The gradient of the log-likelihood and the inverse information on the plane of strengths that sum to zero. */
function scores(wins: readonly (readonly number[])[], strengths: readonly number[], link: Link) {
  const size = wins.length;
  const gradient = strengths.map(() => 0);
  const information = new Float64Array(size * size).fill(1 / size);
  const add = (row: number, column: number, weight: number) => {
    information[row * size + column] = information[row * size + column]! + weight;
  };
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < i; j++) {
      const meetings = wins[i]![j]! + wins[j]![i]!;
      if (meetings === 0) continue;
      const difference = strengths[i]! - strengths[j]!;
      const chance = link.chance(difference);
      const slope = link.slope(difference);
      const spread = chance * (1 - chance);
      const pull = ((wins[i]![j]! - meetings * chance) * slope) / spread;
      const weight = (meetings * slope * slope) / spread;
      gradient[i] = gradient[i]! + pull;
      gradient[j] = gradient[j]! - pull;
      add(i, i, weight);
      add(j, j, weight);
      add(i, j, -weight);
      add(j, i, -weight);
    }
  }
  const inverse = invertPositiveDefinite(information, size);
  if (!inverse) throw new RangeError("the strengths ran out of the range in which their curves can be told apart");
  return { gradient, covariance: inverse.map((entry) => entry - 1 / size) };
}

/**
 * Turns wins and losses between pairs into one strength per contestant, with intervals. Bradley and Terry (1952): the
 * log-odds of a win is the difference of the strengths.
 *
 * @example
 * ```ts
 * const outcomes = ["left", "left", "left", "right"] as const;
 * const strengths = bradleyTerry(outcomes.map((outcome) => ({ left: "A", right: "B", outcome })));
 * // A about 0.549, B about −0.549: odds of e^1.099 = 3 to 1
 * ```
 */
export function bradleyTerry(
  comparisons: readonly Comparison[],
  options: { readonly level?: number } = {},
): readonly Strength[] | UndefinedStatistic {
  return fitPairedComparisons(comparisons, LOGISTIC, options.level ?? 0.95);
}

export interface Label {
  readonly item: string;
  readonly rater: string;
  readonly label: string;
}

export interface DawidSkene {
  readonly labels: readonly string[];
  /** For each item, the probability of each label being the true one, in the order of `labels`. */
  readonly items: ReadonlyMap<string, readonly number[]>;
  /** For each rater, `confusion[true][given]`: the probability of giving a label when another is true. */
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

/** Computed in logarithms, so that a large panel does not underflow. */
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

/**
 * Turns wins and losses between pairs into one strength per contestant, as `bradleyTerry` does on another scale.
 * Thurstone's Case V (1927): each contestant shows its strength with normal noise, so a win has the probit chance of
 * the difference. Strengths are in standard deviations of the difference.
 *
 * @example
 * ```ts
 * const outcomes = ["left", "left", "left", "right"] as const;
 * const strengths = thurstone(outcomes.map((outcome) => ({ left: "A", right: "B", outcome })));
 * // A about 0.337, B about −0.337
 * ```
 */
export function thurstone(
  comparisons: readonly Comparison[],
  options: { readonly level?: number } = {},
): readonly Strength[] | UndefinedStatistic {
  const slope = (difference: number) => Math.exp((-difference * difference) / 2) / Math.sqrt(2 * Math.PI);
  return fitPairedComparisons(comparisons, { chance: normalCumulative, slope }, options.level ?? 0.95);
}
