import { letterGroups } from "../../stats/comparison/multiple-comparison.ts";
import { spearman } from "../../stats/correlation.ts";
import { mean, sum, wilsonInterval } from "../../stats/distribution.ts";
import { type FittedStrengths, LOGISTIC, likeliestStrengths } from "../../stats/rating.ts";
import { studentInterval, studentTwoSided } from "../../stats/special/student-t.ts";
import { studentizedRangeAbove } from "../../stats/special/studentized-range.ts";
import { isDefined } from "../../stats/statistic.ts";
import { SIGNIFICANCE } from "../writers/compare-writers.ts";
import { LEAST_JUDGES, summedVariance, type VariancePart } from "../writers/judge-sample.ts";
import { type DuelRow, PEOPLE } from "./duel.ts";

/** The data of the model: one answer, in one order. */
export type Decided = Pick<
  DuelRow,
  "novel" | "chapter" | "left" | "right" | "leftFirst" | "judge" | "better" | "voter"
>;

export interface Duellist {
  readonly writer: string;
  readonly rank: number;
  /** Log-odds of winning against the average contestant. */
  readonly strength: number;
  /** 95 %, over novels and, where there are enough, judges. */
  readonly interval: readonly [number, number];
  /** Writers that share a letter cannot be told apart. */
  readonly groups: string;
  /** Meetings, and the share of them won; a tie, or a different answer in each order, is half a win. */
  readonly meetings: number;
  readonly won: number;
}

export interface DuelPair {
  readonly first: string;
  readonly second: string;
  /** Times the two met, and the share that the first won. */
  readonly meetings: number;
  readonly won: number | null;
  /** Strength of the first above the second, with a 95 % interval for this pair alone. */
  readonly difference: number;
  readonly interval: readonly [number, number] | null;
  readonly p: number | null;
  /** Corrected for all pairs. */
  readonly adjusted: number | null;
}

export interface DuelJudge {
  readonly judge: string;
  readonly meetings: number;
  /** Meetings in which both orders gave the same answer, of those that were asked in both. */
  readonly consistent: { readonly same: number; readonly of: number };
  /** Share of decisions for the text shown first, with Wilson's 95 % interval; null if nothing was decided. */
  readonly first: { readonly share: number; readonly interval: readonly [number, number] } | null;
  /** Agreement with people on comparisons that both decided, with Wilson's 95 % interval; null if there are none. */
  readonly withPeople: {
    readonly same: number;
    readonly of: number;
    readonly interval: readonly [number, number];
  } | null;
  /** Rank correlation of its strengths with those from people's votes alone; null if either has too few. */
  readonly order: number | null;
}

export interface DuelBoard {
  readonly rows: readonly Duellist[];
  readonly pairs: readonly DuelPair[];
  readonly judges: readonly DuelJudge[];
  readonly significance: number;
  readonly meetings: number;
  readonly novels: number;
  /** Whether the intervals and letters hold for other judges too, or for these only. */
  readonly acrossJudges: boolean;
  /** How far people agree with each other on the same comparison; null if none was voted on twice. */
  readonly amongPeople: { readonly same: number; readonly of: number } | null;
}

/**
 * Each contestant has this many ties in total against the others, so that one who won everything still has a finite
 * strength.
 */
const PRIOR_MEETINGS = 1;
/** The two answers, one in each order, are about the same texts, so together they count as one comparison. */
const ORDER_WEIGHT = 0.5;
/** With fewer common contestants than this, strengths say nothing about the order. */
const LEAST_ORDERED = 4;
const ROUGH = 1e-6;

type Wins = number[][];

/** Strengths, letters and judges' statistics from a set of answers. Null if fewer than two contestants have met. */
export function duelBoard(all: readonly Decided[]): DuelBoard | null {
  const answers = all.filter(({ better }) => better !== null);
  const writers = [...new Set(answers.flatMap(({ left, right }) => [left, right]))].sort();
  if (writers.length < 2) return null;
  const place = new Map(writers.map((writer, at) => [writer, at]));
  const whole = winsOf(answers, place);
  const fit = fitWins(whole);
  const novels = [...new Set(answers.map(({ novel }) => novel))];
  const left = leaveNovelsOut(answers, novels, place, whole, fit);
  const judged = judgesPart(answers, place);
  const partsOf = (
    weights: readonly (readonly [number, number])[],
    tested: number,
  ): { readonly parts: readonly VariancePart[]; readonly modelled: number } => {
    const degrees = Math.max(
      1,
      novelsMet(
        answers,
        weights.map(([at]) => writers[at]!),
      ) - 1,
    );
    const drawn = left.map((strengths) => sum(weights.map(([at, weight]) => weight * strengths[at]!)));
    const centre = mean(drawn);
    const jackknife = ((drawn.length - 1) / drawn.length) * sum(drawn.map((value) => (value - centre) ** 2));
    const modelled = sum(
      weights.flatMap(([row, one]) =>
        weights.map(([column, other]) => one * other * fit.covariance[row * writers.length + column]!),
      ),
    );
    // The answers about a contestant who won everything have no spread, so the model's own error is a lower bound.
    const ofNovels = { variance: Math.max(jackknife, modelled), degrees };
    const parts = judged ? [ofNovels, { variance: judged.variance * tested, degrees: judged.degrees }] : [ofNovels];
    return { parts, modelled };
  };
  const pairs: DuelPair[] = [];
  for (const [one, first] of writers.entries()) {
    for (let other = one + 1; other < writers.length; other++) {
      const weights = [
        [one, 1],
        [other, -1],
      ] as const;
      const { parts, modelled } = partsOf(weights, 2);
      const { error, degrees } = summedVariance(parts);
      const difference = fit.strengths[one]! - fit.strengths[other]!;
      // The additional error from novels and judges reduces the distance proportionally.
      const t = error > 0 ? distanceOf(whole, fit, one, other) * (Math.sqrt(modelled) / error) : null;
      const meetings = whole[one]![other]! + whole[other]![one]!;
      pairs.push({
        ...{ first, second: writers[other]!, difference, meetings },
        won: meetings > 0 ? whole[one]![other]! / meetings : null,
        interval: t === null ? null : studentInterval(difference, error, degrees),
        p: t === null ? null : studentTwoSided(t, degrees),
        adjusted: t === null ? null : studentizedRangeAbove(Math.SQRT2 * t, writers.length, degrees),
      });
    }
  }
  const apart = new Set(
    pairs.flatMap(({ first, second, adjusted }) =>
      adjusted !== null && adjusted < SIGNIFICANCE ? [`${first}\n${second}`, `${second}\n${first}`] : [],
    ),
  );
  const order = writers.map((_, at) => at).sort((one, other) => fit.strengths[other]! - fit.strengths[one]!);
  const letters = letterGroups(order.length, (one, other) =>
    apart.has(`${writers[order[one]!]}\n${writers[order[other]!]}`),
  );
  const rows = order.map((at, rank): Duellist => {
    const { error, degrees } = summedVariance(partsOf([[at, 1]], 1 - 1 / writers.length).parts);
    const won = sum(whole[at]!);
    const meetings = won + sum(whole.map((wins) => wins[at]!));
    return {
      writer: writers[at]!,
      rank: rank + 1,
      strength: fit.strengths[at]!,
      interval: studentInterval(fit.strengths[at]!, error, degrees),
      groups: letters[rank]!,
      meetings,
      won: won / meetings,
    };
  });
  return {
    rows,
    pairs,
    judges: judgesOf(answers),
    significance: SIGNIFICANCE,
    meetings: sum(whole.map(sum)),
    novels: novels.length,
    acrossJudges: judged !== null,
    amongPeople: agreementAmongPeople(answers),
  };
}

function winsOf(answers: readonly Decided[], place: ReadonlyMap<string, number>): Wins {
  const wins = Array.from(place, () => new Array<number>(place.size).fill(0));
  for (const { left, right, better, voter } of answers) {
    const weight = voter === undefined ? ORDER_WEIGHT : 1;
    const share = better === "tie" ? 0.5 : better === "left" ? 1 : 0;
    const [one, other] = [place.get(left)!, place.get(right)!];
    wins[one]![other]! += weight * share;
    wins[other]![one]! += weight * (1 - share);
  }
  return wins;
}

/** Bradley–Terry strengths; each contestant has one tie in total against the others. */
export function fitWins(wins: Wins, start?: readonly number[]): FittedStrengths {
  return likeliestStrengths(withPrior(wins), LOGISTIC, start, ROUGH);
}

function withPrior(wins: Wins): Wins {
  const tie = PRIOR_MEETINGS / 2 / Math.max(1, wins.length - 1);
  return wins.map((row, one) => row.map((won, other) => (one === other ? 0 : won + tie)));
}

/**
 * The evidence against two contestants being equal: the signed square root of twice the loss of log likelihood when
 * both have one strength, in standard errors. Unlike the difference divided by its error, it does not shrink for one
 * who won nearly everything (Hauck and Donner, 1977).
 */
export function distanceOf(wins: Wins, { strengths }: FittedStrengths, one: number, other: number): number {
  const tied = withPrior(wins);
  const places = strengths.map((_, at) => (at === other ? one : at)).map((at) => (at > other ? at - 1 : at));
  const size = strengths.length - 1;
  if (size < 2) return Math.sqrt(2 * Math.max(0, logLikelihood(tied, strengths) - logLikelihood(tied, [0, 0])));
  const merged = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  for (const [row, own] of tied.entries()) {
    for (const [column, won] of own.entries()) {
      const [a, b] = [places[row]!, places[column]!];
      if (a !== b) merged[a]![b]! += won;
    }
  }
  const start = new Array<number>(size).fill(0);
  for (const [at, place] of places.entries()) start[place] = strengths[at]!;
  const equal = likeliestStrengths(merged, LOGISTIC, start, ROUGH).strengths;
  const lost =
    logLikelihood(tied, strengths) -
    logLikelihood(
      tied,
      places.map((place) => equal[place]!),
    );
  return Math.sqrt(2 * Math.max(0, lost));
}

function logLikelihood(wins: Wins, strengths: readonly number[]): number {
  let total = 0;
  for (const [one, row] of wins.entries()) {
    for (const [other, won] of row.entries())
      if (won > 0) total -= won * Math.log1p(Math.exp(strengths[other]! - strengths[one]!));
  }
  return total;
}

/**
 * The strengths without each novel in turn, because chapters of a novel, and both orders of a comparison, are not
 * independent.
 */
function leaveNovelsOut(
  answers: readonly Decided[],
  novels: readonly string[],
  place: ReadonlyMap<string, number>,
  whole: Wins,
  { strengths }: FittedStrengths,
): (readonly number[])[] {
  const byNovel = new Map<string, Decided[]>(novels.map((novel) => [novel, []]));
  for (const answer of answers) byNovel.get(answer.novel)!.push(answer);
  return [...byNovel.values()].map((own) => {
    const less = winsOf(own, place);
    const rest = whole.map((row, one) => row.map((won, other) => Math.max(0, won - less[one]![other]!)));
    return fitWins(rest, strengths).strengths;
  });
}

/** The number of novels on which each of these contestants has met anyone; the smallest of them. */
function novelsMet(answers: readonly Decided[], writers: readonly string[]): number {
  return Math.min(
    ...writers.map(
      (writer) =>
        new Set(answers.flatMap(({ novel, left, right }) => (left === writer || right === writer ? [novel] : []))).size,
    ),
  );
}

/**
 * How much judges differ about single contestants: the spread of the strengths by each judge alone, as a part of the
 * variance of the mean over the judges. Their few comparisons explain some of that spread; subtracting it would leave
 * too little on boards where it happens to be large, so it is included. Null for fewer than three judges.
 */
function judgesPart(answers: readonly Decided[], place: ReadonlyMap<string, number>): VariancePart | null {
  const judges = [...new Set(answers.map(({ judge }) => judge))];
  if (judges.length < LEAST_JUDGES) return null;
  const fits = judges.map((judge) =>
    fitWins(
      winsOf(
        answers.filter((answer) => answer.judge === judge),
        place,
      ),
    ),
  );
  const degrees = (judges.length - 1) * (place.size - 1);
  let squares = 0;
  for (let at = 0; at < place.size; at++) {
    const own = fits.map(({ strengths }) => strengths[at]!);
    const centre = mean(own);
    squares += sum(own.map((value) => (value - centre) ** 2));
  }
  return { variance: squares / degrees / judges.length, degrees };
}

const meetingKey = ({ novel, chapter, left, right }: Decided) =>
  JSON.stringify([novel, chapter, ...[left, right].sort()]);

/** For the alphabetically first of the two: 1 for each win, −1 for each loss. */
const inOrder = ({ left, right, better }: Decided) =>
  better === "tie" ? 0 : (better === "left") === left < right ? 1 : -1;

function verdicts(answers: readonly Decided[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const answer of answers) {
    const key = meetingKey(answer);
    sums.set(key, (sums.get(key) ?? 0) + inOrder(answer));
  }
  return sums;
}

function judgesOf(answers: readonly Decided[]): DuelJudge[] {
  const votes = answers.filter(({ judge }) => judge === PEOPLE);
  const byPeople = verdicts(votes);
  const ofPeople = strengthsBy(votes);
  const names = [...new Set(answers.map(({ judge }) => judge))].filter((judge) => judge !== PEOPLE).sort();
  return [...names, ...(votes.length > 0 ? [PEOPLE] : [])].map((judge) => {
    const own = answers.filter((answer) => answer.judge === judge);
    const said = verdicts(own);
    const byMeeting = new Map<string, Decided[]>();
    for (const answer of own) byMeeting.set(meetingKey(answer), [...(byMeeting.get(meetingKey(answer)) ?? []), answer]);
    const both = judge === PEOPLE ? [] : [...byMeeting.values()].filter((group) => group.length === 2);
    const decided = own.filter(({ better }) => better !== "tie");
    const shownFirst = decided.filter(({ better, leftFirst }) => (better === "left") === leftFirst).length;
    const shared =
      judge === PEOPLE
        ? []
        : [...said].flatMap(([key, verdict]) => {
            const theirs = byPeople.get(key);
            return theirs === undefined || theirs === 0 || verdict === 0
              ? []
              : [Math.sign(verdict) === Math.sign(theirs)];
          });
    const same = shared.filter(Boolean).length;
    return {
      judge,
      meetings: byMeeting.size,
      consistent: { same: both.filter(([one, other]) => one!.better === other!.better).length, of: both.length },
      first:
        decided.length === 0
          ? null
          : {
              share: shownFirst / decided.length,
              interval: wilsonInterval(shownFirst, decided.length, 0.95),
            },
      withPeople:
        shared.length === 0 ? null : { same, of: shared.length, interval: wilsonInterval(same, shared.length, 0.95) },
      order: judge === PEOPLE ? null : orderWith(strengthsBy(own), ofPeople),
    };
  });
}

function strengthsBy(answers: readonly Decided[]): ReadonlyMap<string, number> {
  const writers = [...new Set(answers.flatMap(({ left, right }) => [left, right]))].sort();
  if (writers.length < 2) return new Map();
  const { strengths } = fitWins(winsOf(answers, new Map(writers.map((writer, at) => [writer, at]))));
  return new Map(writers.map((writer, at) => [writer, strengths[at]!]));
}

function orderWith(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number | null {
  const shared = [...one.keys()].filter((writer) => other.has(writer));
  if (shared.length < LEAST_ORDERED) return null;
  const found = spearman(
    shared.map((writer) => one.get(writer)!),
    shared.map((writer) => other.get(writer)!),
  );
  return isDefined(found) ? found.value : null;
}

/** Agreement between every two people who decided on the same comparison. */
function agreementAmongPeople(answers: readonly Decided[]): DuelBoard["amongPeople"] {
  const byMeeting = new Map<string, Map<string, number>>();
  for (const answer of answers) {
    if (answer.voter === undefined || answer.better === "tie") continue;
    const key = meetingKey(answer);
    byMeeting.set(key, (byMeeting.get(key) ?? new Map()).set(answer.voter, inOrder(answer)));
  }
  let [same, of] = [0, 0];
  for (const votes of byMeeting.values()) {
    const given = [...votes.values()];
    for (const [at, one] of given.entries()) {
      for (const other of given.slice(at + 1)) {
        of++;
        if (one === other) same++;
      }
    }
  }
  return of === 0 ? null : { same, of };
}
