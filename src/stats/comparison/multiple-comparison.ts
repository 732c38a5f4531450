import type { Random } from "../../core/random.ts";
import { sum } from "../distribution.ts";

/**
 * Holm's step-down correction (1979): p-values that stay honest when several comparisons are made at once. Returned in
 * the order given. Checked against R's `p.adjust(method = "holm")`. Use it whenever a table holds more than one
 * p-value.
 *
 * @example
 * ```ts
 * holmCorrection([0.01, 0.04, 0.5]); // [0.03, 0.08, 0.5]
 * ```
 */
export function holmCorrection(pValues: readonly number[]): number[] {
  const order = pValues.map((_, index) => index).sort((a, b) => pValues[a]! - pValues[b]!);
  const adjusted = new Array<number>(pValues.length);
  let highest = 0;
  order.forEach((index, step) => {
    highest = Math.max(highest, Math.min(1, pValues[index]! * (pValues.length - step)));
    adjusted[index] = highest;
  });
  return adjusted;
}

/** The data of one comparison: the differences of two writers, systems or treatments, one for each shared unit. */
interface PairedDifferences {
  /** Which unit (novel, item) each difference belongs to: the same number means the same unit in every comparison. */
  readonly units: ArrayLike<number>;
  readonly differences: ArrayLike<number>;
}

interface SteppedTest {
  /** Two-sided, for this comparison alone. */
  readonly p: number;
  /** Two-sided, corrected for all comparisons of the family. */
  readonly adjusted: number;
}

interface JointTest {
  readonly tests: readonly SteppedTest[];
  readonly permutations: number;
  readonly exact: boolean;
}

const MAXIMUM_EXACT = 13;
const PERMUTATIONS = 1999;
/** Totals that are mathematically equal may differ in the last bits; they count as equally extreme. */
const ROUNDING = 1e-9;

/**
 * Many paired comparisons over the same units at once: Holm's step-down procedure with the joint permutation distribution
 * in place of Bonferroni's bound (Westfall and Young 1993, algorithm 4.1: step-down max-T). If two writers are equal, the
 * sign of each difference is arbitrary; the signs of a unit are exchanged in all comparisons together, which keeps how the
 * comparisons depend on each other. The family-wise error is controlled in the strong sense. Holm's own bound would need
 * p-values that a permutation of a dozen novels cannot reach once there are hundreds of pairs.
 */
export function jointSignFlipTest(
  comparisons: readonly PairedDifferences[],
  units: number,
  { random, permutations = PERMUTATIONS }: { readonly random: Random; readonly permutations?: number },
): JointTest {
  const exact = units <= MAXIMUM_EXACT;
  const statistics = comparisons.map(studentised);
  const observed = Float64Array.from(comparisons, ({ differences }, index) => statistics[index]!(totalOf(differences)));
  // The tolerance is applied to the totals: if differences are nearly equal, t turns their last bits into large
  // numbers.
  const thresholds = Float64Array.from(comparisons, ({ differences }, index) =>
    statistics[index]!((1 - ROUNDING) * totalOf(differences)),
  );
  const order = Uint32Array.from(observed.keys()).sort((left, right) => observed[right]! - observed[left]!);
  const alone = new Uint32Array(comparisons.length);
  const joint = new Uint32Array(comparisons.length);
  const parts = partsOfUnits(comparisons, units);
  let rounds = 0;
  for (const totals of exact ? everySign(parts, comparisons.length) : drawnSigns(parts, comparisons.length, random)) {
    let largest = 0;
    for (let step = order.length - 1; step >= 0; step--) {
      const index = order[step]!;
      const value = statistics[index]!(totals[index]!);
      if (value >= thresholds[index]!) alone[index]!++;
      largest = Math.max(largest, value);
      if (largest >= thresholds[index]!) joint[index]!++;
    }
    if (++rounds === permutations && !exact) break;
  }
  const share = (count: number) => (exact ? count / rounds : (count + 1) / (rounds + 1));
  const adjusted = new Float64Array(comparisons.length);
  let highest = 0;
  for (const index of order) {
    highest = Math.max(highest, share(joint[index]!));
    adjusted[index] = highest;
  }
  return {
    tests: comparisons.map((_, index) => ({ p: share(alone[index]!), adjusted: adjusted[index]! })),
    permutations: rounds,
    exact,
  };
}

/** How much one unit contributes to the totals of the comparisons it is part of. */
interface UnitParts {
  readonly comparisons: Uint32Array;
  readonly differences: Float64Array;
}

function partsOfUnits(comparisons: readonly PairedDifferences[], units: number): UnitParts[] {
  const indexes = Array.from({ length: units }, (): number[] => []);
  const values = Array.from({ length: units }, (): number[] => []);
  for (const [index, own] of comparisons.entries()) {
    for (let at = 0; at < own.differences.length; at++) {
      indexes[own.units[at]!]!.push(index);
      values[own.units[at]!]!.push(own.differences[at]!);
    }
  }
  return indexes.map((own, unit) => ({
    comparisons: Uint32Array.from(own),
    differences: Float64Array.from(values[unit]!),
  }));
}

/**
 * The totals under every choice of signs, one sign changed at a time (a Gray code). The last unit keeps its sign: changing all
 * signs together changes no statistic, so the other half would repeat this one.
 */
function* everySign(parts: readonly UnitParts[], comparisons: number): Generator<Float64Array> {
  const totals = new Float64Array(comparisons);
  for (const part of parts) addTo(totals, part, 1);
  yield totals;
  const signs = new Int8Array(parts.length).fill(1);
  for (let round = 1; round < 2 ** (parts.length - 1); round++) {
    const changed = 31 - Math.clz32(round & -round);
    signs[changed] = -signs[changed]!;
    addTo(totals, parts[changed]!, 2 * signs[changed]!);
    yield totals;
  }
}

function* drawnSigns(parts: readonly UnitParts[], comparisons: number, random: Random): Generator<Float64Array> {
  const totals = new Float64Array(comparisons);
  while (true) {
    totals.fill(0);
    for (const part of parts) addTo(totals, part, random() < 0.5 ? -1 : 1);
    yield totals;
  }
}

function addTo(totals: Float64Array, { comparisons, differences }: UnitParts, times: number): void {
  for (let at = 0; at < comparisons.length; at++) totals[comparisons[at]!]! += times * differences[at]!;
}

/** |t| of the mean as a function of the total, since the sum of squares does not depend on signs. */
function studentised({ differences }: PairedDifferences): (total: number) => number {
  const count = differences.length;
  const squares = sumOfSquares(differences);
  if (squares === 0 || count < 2) return () => 0;
  return (total) => {
    const share = Math.min(1, (total * total) / (count * squares));
    // Beyond this the differences are nearly equal, and t only measures rounding.
    return Math.sqrt(((count - 1) * share) / Math.max(1 - share, 1e-12));
  };
}

function totalOf(values: ArrayLike<number>): number {
  let total = 0;
  for (let at = 0; at < values.length; at++) total += values[at]!;
  return total;
}

function sumOfSquares(values: ArrayLike<number>): number {
  let total = 0;
  for (let at = 0; at < values.length; at++) total += values[at]! ** 2;
  return total;
}

/**
 * A compact letter display (Piepho 2004, insert and absorb): two items share a letter exactly when they do not differ. The
 * items are given in the order of the table, so that the letters run from its top; `differ` need not agree with that order.
 */
export function letterGroups(items: number, differ: (left: number, right: number) => boolean): string[] {
  let columns: Uint8Array[] = items === 0 ? [] : [new Uint8Array(items).fill(1)];
  for (let left = 0; left < items; left++) {
    for (let right = left + 1; right < items; right++) {
      if (!differ(left, right)) continue;
      const split = columns.flatMap((column) =>
        column[left] === 1 && column[right] === 1 ? [without(column, left), without(column, right)] : [column],
      );
      columns = split.length === columns.length ? split : absorbed(split);
    }
  }
  columns.sort(byFirstMember);
  return Array.from({ length: items }, (_, item) =>
    columns.flatMap((column, index) => (column[item] === 1 ? [letter(index)] : [])).join(""),
  );
}

function without(column: Uint8Array, item: number): Uint8Array {
  const copy = column.slice();
  copy[item] = 0;
  return copy;
}

/** Drops the columns that lie inside another. */
function absorbed(columns: readonly Uint8Array[]): Uint8Array[] {
  const kept: Uint8Array[] = [];
  const bySize = columns.toSorted((left, right) => count(right) - count(left));
  for (const column of bySize) if (!kept.some((larger) => isInside(column, larger))) kept.push(column);
  return kept;
}

function isInside(column: Uint8Array, larger: Uint8Array): boolean {
  return column.every((member, item) => member === 0 || larger[item] === 1);
}

function count(column: Uint8Array): number {
  return sum(column);
}

function byFirstMember(left: Uint8Array, right: Uint8Array): number {
  for (let item = 0; item < left.length; item++) {
    if (left[item] !== right[item]) return right[item]! - left[item]!;
  }
  return 0;
}

/** a to z, then a1 to z1, and so on. */
function letter(index: number): string {
  const first = String.fromCharCode(97 + (index % 26));
  return index < 26 ? first : `${first}${Math.floor(index / 26)}`;
}
