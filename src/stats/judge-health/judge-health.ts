import { seededRandom } from "../../core/random.ts";
import { pairedPermutationTest } from "../comparison/significance-tests.ts";
import { kendallTau } from "../correlation.ts";
import { mean, quantiles, standardDeviation, sum, variance, wilsonInterval } from "../distribution.ts";
import { principalComponents } from "../linear/principal-components.ts";
import { drawPositions, percentileBootstrap } from "../resampling.ts";
import { defined, notDefined, type Statistic } from "../statistic.ts";
import { checkLengthBias, checkPositionBias, checkSelfPreference, checkVerbosity } from "./biases.ts";
import {
  byItem,
  type Finding,
  type HealthOptions,
  type Judgement,
  type OrderedComparison,
  unknownFinding,
} from "./judgement.ts";

const PROBLEM = 0.9;
const WATCH = 0.75;
const FEWEST_ROWS = 10;

/** Whether all aspects are really one number: the share of their variance that a single component explains. */
function checkHalo(judgements: readonly Judgement[]): Finding {
  const names = [...new Set(judgements.flatMap(({ aspects }) => Object.keys(aspects)))];
  const usable = names.filter((name) => judgements.some(({ aspects }) => isNumber(aspects[name])));
  const rows = judgements
    .map(({ aspects }) => usable.map((name) => aspects[name] ?? Number.NaN))
    .filter((row) => row.every(isNumber));
  if (usable.length < 3 || rows.length < FEWEST_ROWS) {
    return unknownFinding("halo", `needs at least three aspects, all scored on at least ${FEWEST_ROWS} texts`);
  }
  const varying = usable
    .map((_, column) => column)
    .filter((column) => rows.some((row) => row[column] !== rows[0]![column]));
  if (varying.length < 3) return unknownFinding("halo", "fewer than three aspects vary from text to text");
  const { explained } = principalComponents(
    rows.map((row) => varying.map((column) => row[column]!)),
    { standardise: true },
  );
  const share = explained[0]!;
  // 1 if one component explains everything, the number of aspects if all explain the same (the participation ratio).
  const dimensions = 1 / sum(explained.map((part) => part ** 2));
  return {
    check: "halo",
    state: share >= PROBLEM ? "problem" : share >= WATCH ? "watch" : "sound",
    n: rows.length,
    figure: { name: "variance explained by one component", value: share, interval: null },
    message: `${varying.length} aspects carry about ${dimensions.toFixed(1)} numbers; they lie ${meanSpread(rows, varying).toFixed(2)} points apart within a text.`,
  };
}

function meanSpread(rows: readonly (readonly number[])[], columns: readonly number[]): number {
  return mean(
    rows.map((row) => {
      const scores = columns.map((column) => row[column]!);
      return Math.max(...scores) - Math.min(...scores);
    }),
  );
}

function isNumber(value: number | undefined): value is number {
  return value !== undefined && !Number.isNaN(value);
}

export interface HealthRecords {
  readonly judgements: readonly Judgement[];
  /** Earlier judgements of pinned texts. */
  readonly anchors: readonly Judgement[];
  readonly comparisons: readonly OrderedComparison[];
  readonly scale: Scale | null;
  /** From stress tests. */
  readonly reactions?: readonly DamageReaction[];
  /** Blind votes on the judge's verdicts. */
  readonly votes?: readonly BlindVote[];
}

export interface JudgeHealth {
  readonly judge: string;
  readonly judgements: number;
  readonly unscored: number;
  readonly findings: readonly Finding[];
}

/**
 * Runs every check of how a judge scores, for every judge in the records: steadiness, bias by position, length or
 * author, aspects that all get the same score, use of the scale, drift, response to damaged text, and agreement with blind votes. A check that
 * lacks data is `unknown`, not passed.
 *
 * @example
 * ```ts
 * const scale = { minimum: 1, maximum: 10 };
 * const reports = judgeHealth({ judgements, anchors: [], comparisons: [], scale }, { seed: 1, resamples: 1000 });
 * for (const { judge, findings } of reports) {
 *   for (const { check, state, message } of findings) console.log(judge, check, state, message);
 * }
 * ```
 */
export function judgeHealth(records: HealthRecords, options: HealthOptions): JudgeHealth[] {
  const judges = new Set(
    [
      ...[...records.judgements, ...records.comparisons],
      ...[...(records.reactions ?? []), ...(records.votes ?? [])],
    ].map(({ judge }) => judge),
  );
  return [...judges].map((judge) => {
    const own = <Row extends { readonly judge: string }>(rows: readonly Row[]) =>
      rows.filter((row) => row.judge === judge);
    const judgements = own(records.judgements);
    // A new version of a judge has a new name, so anchors without this name are its predecessor's.
    const sameName = own(records.anchors);
    const anchors = sameName.length > 0 ? sameName : records.anchors;
    return {
      judge,
      judgements: judgements.length,
      unscored: judgements.filter(({ score }) => Number.isNaN(score)).length,
      findings: [
        checkTestRetest(judgements, options),
        checkPositionBias(own(records.comparisons)),
        checkLengthBias(judgements, options),
        checkVerbosity(judgements, options),
        checkSelfPreference(judge, records.judgements, options),
        checkHalo(judgements),
        checkScaleUse(judgements, records.scale),
        checkDrift(judgements, anchors, options),
        checkDamage(own(records.reactions ?? [])),
        checkAgreement(own(records.votes ?? [])),
      ].map(withoutEmptyInterval),
    };
  });
}

/** An interval of zero width comes from data that do not vary, and would look like certainty. */
function withoutEmptyInterval(finding: Finding): Finding {
  const { figure } = finding;
  if (!figure?.interval || figure.interval[1] - figure.interval[0] > 1e-9) return finding;
  return { ...finding, figure: { ...figure, interval: null } };
}

const FEWEST_SCORES = 20;
const NARROW_USE = 0.2;
const CROWDED = 0.5;

export interface Scale {
  readonly minimum: number;
  readonly maximum: number;
}

/** How much of the scale the judge uses. A judge that gives almost everything 8 of 10 cannot distinguish texts. */
function checkScaleUse(judgements: readonly Judgement[], scale: Scale | null): Finding {
  const scores = judgements.map(({ score }) => score).filter((score) => !Number.isNaN(score));
  if (scores.length < FEWEST_SCORES) return unknownFinding("scale-use", `needs at least ${FEWEST_SCORES} scores`);
  if (!scale) return unknownFinding("scale-use", "needs the ends of the scale: --scale 0,20");
  const [low, high] = quantiles(scores, [0.05, 0.95]);
  const used = (high! - low!) / (scale.maximum - scale.minimum);
  const counts = new Map<number, number>();
  for (const score of scores) counts.set(score, (counts.get(score) ?? 0) + 1);
  const [favourite, times] = [...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most));
  const crowded = times / scores.length;
  const outside = scores.filter((score) => score < scale.minimum || score > scale.maximum).length;
  return {
    check: "scale-use",
    state:
      outside > 0 || used < NARROW_USE / 2 || crowded > CROWDED ? "problem" : used < NARROW_USE ? "watch" : "sound",
    n: scores.length,
    figure: { name: "share of the scale that nine of ten scores span", value: used, interval: null },
    message: `${counts.size} different scores; ${Math.round(crowded * 100)}% are ${favourite}.${outside > 0 ? ` ${outside} lie outside the scale.` : ""}`,
  };
}

/** A judge's reaction to one damaged (or harmlessly changed) version of a book: see `fabula stress`. */
export interface DamageReaction {
  readonly judge: string;
  readonly damage: string;
  readonly harmless: boolean;
  readonly reaction: "right" | "blind" | "wrong";
}

/** If fewer than this part of the damaged versions are noticed, the score says little about a book. */
const FEW_NOTICED = 0.5;
const SHOWN_DAMAGES = 3;

/** Whether the score falls when a book is damaged, and stays when a change is harmless. */
export function checkDamage(reactions: readonly DamageReaction[]): Finding {
  if (reactions.length === 0) {
    return unknownFinding("damage", "no stress test of this judge was given: `fabula stress BOOKS --judge J --json`");
  }
  const damaged = reactions.filter(({ harmless }) => !harmless);
  const right = damaged.filter(({ reaction }) => reaction === "right").length;
  const wrong = [...new Set(reactions.filter(({ reaction }) => reaction === "wrong").map(({ damage }) => damage))];
  const wrongly = reactions.filter(({ reaction }) => reaction === "wrong").length;
  const share = damaged.length === 0 ? 0 : right / damaged.length;
  const more = wrong.length > SHOWN_DAMAGES ? ` and ${wrong.length - SHOWN_DAMAGES} more` : "";
  return {
    check: "damage",
    state: wrongly > 0 ? "problem" : share < FEW_NOTICED ? "watch" : "sound",
    n: reactions.length,
    figure:
      damaged.length === 0
        ? null
        : { name: "share noticed", value: share, interval: wilsonInterval(right, damaged.length, 0.95) },
    message:
      wrongly > 0
        ? `moved the wrong way ${wrongly} times: ${wrong.slice(0, SHOWN_DAMAGES).join(", ")}${more}`
        : `noticed ${right} of ${damaged.length} damaged versions, and moved none the wrong way`,
  };
}

/** Whether a person who read two verdicts without names sided with this judge. */
export interface BlindVote {
  readonly judge: string;
  readonly outcome: "won" | "lost" | "tied";
}

const FEWEST_VOTES = 10;

/**
 * How often people side with the judge where it disagrees with another one. Half is chance; a tie counts half for
 * each.
 */
function checkAgreement(votes: readonly BlindVote[]): Finding {
  if (votes.length < FEWEST_VOTES) {
    return unknownFinding("agreement", `needs at least ${FEWEST_VOTES} blind votes, given with --votes`);
  }
  const won = votes.filter(({ outcome }) => outcome === "won").length;
  const tied = votes.filter(({ outcome }) => outcome === "tied").length;
  const sided = won + tied / 2;
  const interval = wilsonInterval(sided, votes.length, 0.95);
  return {
    check: "agreement",
    state: interval[0] > 0.5 ? "sound" : interval[1] < 0.5 ? "problem" : "watch",
    n: votes.length,
    figure: { name: "share of votes for it", value: sided / votes.length, interval },
    message: `People sided with it in ${won} of ${votes.length} disputed verdicts, ${tied} tied; half is chance.`,
  };
}

const SOUND = 0.9;
/** With fewer texts, scores may be close together by chance, and a consistent judge would look inconsistent. */
const FEWEST_TO_CONDEMN = 10;

/**
 * Whether the judge gives the same scores when asked again: the share of the variance of its scores that lies between
 * texts.
 */
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

/** Whether the judge has changed, from the same pinned texts scored before and now. */
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
