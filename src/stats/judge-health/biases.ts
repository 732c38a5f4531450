import { seededRandom } from "../../core/random.ts";
import { pearson, resampledSpearman, spearman } from "../correlation.ts";
import { averageRanks, mean, standardDeviation, wilsonInterval } from "../distribution.ts";
import { drawPositions, percentileBootstrap } from "../resampling.ts";
import { completePairs, defined, notDefined, type Statistic } from "../statistic.ts";
import {
  byItem,
  type CheckName,
  type Finding,
  type HealthOptions,
  type Judgement,
  type OrderedComparison,
  unknownFinding,
} from "./judgement.ts";

const FEWEST_LENGTHS = 10;
const NOTICEABLE_CORRELATION = 0.3;

/**
 * Whether longer texts score higher. With human ratings, only the part not explained by them counts, because a longer
 * text may really be better.
 */
export function checkLengthBias(judgements: readonly Judgement[], options: HealthOptions): Finding {
  const texts = [...byItem(judgements).values()].map((group) => ({
    score: averageOf(group.map(({ score }) => score)),
    words: group[0]!.words,
    human: group[0]!.human,
  }));
  const rated = texts.filter(({ score, words, human }) => ![score, words, human].some(Number.isNaN));
  const column = (name: "score" | "words" | "human", from = rated) => Float64Array.from(from, (text) => text[name]);
  if (rated.length >= FEWEST_LENGTHS) {
    const found = partialRankAssociation(column("score"), column("words"), column("human"), options);
    return associationFinding("length-bias", found, rated.length, "of score and length, given the human ratings");
  }
  const pairs = completePairs(column("score", texts), column("words", texts));
  if (pairs.left.length < FEWEST_LENGTHS) {
    return unknownFinding("length-bias", `needs the lengths of at least ${FEWEST_LENGTHS} texts, in a column "words"`);
  }
  const found = rankAssociation(pairs.left, pairs.right, options);
  return associationFinding("length-bias", found, pairs.left.length, "of score and length; longer may also be better");
}

/**
 * Whether scores correlate with how much the judge writes about a text. For a judge that always writes more about
 * texts it dislikes, that is a habit.
 */
export function checkVerbosity(judgements: readonly Judgement[], options: HealthOptions): Finding {
  const pairs = completePairs(
    judgements.map(({ score }) => score),
    judgements.map(({ replyWords }) => replyWords),
  );
  if (pairs.left.length < FEWEST_LENGTHS) {
    return unknownFinding(
      "verbosity",
      `needs the lengths of at least ${FEWEST_LENGTHS} replies, in a column "reply_words"`,
    );
  }
  const found = rankAssociation(pairs.left, pairs.right, options);
  return associationFinding("verbosity", found, pairs.left.length, "of score and length of the reply");
}

function associationFinding(check: CheckName, { statistic, interval }: Association, n: number, of: string): Finding {
  if (statistic.value === null) return unknownFinding(check, statistic.reason);
  const { value } = statistic;
  const clear = interval !== null && (interval[0] > 0 || interval[1] < 0);
  const strong = Math.abs(value) >= NOTICEABLE_CORRELATION;
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

/** The partial rank correlation: ρ of two columns after removing what both share with a third. */
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

const TOLERATED = 0.05;
const FEWEST_COMPARISONS = 10;

/**
 * Whether the text shown first wins more than half of the decided comparisons. Each pair is best judged in both
 * orders.
 */
export function checkPositionBias(comparisons: readonly OrderedComparison[]): Finding {
  const decided = comparisons.filter(({ winner }) => winner !== "tie");
  if (decided.length < FEWEST_COMPARISONS) {
    return unknownFinding(
      "position-bias",
      `needs at least ${FEWEST_COMPARISONS} decided comparisons, given with --comparisons`,
    );
  }
  const won = decided.filter(({ winner }) => winner === "first").length;
  const share = won / decided.length;
  const interval = wilsonInterval(won, decided.length, 0.95);
  const excludesHalf = interval[0] > 0.5 || interval[1] < 0.5;
  const far = Math.abs(share - 0.5) > TOLERATED;
  const turned = bothOrders(comparisons);
  const consistency =
    turned.pairs === 0
      ? "No pair was shown in both orders."
      : `${turned.same} of ${turned.pairs} pairs shown in both orders had the same outcome.`;
  return {
    check: "position-bias",
    state: far && excludesHalf ? "problem" : far ? "watch" : "sound",
    n: decided.length,
    figure: { name: "share won by the text shown first", value: share, interval },
    message: consistency,
  };
}

/** How many pairs were shown in both orders, and how many kept their winner. */
function bothOrders(comparisons: readonly OrderedComparison[]): { pairs: number; same: number } {
  const outcomes = new Map(comparisons.map(({ first, second, winner }) => [JSON.stringify([first, second]), winner]));
  const turnedRound = { first: "second", second: "first", tie: "tie" } as const;
  let pairs = 0;
  let same = 0;
  for (const { first, second } of uniquePairs(comparisons)) {
    const one = outcomes.get(JSON.stringify([first, second]));
    const other = outcomes.get(JSON.stringify([second, first]));
    if (one === undefined || other === undefined) continue;
    pairs++;
    if (one === turnedRound[other]) same++;
  }
  return { pairs, same };
}

function uniquePairs(comparisons: readonly OrderedComparison[]): OrderedComparison[] {
  const seen = new Set<string>();
  return comparisons.filter(({ first, second }) => {
    const key = JSON.stringify([first, second].sort());
    return seen.has(key) ? false : seen.add(key);
  });
}

const NOTICEABLE_PREFERENCE = 0.2;
/** The fewest texts by the judge, and by others, for this check. */
export const FEWEST_TEXTS = 3;

/**
 * Whether a writer is the judge, however either is written: the writer `gpt-4.1` is the judge `openai:gpt-4.1 ·
 * summary`. A judge's name may be followed by its method after a middle dot.
 */
export function isWriter(writer: string | null, judge: string): boolean {
  const model = (name: string) =>
    name
      .split(" · ")[0]!
      .replace(/@https?:.*$/, "")
      .replace(/^[a-z-]+:/, "")
      .toLowerCase();
  return writer !== null && model(writer) === model(judge);
}

/**
 * Whether the judge favours its own texts: how much higher it rates a text than the other judges do, on its own texts
 * minus on everybody else's, in standard deviations of its scores. A model that truly writes better is rated better
 * by all judges.
 */
export function checkSelfPreference(judge: string, all: readonly Judgement[], options: HealthOptions): Finding {
  const texts = [...byItem(all).values()].flatMap((group) => {
    const mine = group.filter((judgement) => judgement.judge === judge && !Number.isNaN(judgement.score));
    const others = group.filter((judgement) => judgement.judge !== judge && !Number.isNaN(judgement.score));
    const writer = group.find((judgement) => judgement.writer !== null)?.writer;
    if (mine.length === 0 || others.length === 0 || writer === undefined || writer === null) return [];
    const lead = mean(mine.map(({ score }) => score)) - mean(others.map(({ score }) => score));
    return [{ own: isWriter(writer, judge), lead, score: mean(mine.map(({ score }) => score)) }];
  });
  const own = texts.filter((text) => text.own).length;
  if (own < FEWEST_TEXTS || texts.length - own < FEWEST_TEXTS) {
    return unknownFinding(
      "self-preference",
      'needs texts with a "writer", some of them by the judge itself, that other judges scored too',
    );
  }
  const spread = standardDeviation(texts.map(({ score }) => score));
  if (spread === 0) return unknownFinding("self-preference", "the judge gives every text the same score");
  const preference = (positions: ArrayLike<number>) => {
    const drawn = Array.from(positions, (position) => texts[position]!);
    const leads = (mine: boolean) => drawn.filter((text) => text.own === mine).map(({ lead }) => lead);
    const [onOwn, onOthers] = [leads(true), leads(false)];
    if (onOwn.length === 0 || onOthers.length === 0) return notDefined("no text of either kind was drawn");
    return defined((mean(onOwn) - mean(onOthers)) / spread);
  };
  const observed = preference(texts.map((_, position) => position));
  if (observed.value === null) return unknownFinding("self-preference", observed.reason);
  const { interval } = percentileBootstrap<ArrayLike<number>>({
    draw: drawPositions(texts.length),
    statistic: preference,
    random: seededRandom(options.seed),
    resamples: options.resamples,
  });
  const clear = interval !== null && interval[0] > 0;
  return {
    check: "self-preference",
    state: clear && observed.value > NOTICEABLE_PREFERENCE ? "problem" : clear ? "watch" : "sound",
    n: texts.length,
    figure: { name: "lead on own texts, in standard deviations", value: observed.value, interval },
    message: `${own} of the texts are the judge's own; other judges scored all of them too.`,
  };
}
