import { type Random, randomInteger } from "../../core/random.ts";
import { mean } from "../../stats/distribution/mean.ts";
import { quantile } from "../../stats/distribution/quantile.ts";

/** The scores of a version's pieces, and their texts where a piece can be found again in another version. */
export interface ScoredPieces {
  readonly scores: readonly (number | null)[];
  readonly texts?: readonly string[];
}

/** A piece of the original and what became of it: nothing, one piece, or one and its copies. */
interface Unit {
  readonly before: number;
  readonly after: readonly number[];
}

const RESAMPLES = 500;
/** Fewer pieces than this say nothing about noise. */
export const FEWEST_PIECES = 3;

/**
 * The interval of a move by drawing the pieces of the original with replacement, each with what became of it, so that what
 * was not changed cancels. Where that is not known, each version is drawn by itself. Centred on the move of the whole book;
 * null with fewer than three pieces.
 */
export function moveInterval(
  before: ScoredPieces,
  after: ScoredPieces,
  move: number,
  random: Random,
): [number, number] | null {
  const origins = originsOf(before, after);
  const difference = origins === null ? apart(before, after, random) : paired(before, after, origins, random);
  if (difference === null) return null;
  const draws = Array.from({ length: RESAMPLES }, difference.draw).filter((drawn) => drawn !== null);
  const { centre } = difference;
  return [move + quantile(draws, 0.025) - centre, move + quantile(draws, 0.975) - centre];
}

interface Difference {
  readonly centre: number;
  /** Null where every piece that was drawn is missing from the changed version. */
  readonly draw: () => number | null;
}

function paired(
  before: ScoredPieces,
  after: ScoredPieces,
  origins: readonly number[],
  random: Random,
): Difference | null {
  const became: number[][] = before.scores.map(() => []);
  after.scores.forEach((score, at) => {
    if (score !== null) became[origins[at]!]!.push(score);
  });
  const isKept = new Set(origins);
  // A piece that is left out counts; one that merely lost its score does not.
  const units = before.scores.flatMap((score, at): Unit[] =>
    score === null || (isKept.has(at) && became[at]!.length === 0) ? [] : [{ before: score, after: became[at]! }],
  );
  if (units.filter((unit) => unit.after.length > 0).length < FEWEST_PIECES) return null;
  const differenceOf = (drawn: readonly Unit[]) => {
    const scores = drawn.flatMap((unit) => unit.after);
    return scores.length === 0 ? null : mean(scores) - mean(drawn.map((unit) => unit.before));
  };
  return {
    centre: differenceOf(units)!,
    draw: () => differenceOf(units.map(() => units[randomInteger(random, units.length)]!)),
  };
}

function apart(before: ScoredPieces, after: ScoredPieces, random: Random): Difference | null {
  const [left, right] = [before, after].map(({ scores }) => scores.filter((score) => score !== null));
  if (left!.length < FEWEST_PIECES || right!.length < FEWEST_PIECES) return null;
  const drawnMean = (values: readonly number[]) =>
    mean(values.map(() => values[randomInteger(random, values.length)]!));
  return { centre: mean(right!) - mean(left!), draw: () => drawnMean(right!) - drawnMean(left!) };
}

/**
 * The piece of the original that each piece comes from: the one with the same text wherever it went, else the one at the
 * same place where both versions have as many. Null where neither tells.
 */
function originsOf(before: ScoredPieces, after: ScoredPieces): number[] | null {
  const hasPlaces = before.scores.length === after.scores.length;
  if (!before.texts || !after.texts) return hasPlaces ? after.scores.map((_, at) => at) : null;
  const placesOf = new Map<string, number[]>();
  before.texts.forEach((text, at) => {
    placesOf.set(text, [...(placesOf.get(text) ?? []), at]);
  });
  const origins = after.texts.map((text, at) => {
    if (before.texts![at] === text) return at;
    return placesOf.get(text)?.[0] ?? (hasPlaces ? at : null);
  });
  return origins.every((origin) => origin !== null) ? origins : null;
}
