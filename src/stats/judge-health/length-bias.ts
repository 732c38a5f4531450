import { seededRandom } from "../../core/random.ts";
import { completePairs } from "../complete-pairs.ts";
import { pearson, resampledSpearman, spearman } from "../correlation.ts";
import { averageRanks, mean } from "../distribution.ts";
import { drawPositions, percentileBootstrap } from "../resampling.ts";
import { notDefined, type Statistic } from "../statistic.ts";
import {
  byItem,
  type CheckName,
  type Finding,
  type HealthOptions,
  type Judgement,
  unknownFinding,
} from "./judgement.ts";

const FEWEST = 10;
const NOTICEABLE = 0.3;

/** Do longer texts score higher? With human ratings, only what they do not explain counts: a longer text may be better. */
export function checkLengthBias(judgements: readonly Judgement[], options: HealthOptions): Finding {
  const texts = [...byItem(judgements).values()].map((group) => ({
    score: averageOf(group.map(({ score }) => score)),
    words: group[0]!.words,
    human: group[0]!.human,
  }));
  const rated = texts.filter(({ score, words, human }) => ![score, words, human].some(Number.isNaN));
  const column = (name: "score" | "words" | "human", from = rated) => Float64Array.from(from, (text) => text[name]);
  if (rated.length >= FEWEST) {
    const found = partialRankAssociation(column("score"), column("words"), column("human"), options);
    return associationFinding("length-bias", found, rated.length, "of score and length, given the human ratings");
  }
  const pairs = completePairs(column("score", texts), column("words", texts));
  if (pairs.left.length < FEWEST) {
    return unknownFinding("length-bias", `needs the lengths of at least ${FEWEST} texts, in a column "words"`);
  }
  const found = rankAssociation(pairs.left, pairs.right, options);
  return associationFinding("length-bias", found, pairs.left.length, "of score and length; longer may also be better");
}

/** Do scores go with how much the judge writes about a text? A judge that says more when it dislikes has a habit, not a measure. */
export function checkVerbosity(judgements: readonly Judgement[], options: HealthOptions): Finding {
  const pairs = completePairs(
    judgements.map(({ score }) => score),
    judgements.map(({ replyWords }) => replyWords),
  );
  if (pairs.left.length < FEWEST) {
    return unknownFinding("verbosity", `needs the lengths of at least ${FEWEST} replies, in a column "reply_words"`);
  }
  const found = rankAssociation(pairs.left, pairs.right, options);
  return associationFinding("verbosity", found, pairs.left.length, "of score and length of the reply");
}

function associationFinding(check: CheckName, { statistic, interval }: Association, n: number, of: string): Finding {
  if (statistic.value === null) return unknownFinding(check, statistic.reason);
  const { value } = statistic;
  const clear = interval !== null && (interval[0] > 0 || interval[1] < 0);
  const strong = Math.abs(value) >= NOTICEABLE;
  return {
    check,
    state: clear && strong ? "problem" : clear || strong ? "watch" : "sound",
    n,
    figure: { name: "rank correlation", value, interval },
    message: `Rank correlation ${of}.`,
  };
}

function averageOf(scores: readonly number[]): number {
  const present = scores.filter((score) => !Number.isNaN(score));
  return present.length === 0 ? Number.NaN : mean(present);
}

interface Association {
  readonly statistic: Statistic;
  readonly interval: readonly [number, number] | null;
}

/** Spearman's ρ with its interval. */
function rankAssociation(left: Float64Array, right: Float64Array, options: HealthOptions): Association {
  const statistic = spearman(left, right);
  if (statistic.value === null) return { statistic, interval: null };
  return { statistic, interval: intervalOf(left.length, resampledSpearman(left, right), options) };
}

/** ρ of two columns once what both share with a third is taken out: the partial rank correlation. */
function partialRankAssociation(
  left: Float64Array,
  right: Float64Array,
  given: Float64Array,
  options: HealthOptions,
): Association {
  const partial = (positions: ArrayLike<number>) => {
    const ranks = [left, right, given].map((column) =>
      averageRanks(Float64Array.from(positions, (position) => column[position]!)),
    );
    return partialCorrelation(ranks[0]!, ranks[1]!, ranks[2]!);
  };
  const statistic = partial(Array.from(left, (_, position) => position));
  if (statistic.value === null) return { statistic, interval: null };
  return { statistic, interval: intervalOf(left.length, partial, options) };
}

function partialCorrelation(left: Float64Array, right: Float64Array, given: Float64Array): Statistic {
  const between = pearson(left, right).value;
  const leftGiven = pearson(left, given).value;
  const rightGiven = pearson(right, given).value;
  if (between === null || leftGiven === null || rightGiven === null)
    return notDefined("one of the columns is constant");
  const rest = (1 - leftGiven ** 2) * (1 - rightGiven ** 2);
  return rest > 0
    ? { value: (between - leftGiven * rightGiven) / Math.sqrt(rest) }
    : notDefined("the third column explains one of the others entirely");
}

function intervalOf(size: number, statistic: (positions: ArrayLike<number>) => Statistic, options: HealthOptions) {
  const { interval } = percentileBootstrap<ArrayLike<number>>({
    draw: drawPositions(size),
    statistic,
    random: seededRandom(options.seed),
    resamples: options.resamples,
  });
  return interval;
}
