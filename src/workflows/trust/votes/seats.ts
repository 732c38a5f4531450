import { HUNDRED, rescaleVerdict } from "../../../core/scale.ts";
import { isScored, type Verdict } from "../../../core/verdict.ts";
import { aspectRows } from "../../../judge/aspect-rows.ts";
import type { AspectResult, BookEvaluation } from "../../../judge/evaluation.ts";
import { keyOf } from "../read-judgements.ts";

/** One judge that spoke of one book: alone, in a panel, or as a juror of the embedded jury. */
export interface Seat {
  readonly evaluationId: string;
  readonly bookId: string;
  /** Judge, method and settings: seats of one way may be counted together. */
  readonly way: string;
  readonly judge: string;
  /** Judge and method, and where it sat. */
  readonly name: string;
  readonly scores: readonly SeatScore[];
  readonly quotations: readonly SeatQuotation[];
  /** Whether its remarks are in the evaluation; those of a panel belong to all its judges together. */
  readonly hasRemarks: boolean;
}

/** From 0 to 100. */
export interface SeatScore {
  readonly aspect: string;
  readonly name: string;
  readonly score: number;
  readonly interval: readonly [number, number] | null;
}

export interface SeatQuotation {
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

type Scale = BookEvaluation["scale"];
const OVERALL = { id: "overall", name: "Overall" };

/** Everybody who gave a score in an evaluation, on one scale. */
export function seatsOf(evaluation: BookEvaluation, shelved: ShelvedBook): Seat[] {
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
    return panel.judges.map((seat) => ({
      ...shelved,
      way: `${way} ${seat.judge}`,
      judge: seat.judge,
      name: `${seat.judge} · ${method} · in a panel`,
      scores: scoresOf(
        [
          [OVERALL, seat.overall],
          ...aspects.flatMap((aspect): [AspectResult, Verdict][] => {
            const verdict = seat.aspects[aspect.id];
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
): SeatScore[] {
  return verdicts.flatMap(([{ id, name }, verdict]) => {
    const moved = rescaleVerdict(verdict, scale, HUNDRED);
    if (!isScored(moved)) return [];
    return [{ aspect: id, name, score: moved.score, interval: moved.interval ?? null }];
  });
}

/** Quotations that stand in the book, with whether they were praised or criticised. */
function quotationsOf({ id, strengths, weaknesses, evidence }: AspectResult): SeatQuotation[] {
  const of = (remarks: AspectResult["strengths"], isPraise: boolean) =>
    remarks.flatMap((remark) =>
      remark.evidence.flatMap((position): SeatQuotation[] => {
        const found = evidence[position];
        if (!found?.found || found.start === null || found.end === null) return [];
        const { chapter, start, end, quote } = found;
        return [{ aspect: id, isPraise, chapter, start, end, quote }];
      }),
    );
  return [...of(strengths, true), ...of(weaknesses, false)];
}
