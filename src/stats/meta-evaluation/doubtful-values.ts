import { median } from "../distribution.ts";

/** Human ratings and judges' scores, text by text; NaN for a missing one. */
interface SaidOfTexts {
  readonly texts: readonly string[];
  readonly raters: readonly Rater[];
  /** Run by run. */
  readonly judges: readonly { readonly name: string; readonly runs: readonly (readonly number[])[] }[];
}

interface Rater {
  readonly name: string;
  readonly scores: Float64Array;
}

/** A value that does not fit the others of its rater or judge, and may be a mistake. */
export interface StrayValue {
  /** The rater or judge. */
  readonly of: string;
  readonly text: string;
  readonly value: number;
  /** The lowest and the highest of the others. */
  readonly others: readonly [number, number];
  /**
   * Far outside the others; or a fraction among whole numbers; or one of several that are far from all others, which
   * may be a code for "no rating" or a date made by a spreadsheet.
   */
  readonly kind: "far" | "fraction" | "apart";
}

/** A rater most of whose ratings lie outside the range of all others. */
export interface OtherScale {
  readonly rater: string;
  readonly range: readonly [number, number];
  readonly others: readonly [number, number];
}

export function strayValues({ texts, raters, judges }: SaidOfTexts): StrayValue[] {
  return [
    ...raters.flatMap(({ name, scores }) => straysOf(name, texts, (at) => [scores[at]!])),
    ...judges.flatMap(({ name, runs }) => straysOf(name, texts, (at) => runs[at]!)),
  ];
}

/** With fewer values it cannot be told which one does not fit. */
const FEWEST_TO_STRAY_FROM = 10;
/** Values rarer than this are mistakes rather than habits. */
const SHARE_OF_STRAYS = 0.05;
/** A rater who gave threes and fours and a single one may still use a scale of five. */
const FEWEST_STEPS = 4;

interface Cell {
  readonly text: string;
  readonly value: number;
}

/**
 * Values that exceed the range of the others by more than that range, and fractions if all others are whole numbers.
 */
function straysOf(of: string, texts: readonly string[], valuesOf: (at: number) => readonly number[]): StrayValue[] {
  const all = texts
    .flatMap((text, at) => valuesOf(at).map((value): Cell => ({ text, value })))
    .filter(({ value }) => !Number.isNaN(value))
    .sort((one, other) => one.value - other.value);
  if (all.length < FEWEST_TO_STRAY_FROM) return [];
  const { apart, cells } = groupApart(all);
  const rest = [cells[0]!.value, cells.at(-1)!.value] as const;
  return [
    ...apart.map(({ text, value }): StrayValue => ({ of, text, value, others: rest, kind: "apart" })),
    ...fewStraysOf(of, cells),
  ];
}

/** A group with a larger share of the column is not exceptional. */
const LARGEST_GROUP = 1 / 3;
/**
 * The gap to such a group must be this many times the range of the others, since judges may have two clusters of
 * scores.
 */
const FAR_APART = 3;
/** A rater whose ratings reach this does not use a scale from −1 to 1. */
const SURELY_POSITIVE = 3;

/**
 * Several values close together and far from all others: 99 or a date's number among ratings from 1 to 5; or a
 * negative number among positive ones.
 */
function groupApart(cells: readonly Cell[]): { apart: readonly Cell[]; cells: readonly Cell[] } {
  const value = (at: number) => cells[at]!.value;
  const most = Math.floor(LARGEST_GROUP * cells.length);
  const isFar = (gap: number, range: number) => gap > FAR_APART * Math.max(range, FEWEST_STEPS);
  for (let size = most; size >= 2; size--) {
    const [from, to] = [size, cells.length - size];
    if (isFar(value(to) - value(to - 1), value(to - 1) - value(0))) {
      return { apart: cells.slice(to), cells: cells.slice(0, to) };
    }
    const isCode =
      value(0) < 0 && value(0) === value(from - 1) && value(from) >= 0 && value(cells.length - 1) >= SURELY_POSITIVE;
    if (isCode || isFar(value(from) - value(from - 1), value(cells.length - 1) - value(from))) {
      return { apart: cells.slice(0, from), cells: cells.slice(from) };
    }
  }
  return { apart: [], cells };
}

function fewStraysOf(of: string, cells: readonly Cell[]): StrayValue[] {
  const few = Math.max(1, Math.floor(SHARE_OF_STRAYS * cells.length));
  const fractions = cells.filter(({ value }) => !Number.isInteger(value));
  const isWhole = fractions.length <= few;
  let [low, high] = [cells[few]!.value, cells[cells.length - 1 - few]!.value];
  const reach = () => Math.max(high - low, isWhole ? FEWEST_STEPS : 0);
  // All others are equal, and not on a scale of steps, so there is no range to be outside of.
  if (reach() === 0) return [];
  for (const { value } of cells.slice(-few)) if (value - high <= reach()) high = value;
  for (const { value } of cells.slice(0, few).reverse()) if (low - value <= reach()) low = value;
  const others = [low, high] as const;
  return cells.flatMap(({ text, value }): StrayValue[] => {
    if (value < low || value > high) return [{ of, text, value, others, kind: "far" }];
    return isWhole && !Number.isInteger(value) ? [{ of, text, value, others, kind: "fraction" }] : [];
  });
}

/**
 * Raters most of whose ratings lie outside the range of all others, so that a common mean would mostly reflect one of
 * them.
 */
export function otherScales(raters: readonly Rater[]): OtherScale[] {
  const given = raters.map(({ scores }) => scores.filter((score) => !Number.isNaN(score)));
  return raters.flatMap(({ name }, at) => {
    const own = given[at]!;
    const others = given.flatMap((scores, other) => (other === at ? [] : [...scores]));
    if (own.length < FEWEST_TO_STRAY_FROM || others.length < FEWEST_TO_STRAY_FROM) return [];
    const [low, high] = ends(others);
    const outside = own.filter((score) => score < low || score > high).length;
    return outside > own.length / 2 ? [{ rater: name, range: ends(own), others: [low, high] as const }] : [];
  });
}

function ends(values: ArrayLike<number>): readonly [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < values.length; at++) {
    low = Math.min(low, values[at]!);
    high = Math.max(high, values[at]!);
  }
  return [low, high];
}

/** Means are often written with two decimals. */
const ROUNDED = 0.0051;

/** Whether a column is the raters' mean or median instead of a judge's scores; null if it is neither. */
export function meanOrMedianOfRaters(scores: Float64Array, raters: readonly Rater[]): "mean" | "median" | null {
  const known = [...scores.keys()].flatMap((at) => {
    const given = raters.map((rater) => rater.scores[at]!).filter((rating) => !Number.isNaN(rating));
    return Number.isNaN(scores[at]!) || given.length === 0 ? [] : [{ score: scores[at]!, given }];
  });
  // A judge with few scores, or the same score for all texts, may match the mean by chance.
  if (raters.length < 2 || known.length < FEWEST_TO_STRAY_FROM) return null;
  if (new Set(known.map(({ score }) => score)).size < 3) return null;
  const is = (figure: (given: readonly number[]) => number) =>
    known.every(({ score, given }) => Math.abs(score - figure(given)) < ROUNDED);
  if (is((given) => given.reduce((sum, rating) => sum + rating, 0) / given.length)) return "mean";
  return is(median) ? "median" : null;
}
