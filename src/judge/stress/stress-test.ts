import { type Random, randomInteger, seededRandom } from "../../core/random.ts";
import { isScored, type ScoredVerdict, type Verdict } from "../../core/verdict.ts";
import { mean, quantile } from "../../stats/distribution.ts";
import type { Book } from "../../text/book.ts";
import type { Damage } from "./damages.ts";

/** The scores of a version's parts, with their texts if a part can be identified in another version. */
interface ScoredParts {
  readonly scores: readonly (number | null)[];
  readonly texts?: readonly string[];
}

/** A part of the original and what became of it: nothing, one part, or one and its copies. */
interface Unit {
  readonly before: number;
  readonly after: readonly number[];
}

const RESAMPLES = 500;
/** With fewer parts than this, noise cannot be estimated. */
const FEWEST_PARTS = 3;

/**
 * The interval of a change, by resampling the original's parts with replacement, each with its counterpart, so that
 * unchanged parts cancel out. If the counterparts are unknown, each version is resampled separately. Centred on the
 * change of the whole book; null with fewer than three parts.
 */
export function moveInterval(
  before: ScoredParts,
  after: ScoredParts,
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
  /** Null if every part drawn is missing from the changed version. */
  readonly draw: () => number | null;
}

function paired(
  before: ScoredParts,
  after: ScoredParts,
  origins: readonly number[],
  random: Random,
): Difference | null {
  const became: number[][] = before.scores.map(() => []);
  after.scores.forEach((score, at) => {
    if (score !== null) became[origins[at]!]!.push(score);
  });
  const isKept = new Set(origins);
  // A part that was removed counts; one that merely lost its score does not.
  const units = before.scores.flatMap((score, at): Unit[] =>
    score === null || (isKept.has(at) && became[at]!.length === 0) ? [] : [{ before: score, after: became[at]! }],
  );
  if (units.filter((unit) => unit.after.length > 0).length < FEWEST_PARTS) return null;
  const differenceOf = (drawn: readonly Unit[]) => {
    const scores = drawn.flatMap((unit) => unit.after);
    return scores.length === 0 ? null : mean(scores) - mean(drawn.map((unit) => unit.before));
  };
  return {
    centre: differenceOf(units)!,
    draw: () => differenceOf(units.map(() => units[randomInteger(random, units.length)]!)),
  };
}

function apart(before: ScoredParts, after: ScoredParts, random: Random): Difference | null {
  const [left, right] = [before, after].map(({ scores }) => scores.filter((score) => score !== null));
  if (left!.length < FEWEST_PARTS || right!.length < FEWEST_PARTS) return null;
  const drawnMean = (values: readonly number[]) =>
    mean(values.map(() => values[randomInteger(random, values.length)]!));
  return { centre: mean(right!) - mean(left!), draw: () => drawnMean(right!) - drawnMean(left!) };
}

/**
 * For each part, the part of the original that it comes from: the one with the same text wherever it is, else the one
 * at the same position if both versions have equally many. Null if neither is known.
 */
function originsOf(before: ScoredParts, after: ScoredParts): number[] | null {
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

/** A judge's verdict on one version of a book: on the whole, and part by part so that noise can be measured. */
export interface StressVerdict {
  /** By aspect: scores of the chapters or segments, null for one without a score. */
  readonly parts: Readonly<Record<string, readonly (number | null)[]>>;
  /** The texts of the parts, if these are the book's chapters, which may have moved in another version. */
  readonly texts?: readonly string[];
  readonly aspects: Readonly<Record<string, Verdict>>;
}

export type StressJudge = (book: Book, signal: AbortSignal) => Promise<StressVerdict>;

/**
 * - `right`: damage lowered the score (or the judge refused the damaged book), or a harmless change left it alone;
 * - `blind`: damage did not move the score beyond its noise;
 * - `wrong`: damage raised it, or a harmless change moved it;
 * - `cannot be told`: both versions were scored, in too few parts to know how much of a move is noise.
 */
export type Reaction = "right" | "blind" | "wrong" | "not tried" | "cannot be told";

export interface StressRow {
  readonly damage: string;
  readonly name: string;
  readonly harmless: boolean;
  readonly aspect: string;
  readonly reaction: Reaction;
  /** Score of the damaged book minus that of the original; null if either was not scored. */
  readonly move: number | null;
  /** 95 %, by resampling chapters with replacement, each with its counterpart; null with fewer than three. */
  readonly interval: readonly [number, number] | null;
  /**
   * Why there is no change (the damaged book was refused, or the damage could not be applied), or why the reaction
   * cannot be told.
   */
  readonly reason: string | null;
}

export interface DamageOptions {
  readonly damages: readonly Damage[];
  readonly seed: number;
  readonly strength: number;
  readonly donor: Book | null;
}

export interface ComparisonOptions {
  readonly seed: number;
  /** By aspect and the original's score: changes up to this many points are noise, whatever the resampling says. */
  readonly noise: (aspect: string, original: ScoredVerdict) => number;
}

export interface StressOptions extends DamageOptions, ComparisonOptions {
  readonly judge: StressJudge;
  readonly signal: AbortSignal;
  readonly onDamage?: (damage: Damage) => void;
}

/** A damage and the damaged book; null if the book cannot be damaged that way. */
export interface DamagedVersion {
  readonly damage: Damage;
  readonly book: Book | null;
}

/** Has a judge score a book and its damaged versions, one damage at a time. */
export async function stressBook(book: Book, options: StressOptions): Promise<StressRow[]> {
  const original = await options.judge(book, options.signal);
  const judged: { damage: Damage; verdict: StressVerdict | null }[] = [];
  for (const { damage, book: changed } of damagedVersions(book, options)) {
    options.onDamage?.(damage);
    judged.push({ damage, verdict: changed && (await options.judge(changed, options.signal)) });
  }
  return compareVersions(original, judged, options);
}

/** Each version is made when it is requested; the same seed makes the same versions. */
export function* damagedVersions(book: Book, options: DamageOptions): Generator<DamagedVersion> {
  const { strength, donor, seed } = options;
  for (const [place, damage] of options.damages.entries()) {
    yield { damage, book: damage.apply(book, { random: seededRandom(seed + place), strength, donor }) };
  }
}

export function compareVersions(
  original: StressVerdict,
  judged: readonly { readonly damage: Damage; readonly verdict: StressVerdict | null }[],
  options: ComparisonOptions,
): StressRow[] {
  return judged.flatMap(({ damage, verdict }) =>
    Object.keys(original.aspects).map((aspect) => compared(damage, aspect, original, verdict, options)),
  );
}

function compared(
  damage: Damage,
  aspect: string,
  original: StressVerdict,
  changed: StressVerdict | null,
  { seed, noise }: ComparisonOptions,
): StressRow {
  const row = { damage: damage.id, name: damage.name, harmless: damage.harmless, aspect };
  const without = (reaction: Reaction, reason: string): StressRow => ({
    ...row,
    reaction,
    move: null,
    interval: null,
    reason,
  });
  const before = original.aspects[aspect]!;
  if (!isScored(before)) return without("not tried", before.reason);
  if (changed === null) return without("not tried", "this book cannot be damaged that way");
  const after = changed.aspects[aspect]!;
  if (!isScored(after)) return without(damage.harmless ? "wrong" : "right", after.reason);
  const move = after.score - before.score;
  const partsOf = ({ parts, texts }: StressVerdict) => ({ scores: parts[aspect] ?? [], ...(texts && { texts }) });
  const interval = moveInterval(partsOf(original), partsOf(changed), move, seededRandom(seed));
  if (interval === null) return { ...row, reaction: "cannot be told", move, interval, reason: TOO_FEW_PARTS };
  return { ...row, reaction: reactionOf(damage, move, interval, noise(aspect, before)), move, interval, reason: null };
}

const TOO_FEW_PARTS = `fewer than ${FEWEST_PARTS} chapters, segments or runs have a score, so how much of the move is noise is not known`;

function reactionOf({ harmless }: Damage, move: number, interval: readonly [number, number], noise: number): Reaction {
  const isNoise = Math.abs(move) <= noise || (interval[0] <= 0 && interval[1] >= 0);
  if (harmless) return isNoise ? "right" : "wrong";
  if (isNoise) return "blind";
  return move < 0 ? "right" : "wrong";
}
