import { HUNDRED, rescale, type Scale } from "../../../core/scale.ts";
import type { BookEvaluation } from "../../../judge/evaluation.ts";
import { withHash } from "../../../judge/settings.ts";
import type { Judgement } from "../../../stats/judge-health/judgement.ts";
import { judgementsOf, keyOf, type Making, waysOfJudging } from "../read-judgements.ts";
import { type Seat, type ShelvedBook, seatsOf } from "./seats.ts";

/** What is held of one evaluation: who gave which scores, and what its judgements say of the judge. */
export interface Heard {
  readonly making: Making;
  readonly runs: number;
  readonly bookId: string;
  readonly seats: readonly Seat[];
  readonly judgements: readonly Judgement[];
}

export function heard(evaluation: BookEvaluation, shelved: ShelvedBook): Heard {
  const making = withoutRepeats(evaluation);
  return {
    making,
    runs: evaluation.runs,
    bookId: shelved.bookId,
    seats: seatsOf({ ...evaluation, ...making }, shelved),
    judgements: judgementsOf([evaluation]).judgements.map((judgement) => onHundred(judgement, evaluation.scale)),
  };
}

/** Judges of other scales stand beside each other where own texts are compared with those of others. */
function onHundred(judgement: Judgement, scale: Scale): Judgement {
  const moved = (score: number) => rescale(score, scale, HUNDRED);
  const aspects = Object.fromEntries(Object.entries(judgement.aspects).map(([id, score]) => [id, moved(score)]));
  return { ...judgement, score: moved(judgement.score), aspects };
}

/** How often a judge was asked does not make it another judge. */
function withoutRepeats({ judge, method, rubric, settings }: BookEvaluation): Making {
  if (!settings) return { judge, method, rubric, settings };
  const { hash: _hash, ...others } = settings;
  return { judge, method, rubric, settings: withHash({ ...others, runs: 1, untilHalfWidth: null }) };
}

/** Everything under names that tell two ways of one judge and method apart; newest first, as it came. */
export function withNames(all: readonly Heard[]): Heard[] {
  const ways = waysOfJudging(all.map(({ making }) => making));
  return all.map((one) => {
    const apart = ways.get(keyOf(one.making)) ?? null;
    if (apart === null) return one;
    const plain = `${one.making.judge} · ${one.making.method}`;
    const rename = (name: string) => (name === plain ? `${plain} · ${apart}` : name);
    return {
      ...one,
      seats: one.seats.map((seat) => ({ ...seat, name: rename(seat.name) })),
      judgements: one.judgements.map((judgement) => ({ ...judgement, judge: rename(judgement.judge) })),
    };
  });
}

/**
 * One evaluation of each book in each way, the one with the most runs: judged again with nothing changed, a judge is not asked
 * again, and its stored answers would look like perfect repeats.
 */
export function onePerWay(all: readonly Heard[]): Heard[] {
  const best = new Map<string, Heard>();
  for (const one of all) {
    const key = JSON.stringify([one.bookId, keyOf(one.making)]);
    if ((best.get(key)?.runs ?? 0) < one.runs) best.set(key, one);
  }
  return [...best.values()];
}
