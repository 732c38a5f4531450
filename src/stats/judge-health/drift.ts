import { seededRandom } from "../../core/random.ts";
import { pairedPermutationTest } from "../comparison/paired-permutation-test.ts";
import { kendallTau } from "../correlation.ts";
import { mean, standardDeviation } from "../distribution.ts";
import { drawPositions, percentileBootstrap } from "../resampling.ts";
import { defined } from "../statistic.ts";
import { byItem, type Finding, type HealthOptions, type Judgement, unknownFinding } from "./judgement.ts";

const FEWEST = 5;
const NOTICEABLE = 0.2;
const SURE = 0.05;

/** Has the judge changed? The same pinned texts, scored before and now. */
export function checkDrift(now: readonly Judgement[], before: readonly Judgement[], options: HealthOptions): Finding {
  const earlier = averages(before);
  const pairs = [...averages(now)].flatMap(([item, score]) => {
    const then = earlier.get(item);
    return then === undefined ? [] : [{ then, score }];
  });
  if (pairs.length < FEWEST) {
    return unknownFinding("drift", `needs at least ${FEWEST} pinned texts scored before as well, given with --anchors`);
  }
  const changes = pairs.map(({ then, score }) => score - then);
  const shift = mean(changes);
  const random = seededRandom(options.seed);
  const { p } = pairedPermutationTest(
    pairs.map(({ score }) => score),
    pairs.map(({ then }) => then),
    { random },
  );
  const { interval } = percentileBootstrap({
    draw: drawPositions(changes.length),
    statistic: (positions) => defined(mean(Array.from(positions, (position) => changes[position]!))),
    random,
    resamples: options.resamples,
  });
  const spread = standardDeviation(pairs.map(({ then }) => then));
  const large = Math.abs(shift) > NOTICEABLE * spread;
  const order = kendallTau(
    pairs.map(({ then }) => then),
    pairs.map(({ score }) => score),
  );
  const kept =
    order.value === null ? "their order cannot be compared" : `their order agrees at τ ${order.value.toFixed(2)}`;
  return {
    check: "drift",
    state: p < SURE && large ? "problem" : p < SURE || large ? "watch" : "sound",
    n: pairs.length,
    figure: { name: "mean change in points", value: shift, interval },
    message: `p = ${p.toFixed(3)} for no change on the pinned texts; ${kept}.`,
  };
}

function averages(judgements: readonly Judgement[]): Map<string, number> {
  return new Map(
    [...byItem(judgements)].flatMap(([item, group]): [string, number][] => {
      const scores = group.map(({ score }) => score).filter((score) => !Number.isNaN(score));
      return scores.length === 0 ? [] : [[item, mean(scores)]];
    }),
  );
}
