import { seededRandom } from "../../core/random.ts";
import { pairedPermutationTest } from "../comparison/significance-tests.ts";
import { kendallTau } from "../correlation.ts";
import { mean, standardDeviation, sum, variance } from "../distribution.ts";
import { drawPositions, percentileBootstrap } from "../resampling.ts";
import { defined, notDefined, type Statistic } from "../statistic.ts";
import { byItem, type Finding, type HealthOptions, type Judgement, unknownFinding } from "./judgement.ts";

const SOUND = 0.9;
const WATCH = 0.75;
/** Fewer texts may happen to lie close together, and a judge that is steady looks as if it were not. */
const FEWEST_TO_CONDEMN = 10;

/** Does the judge say the same when asked again? The share of the variance of its scores that lies between texts. */
export function checkTestRetest(judgements: readonly Judgement[], options: HealthOptions): Finding {
  const repeats = [...byItem(judgements).values()]
    .map((group) => group.map(({ score }) => score).filter((score) => !Number.isNaN(score)))
    .filter((scores) => scores.length > 1);
  if (repeats.length < 3) {
    return unknownFinding("test-retest", "needs at least three texts that were judged more than once");
  }
  const reliability = repeatability(repeats);
  if (reliability.value === null) return unknownFinding("test-retest", reliability.reason);
  const { interval } = percentileBootstrap({
    draw: drawPositions(repeats.length),
    statistic: (positions) => repeatability(Array.from(positions, (position) => repeats[position]!)),
    random: seededRandom(options.seed),
    resamples: options.resamples,
  });
  const value = reliability.value;
  const enough = repeats.length >= FEWEST_TO_CONDEMN;
  const isClearlyPoor = enough && value < WATCH && interval !== null && interval[1] < SOUND;
  return {
    check: "test-retest",
    state: value >= SOUND ? "sound" : isClearlyPoor ? "problem" : "watch",
    n: repeats.length,
    figure: { name: "intraclass correlation", value, interval },
    message: `Asked again, the same text moves by ${Math.sqrt(withinSquare(repeats)).toFixed(2)} points (standard deviation).${enough ? "" : ` ${repeats.length} texts are too few to call that good or bad: ${FEWEST_TO_CONDEMN} can.`}`,
  };
}

/** The one-way intraclass correlation for unequal numbers of repeats (Donner, 1986). */
export function repeatability(repeats: readonly (readonly number[])[]): Statistic {
  const total = sum(repeats.map((scores) => scores.length));
  const grand = mean(repeats.flat());
  const between = sum(repeats.map((scores) => scores.length * (mean(scores) - grand) ** 2)) / (repeats.length - 1);
  const within = withinSquare(repeats);
  const squares = sum(repeats.map((scores) => scores.length ** 2));
  const typical = (total - squares / total) / (repeats.length - 1);
  const spread = between + (typical - 1) * within;
  return spread > 0 ? defined((between - within) / spread) : notDefined("all scores are one and the same");
}

function withinSquare(repeats: readonly (readonly number[])[]): number {
  const squares = repeats.map((scores) => (scores.length - 1) * variance(scores));
  return sum(squares) / sum(repeats.map((scores) => scores.length - 1));
}

const FEWEST_ANCHORS = 5;
const NOTICEABLE_SHIFT = 0.2;
const SURE = 0.05;

/** Has the judge changed? The same pinned texts, scored before and now. */
export function checkDrift(now: readonly Judgement[], before: readonly Judgement[], options: HealthOptions): Finding {
  const earlier = averages(before);
  const pairs = [...averages(now)].flatMap(([item, score]) => {
    const then = earlier.get(item);
    return then === undefined ? [] : [{ then, score }];
  });
  if (pairs.length < FEWEST_ANCHORS) {
    return unknownFinding(
      "drift",
      `needs at least ${FEWEST_ANCHORS} pinned texts scored before as well, given with --anchors`,
    );
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
  const large = Math.abs(shift) > NOTICEABLE_SHIFT * spread;
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
