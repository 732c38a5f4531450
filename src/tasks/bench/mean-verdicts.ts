import { isScored, scored, type Verdict } from "../../core/verdict.ts";
import { mean } from "../../stats/distribution.ts";

type Verdicts = Readonly<Record<string, Verdict>>;

/** Verdicts of several chapters as those of the whole: the mean of each dimension over the chapters that have it. */
export function meanVerdicts(all: readonly Verdicts[]): Verdicts {
  const [first = {}] = all;
  if (all.length === 1) return first;
  return Object.fromEntries(
    Object.keys(first).map((dimension) => [dimension, meanOf(all.flatMap((verdicts) => verdicts[dimension] ?? []))]),
  );
}

function meanOf(verdicts: readonly Verdict[]): Verdict {
  const known = verdicts.filter(isScored);
  if (known.length === 0) return verdicts[0]!;
  const score = mean(known.map((verdict) => verdict.score));
  const ranges = known.flatMap(({ interval }) => (interval ? [interval] : []));
  if (ranges.length < known.length) return scored(score);
  return scored(score, [mean(ranges.map(([low]) => low)), mean(ranges.map(([, high]) => high))]);
}
