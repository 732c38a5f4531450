import { HUNDRED, isScored, rescale, rescaleVerdict, type Scale, type Verdict } from "../../../core/verdict.ts";
import { type AspectResult, aspectRows, type BookEvaluation, type HowJudged } from "../../../judge/evaluation.ts";
import { withHash } from "../../../judge/settings.ts";
import type { Judgement } from "../../../stats/judge-health/judgement.ts";
import { judgementsOf, keyOf, waysOfJudging } from "../read-judgements.ts";

/** One judge that scored one book: alone, in a panel, or as a juror of the embedded jury. */
export interface Scorer {
  readonly evaluationId: string;
  readonly bookId: string;
  /** Judge, method and settings; scorers with the same value may be counted together. */
  readonly way: string;
  readonly judge: string;
  /** Judge and method, and the setting in which it judged. */
  readonly name: string;
  readonly scores: readonly GivenScore[];
  readonly quotations: readonly GivenQuotation[];
  /** Whether the evaluation holds its remarks; those of a panel belong to all its judges together. */
  readonly hasRemarks: boolean;
}

/** On a scale of 0 to 100. */
export interface GivenScore {
  readonly aspect: string;
  readonly name: string;
  readonly score: number;
  readonly interval: readonly [number, number] | null;
}

export interface GivenQuotation {
  readonly aspect: string;
  readonly isPraise: boolean;
  readonly chapter: number;
  readonly start: number;
  readonly end: number;
  readonly quote: string;
}

export interface ShelvedBook {
  readonly evaluationId: string;
  readonly bookId: string;
}

const OVERALL = { id: "overall", name: "Overall" };

/** Everybody who gave a score in an evaluation, on one scale. */
export function scorersOf(evaluation: BookEvaluation, shelved: ShelvedBook): Scorer[] {
  const { judge, method, scale, panel, jury } = evaluation;
  const way = keyOf(evaluation);
  if (jury) {
    return jury.jurors.map(({ id, overall, scale: own }) => ({
      ...shelved,
      way: `juror ${id}`,
      judge: id,
      name: `${id} · ${method}`,
      scores: scoresOf([[OVERALL, overall]], own),
      quotations: [],
      hasRemarks: false,
    }));
  }
  const aspects = aspectRows(evaluation.aspects).map(({ result, label }) => ({ ...result, name: label }));
  if (panel) {
    return panel.judges.map((scorer) => ({
      ...shelved,
      way: `${way} ${scorer.judge}`,
      judge: scorer.judge,
      name: `${scorer.judge} · ${method} · in a panel`,
      scores: scoresOf(
        [
          [OVERALL, scorer.overall],
          ...aspects.flatMap((aspect): [AspectResult, Verdict][] => {
            const verdict = scorer.aspects[aspect.id];
            return verdict ? [[aspect, verdict]] : [];
          }),
        ],
        scale,
      ),
      quotations: [],
      hasRemarks: false,
    }));
  }
  const scores = scoresOf(
    [[OVERALL, evaluation.overall], ...aspects.map((aspect): [AspectResult, Verdict] => [aspect, aspect.verdict])],
    scale,
  );
  const name = `${judge} · ${method}`;
  return [{ ...shelved, way, judge, name, scores, quotations: aspects.flatMap(quotationsOf), hasRemarks: true }];
}

function scoresOf(
  verdicts: readonly (readonly [{ readonly id: string; readonly name: string }, Verdict])[],
  scale: Scale,
): GivenScore[] {
  return verdicts.flatMap(([{ id, name }, verdict]) => {
    const moved = rescaleVerdict(verdict, scale, HUNDRED);
    if (!isScored(moved)) return [];
    return [{ aspect: id, name, score: moved.score, interval: moved.interval ?? null }];
  });
}

/** Quotations that occur in the book, and whether they were praised or criticised. */
function quotationsOf({ id, strengths, weaknesses, evidence }: AspectResult): GivenQuotation[] {
  const of = (remarks: AspectResult["strengths"], isPraise: boolean) =>
    remarks.flatMap((remark) =>
      remark.evidence.flatMap((position): GivenQuotation[] => {
        const found = evidence[position];
        if (!found?.found || found.start === null || found.end === null) return [];
        const { chapter, start, end, quote } = found;
        return [{ aspect: id, isPraise, chapter, start, end, quote }];
      }),
    );
  return [...of(strengths, true), ...of(weaknesses, false)];
}

/** What is kept in memory of an evaluation: who gave which scores, and what its judgements say about the judge. */
export interface JudgedBook {
  readonly making: HowJudged;
  readonly runs: number;
  readonly bookId: string;
  readonly scorers: readonly Scorer[];
  readonly judgements: readonly Judgement[];
}

export function judgedBook(evaluation: BookEvaluation, shelved: ShelvedBook): JudgedBook {
  const making = withoutRepeats(evaluation);
  return {
    making,
    runs: evaluation.runs,
    bookId: shelved.bookId,
    scorers: scorersOf({ ...evaluation, ...making }, shelved),
    judgements: judgementsOf([evaluation]).judgements.map((judgement) => onHundred(judgement, evaluation.scale)),
  };
}

/** Converts to 0 to 100, because judges with different scales are compared on their own and on others' texts. */
function onHundred(judgement: Judgement, scale: Scale): Judgement {
  const moved = (score: number) => rescale(score, scale, HUNDRED);
  const aspects = Object.fromEntries(Object.entries(judgement.aspects).map(([id, score]) => [id, moved(score)]));
  return { ...judgement, score: moved(judgement.score), aspects };
}

/** Ignores the number of runs, which does not make it another judge. */
function withoutRepeats({ judge, method, rubric, settings }: BookEvaluation): HowJudged {
  if (!settings) return { judge, method, rubric, settings };
  const { hash: _hash, ...others } = settings;
  return { judge, method, rubric, settings: withHash({ ...others, runs: 1, untilHalfWidth: null }) };
}

/** Gives everything names that distinguish two ways of one judge and method; keeps the order, newest first. */
export function withNames(all: readonly JudgedBook[]): JudgedBook[] {
  const ways = waysOfJudging(all.map(({ making }) => making));
  return all.map((one) => {
    const apart = ways.get(keyOf(one.making)) ?? null;
    if (apart === null) return one;
    const plain = `${one.making.judge} · ${one.making.method}`;
    const rename = (name: string) => (name === plain ? `${plain} · ${apart}` : name);
    return {
      ...one,
      scorers: one.scorers.map((scorer) => ({ ...scorer, name: rename(scorer.name) })),
      judgements: one.judgements.map((judgement) => ({ ...judgement, judge: rename(judgement.judge) })),
    };
  });
}

/**
 * For each book and way of judging, the evaluation with the most runs. If nothing changed, a judge is not asked
 * again, and its stored answers would look like perfectly consistent repeats.
 */
export function onePerWay(all: readonly JudgedBook[]): JudgedBook[] {
  const best = new Map<string, JudgedBook>();
  for (const one of all) {
    const key = JSON.stringify([one.bookId, keyOf(one.making)]);
    if ((best.get(key)?.runs ?? 0) < one.runs) best.set(key, one);
  }
  return [...best.values()];
}
