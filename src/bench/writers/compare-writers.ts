import type { Random } from "../../core/random.ts";
import { holmCorrection, jointSignFlipTest } from "../../stats/comparison/multiple-comparison.ts";
import { cautiousWelchTest } from "../../stats/comparison/significance-tests.ts";
import { mean, standardDeviation, sum, variance } from "../../stats/distribution.ts";
import { meanInterval, studentInterval, studentTwoSided } from "../../stats/special/student-t.ts";
import { studentizedRangeAbove } from "../../stats/special/studentized-range.ts";
import { type BenchWords, wordsIn } from "../words.ts";
import { type JudgeSample, summedVariance } from "./judge-sample.ts";
import type { PlacedNovel, WriterNovels } from "./placed-novels.ts";

/**
 * How much higher one writer's version of a novel scores than another's, over the chapters that both have, so that
 * leaving out hard chapters gains nothing. Over all chapters if they have no numbers; null if none is shared.
 */
export function novelDifference(one: PlacedNovel, other: PlacedNovel): number | null {
  if (!one.parts || !other.parts) return one.composite - other.composite;
  const totals = one.scores.map(() => 0);
  const counts = one.scores.map(() => 0);
  for (const [chapter, own] of one.parts) {
    const theirs = other.parts.get(chapter);
    for (let dimension = 0; theirs && dimension < totals.length; dimension++) {
      const [left, right] = [own[dimension], theirs[dimension]];
      if (left == null || right == null) continue;
      totals[dimension]! += left - right;
      counts[dimension]!++;
    }
  }
  if (counts.some((count) => count === 0)) return null;
  return sum(totals.map((total, dimension) => total / counts[dimension]!));
}

/** Two writers of a leaderboard, compared on composites. */
export interface WriterComparison {
  readonly first: string;
  readonly second: string;
  /** Over the novels that both wrote; if they share too few, over all novels of each. */
  readonly design: "paired" | "unpaired";
  /** How many novels have chapters by both. */
  readonly shared: number;
  /**
   * The first writer's mean composite minus the second's, over shared chapters of shared novels, in standard
   * deviations of the population's dimensions.
   */
  readonly difference: number;
  /** 95 % for this pair alone; null if there are too few novels or they do not vary. */
  readonly interval: readonly [number, number] | null;
  /** The difference in standard deviations: of the paired differences, or of the novels of both. Null without spread. */
  readonly effect: number | null;
  /** For this pair alone, and corrected for all pairs; null if nothing can be tested. */
  readonly p: number | null;
  readonly adjusted: number | null;
}

export interface WriterComparisons {
  readonly pairs: readonly WriterComparison[];
  /** How the pairs were tested, in words. */
  readonly method: string;
  /** Pairs below this corrected p are told apart. */
  readonly significance: number;
}

/**
 * Half of the nominal rate: exchanging signs is exact for symmetric differences, and five per cent must also hold for
 * others.
 */
export const SIGNIFICANCE = 0.025;
const PROMISED = 0.05;
/** With fewer novels, a sign permutation cannot be significant. */
export const LEAST_NOVELS = 7;

interface Pair {
  readonly first: WriterNovels;
  readonly second: WriterNovels;
  readonly shared: readonly { readonly novel: string; readonly difference: number }[];
}

/**
 * Compares every two writers. The unit is the novel: chapters of one novel are not independent, so they are averaged
 * first. Pairs that share novels are tested by exchanging the signs of whole novels, in all pairs together; the
 * others by Welch's test with the degrees of freedom of the smaller side. The family-wise error of both kinds
 * together stays at five per cent: each kind gets its share.
 */
export function compareWriters(
  writers: readonly WriterNovels[],
  random: Random,
  language?: string,
  judges: JudgeSample | null = null,
): WriterComparisons {
  const all = everyPair(writers);
  if (judges) return acrossJudges(all, judges, wordsIn(language));
  const paired = all.filter(isPaired);
  const unpaired = all.filter((pair) => !isPaired(pair));
  const units = new Map<string, number>();
  for (const { shared } of paired) for (const { novel } of shared) units.set(novel, units.get(novel) ?? units.size);
  const { tests } = jointSignFlipTest(
    paired.map(({ shared }) => ({
      units: shared.map(({ novel }) => units.get(novel)!),
      differences: shared.map(({ difference }) => difference),
    })),
    units.size,
    { random },
  );
  const welch = unpaired.map(({ first, second }) => cautiousWelchTest(compositesOf(first), compositesOf(second)));
  const known = welch.flatMap((test) => ("p" in test ? [test.p] : []));
  const holm = holmCorrection(known);
  const family = paired.length + known.length;
  const results = new Map<Pair, WriterComparison>();
  for (const [index, pair] of paired.entries()) {
    const { p, adjusted } = tests[index]!;
    results.set(pair, pairedResult(pair, p, Math.min(1, (adjusted * family) / paired.length)));
  }
  let next = 0;
  for (const [index, pair] of unpaired.entries()) {
    const test = welch[index]!;
    const adjusted = "p" in test ? Math.min(1, (holm[next++]! * family) / known.length) : null;
    results.set(pair, unpairedResult(pair, "p" in test ? test : null, adjusted));
  }
  return {
    pairs: all.map((pair) => results.get(pair)!),
    method: methodInWords(paired.length, unpaired.length, wordsIn(language)),
    significance: SIGNIFICANCE,
  };
}

/**
 * Compares every two writers so that the result also holds for other judges. The variance of a difference has a part
 * from the novels, for this pair alone, and one from the judges' differences about single writers, which all writers
 * of the board share; Satterthwaite's degrees of freedom combine the two. Corrected for all pairs as in Games and
 * Howell (1976), by the studentised range.
 */
function acrossJudges(all: readonly Pair[], judges: JudgeSample, words: BenchWords): WriterComparisons {
  const writers = new Set(all.flatMap(({ first, second }) => [first.writer, second.writer])).size;
  const pairs = all.map((pair): WriterComparison => {
    const { first, second, shared } = pair;
    const names = { first: first.writer, second: second.writer, shared: shared.length };
    const isWithin = isPaired(pair);
    const differences = shared.map(({ difference }) => difference);
    const [left, right] = [compositesOf(first), compositesOf(second)];
    const difference = isWithin ? mean(differences) : mean(left) - mean(right);
    const design = isWithin ? ("paired" as const) : ("unpaired" as const);
    const samples = isWithin ? [differences] : [left, right];
    // One novel does not show how novels vary.
    if (samples.some((sample) => sample.length < 2))
      return { ...names, design, difference, interval: null, effect: null, p: null, adjusted: null };
    const ofNovels = samples.map((sample) => ({
      variance: variance(sample) / sample.length,
      degrees: sample.length - 1,
    }));
    const { error, degrees } = summedVariance([...ofNovels, judges.ofDifference(first.writer, second.writer)]);
    const deviation = isWithin ? standardDeviation(differences) : Math.sqrt((variance(left) + variance(right)) / 2);
    const t = error > 0 ? Math.abs(difference) / error : 0;
    return {
      ...{ ...names, design, difference },
      interval: error > 0 ? studentInterval(difference, error, degrees) : null,
      effect: deviation > 0 ? difference / deviation : null,
      p: error > 0 ? studentTwoSided(t, degrees) : null,
      adjusted: error > 0 ? studentizedRangeAbove(Math.SQRT2 * t, writers, degrees) : null,
    };
  });
  const method = [
    words.method.acrossJudges(pairs.length, judges.judges),
    words.method.promise(SIGNIFICANCE, 100 * PROMISED),
  ];
  return { pairs, method: method.join(words.space), significance: SIGNIFICANCE };
}

/** Whether two writers can be told apart. */
export function toldApart({ pairs, significance }: WriterComparisons): (one: string, other: string) => boolean {
  const apart = new Set(
    pairs.flatMap(({ first, second, adjusted }) =>
      adjusted !== null && adjusted < significance ? [`${first}\u0000${second}`, `${second}\u0000${first}`] : [],
    ),
  );
  return (one, other) => apart.has(`${one}\u0000${other}`);
}

function everyPair(writers: readonly WriterNovels[]): Pair[] {
  return writers.flatMap((first, index) => {
    const own = new Map(first.novels.map((novel) => [novel.novel, novel]));
    return writers.slice(index + 1).map((second) => ({
      first,
      second,
      shared: second.novels.flatMap((theirs) => {
        const match = own.get(theirs.novel);
        const difference = match ? novelDifference(match, theirs) : null;
        return difference === null ? [] : [{ novel: theirs.novel, difference }];
      }),
    }));
  });
}

/**
 * A few shared novels must not replace the comparison over all others; besides, a permutation of a handful of novels
 * can reach no significance, and its extreme statistics would spoil the joint distribution for all other pairs.
 */
function isPaired({ first, second, shared }: Pair): boolean {
  return shared.length >= LEAST_NOVELS && 2 * shared.length >= Math.min(first.novels.length, second.novels.length);
}

function pairedResult({ first, second, shared }: Pair, p: number, adjusted: number): WriterComparison {
  const differences = shared.map(({ difference }) => difference);
  const difference = mean(differences);
  const deviation = standardDeviation(differences);
  return {
    ...{ first: first.writer, second: second.writer, design: "paired" as const, shared: shared.length, difference },
    interval: meanInterval(differences),
    effect: deviation > 0 ? difference / deviation : null,
    ...{ p, adjusted },
  };
}

function unpairedResult(
  { first, second, shared }: Pair,
  test: Exclude<ReturnType<typeof cautiousWelchTest>, { value: null }> | null,
  adjusted: number | null,
): WriterComparison {
  const [left, right] = [compositesOf(first), compositesOf(second)];
  const difference = mean(left) - mean(right);
  const spread = test && Math.sqrt((variance(left) + variance(right)) / 2);
  return {
    ...{ first: first.writer, second: second.writer, design: "unpaired" as const, shared: shared.length, difference },
    interval: test && studentInterval(difference, test.standardError, test.degreesOfFreedom),
    effect: spread ? difference / spread : null,
    ...{ p: test?.p ?? null, adjusted },
  };
}

function compositesOf({ novels }: WriterNovels): number[] {
  return novels.map(({ composite }) => composite);
}

function methodInWords(paired: number, unpaired: number, { method, space }: BenchWords): string {
  return [
    ...(paired > 0 ? [method.paired(paired)] : []),
    ...(unpaired > 0 ? [method.unpaired(unpaired, LEAST_NOVELS)] : []),
    method.promise(SIGNIFICANCE, 100 * PROMISED),
  ].join(space);
}
