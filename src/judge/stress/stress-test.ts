import { type Random, randomInteger, seededRandom } from "../../core/random.ts";
import { isScored, type ScoredVerdict, type Verdict } from "../../core/verdict.ts";
import { mean } from "../../stats/distribution/mean.ts";
import { quantile } from "../../stats/distribution/quantile.ts";
import type { Book } from "../../text/book.ts";
import type { Damage } from "./damage.ts";

/** What a judge says of one version of a book: the book as a whole, and piece by piece so that noise can be measured. */
export interface StressVerdict {
  /** By aspect: scores of the chapters or segments, null where one has none. */
  readonly pieces: Readonly<Record<string, readonly (number | null)[]>>;
  readonly aspects: Readonly<Record<string, Verdict>>;
}

export type StressJudge = (book: Book, signal: AbortSignal) => Promise<StressVerdict>;

/**
 * - `right`: damage lowered the score (or the judge refused the damaged book), or a harmless change left it alone;
 * - `blind`: damage did not move the score beyond its noise;
 * - `wrong`: damage raised it, or a harmless change moved it.
 */
export type Reaction = "right" | "blind" | "wrong" | "not tried";

export interface StressRow {
  readonly damage: string;
  readonly name: string;
  readonly harmless: boolean;
  readonly aspect: string;
  readonly reaction: Reaction;
  /** Score of the damaged book minus that of the original; null when either was not scored. */
  readonly move: number | null;
  /** 95%, by resampling the chapters of both versions. */
  readonly interval: readonly [number, number] | null;
  /** Why there is no move: the damaged book was refused, or the damage could not be done. */
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
  /** By aspect and what was said of the original: moves within this are noise whatever the resampling says, in points. */
  readonly noise: (aspect: string, original: ScoredVerdict) => number;
}

export interface StressOptions extends DamageOptions, ComparisonOptions {
  readonly judge: StressJudge;
  readonly signal: AbortSignal;
  readonly onDamage?: (damage: Damage) => void;
}

/** A damage with what it made of a book; null where the book cannot be damaged that way. */
export interface DamagedVersion {
  readonly damage: Damage;
  readonly book: Book | null;
}

const RESAMPLES = 500;

/** Shows a judge a book and the same book damaged, one damage at a time. */
export async function stressBook(book: Book, options: StressOptions): Promise<StressRow[]> {
  const original = await options.judge(book, options.signal);
  const judged: { damage: Damage; verdict: StressVerdict | null }[] = [];
  for (const { damage, book: changed } of damagedVersions(book, options)) {
    options.onDamage?.(damage);
    judged.push({ damage, verdict: changed && (await options.judge(changed, options.signal)) });
  }
  return compareVersions(original, judged, options);
}

/** Each version is made when it is asked for; the same seed makes the same versions. */
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
  const interval = moveInterval(original.pieces[aspect] ?? [], changed.pieces[aspect] ?? [], move, seededRandom(seed));
  return {
    ...row,
    reaction: reactionOf(damage, move, interval, noise(aspect, before)),
    move,
    interval,
    reason: null,
  };
}

function reactionOf(
  { harmless }: Damage,
  move: number,
  interval: readonly [number, number] | null,
  noise: number,
): Reaction {
  const isNoise = Math.abs(move) <= noise || (interval !== null && interval[0] <= 0 && interval[1] >= 0);
  if (harmless) return isNoise ? "right" : "wrong";
  if (isNoise) return "blind";
  return move < 0 ? "right" : "wrong";
}

/**
 * The interval of a move by resampling chapters: in pairs when both versions have the same number, so that what all
 * chapters share cancels, else each version by itself. Centred on the move of the whole book.
 */
function moveInterval(
  before: readonly (number | null)[],
  after: readonly (number | null)[],
  move: number,
  random: Random,
): [number, number] | null {
  const paired = before.length === after.length;
  const differences = paired
    ? before.flatMap((score, at) => (score === null || after[at] === null ? [] : [after[at]! - score]))
    : [];
  const [left, right] = [before, after].map((scores) => scores.filter((score) => score !== null));
  const drawnMean = (values: readonly number[]) =>
    mean(values.map(() => values[randomInteger(random, values.length)]!));
  if (paired ? differences.length < 3 : left!.length < 3 || right!.length < 3) return null;
  const centre = paired ? mean(differences) : mean(right!) - mean(left!);
  const draws = Array.from({ length: RESAMPLES }, () =>
    paired ? drawnMean(differences) : drawnMean(right!) - drawnMean(left!),
  );
  return [move + quantile(draws, 0.025) - centre, move + quantile(draws, 0.975) - centre];
}
