import { sumBy } from "../distribution/sum-by.ts";
import { invertPositiveDefinite } from "../linear/positive-definite.ts";
import { normalQuantile } from "../special/normal.ts";
import { notDefined, type UndefinedStatistic } from "../statistic.ts";

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

/** How a difference of strengths becomes a chance of winning, with the slope of that curve. */
export interface Link {
  chance(difference: number): number;
  slope(difference: number): number;
}

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
  let strengths = ids.map(() => 0);
  for (let step = 0; step < STEPS; step++) {
    const { gradient, covariance } = scores(wins, strengths, link);
    const change = gradient.map((_, row) =>
      sumBy(gradient, (pull, column) => covariance[row * ids.length + column]! * pull),
    );
    // A step that overshoots on lopsided data is cut to a length over which the curves stay readable.
    const longest = Math.max(...change.map(Math.abs));
    const scale = longest > 2 ? 2 / longest : 1;
    strengths = strengths.map((strength, i) => strength + scale * change[i]!);
    if (longest < PRECISION) break;
  }
  const { covariance } = scores(wins, strengths, link);
  const reach = normalQuantile(0.5 + level / 2);
  return ids.map((id, i) => {
    const strength = strengths[i]!;
    const half = reach * Math.sqrt(Math.max(0, covariance[i * ids.length + i]!));
    const met = sumBy(wins[i]!, (won, j) => won + wins[j]![i]!);
    return { id, strength, interval: [strength - half, strength + half], comparisons: met };
  });
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

/** Somebody who cannot be reached from, or cannot reach, the first contestant along wins; null when everybody can. */
function contestantApart(wins: readonly (readonly number[])[]): number | null {
  const unreached = (edge: (from: number, to: number) => boolean) => {
    const reached = new Set([0]);
    // A set that grows while it is walked is walked to its end.
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
