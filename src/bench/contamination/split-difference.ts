import { cautiousWelchTest } from "../../stats/comparison/welch-test.ts";
import { mean } from "../../stats/distribution/mean.ts";
import { meanInterval, studentInterval } from "../../stats/special/student-interval.ts";
import { novelDifference } from "../writers/novel-difference.ts";
import type { PlacedNovel } from "../writers/placed-novels.ts";

/** How much higher a writer scores where it may remember the novel than where it cannot. */
export interface SplitDifference {
  readonly difference: number;
  /** 95 %; null with too few novels. */
  readonly interval: readonly [number, number] | null;
  /** Novels on each side: those that may be remembered, and the others. */
  readonly novels: readonly [number, number];
}

/** Novels published up to the model's cut-off against later ones. Null unless both kinds are there. */
export function cutOffSplit(
  novels: readonly PlacedNovel[],
  yearOf: (novel: string) => number | null,
  cutOff: number,
): SplitDifference | null {
  const composites = (isBefore: boolean) =>
    novels.flatMap(({ novel, composite }) => {
      const year = yearOf(novel);
      return year !== null && year <= cutOff === isBefore ? [composite] : [];
    });
  const [before, after] = [composites(true), composites(false)];
  if (before.length === 0 || after.length === 0) return null;
  const test = cautiousWelchTest(before, after);
  const difference = mean(before) - mean(after);
  return {
    difference,
    interval: "p" in test ? studentInterval(difference, test.standardError, test.degreesOfFreedom) : null,
    novels: [before.length, after.length],
  };
}

/** The same novels under their own names and under new ones, novel by novel. Null where none was written both ways. */
export function renamedDifference(
  own: readonly PlacedNovel[],
  renamed: readonly PlacedNovel[],
): SplitDifference | null {
  const others = new Map(renamed.map((novel) => [novel.novel, novel]));
  const differences = own.flatMap((novel) => {
    const other = others.get(novel.novel);
    return (other && novelDifference(novel, other)) ?? [];
  });
  if (differences.length === 0) return null;
  return {
    difference: mean(differences),
    interval: meanInterval(differences),
    novels: [differences.length, differences.length],
  };
}
