import type { CellDetails, CellRemarks } from "../../api/cells.ts";
import { costFields } from "../../core/cost.ts";
import { HUNDRED, rescale, rescaleVerdict } from "../../core/scale.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { evaluationLines, OVERALL } from "./evaluation-lines.ts";

export interface CellPlace {
  /** Which judge of the evaluation, from 0. */
  readonly seat: number;
  readonly aspect: string;
}

/** What an evaluation holds of one cell; null when it has no such cell. */
export function cellDetails(
  { id, bookId, title, createdAt }: { id: string; bookId: string; title: string; createdAt: string },
  evaluation: BookEvaluation,
  { seat, aspect }: CellPlace,
): CellDetails | null {
  const line = evaluationLines(evaluation)[seat];
  const cell = line?.cells.find((candidate) => candidate.aspect === aspect);
  if (!line || !cell) return null;
  const scores = scoresOf(evaluation, { seat, aspect });
  return {
    evaluationId: id,
    seat,
    aspect: { id: aspect, name: cell.name },
    bookId,
    title,
    createdAt,
    language: evaluation.book.language,
    chapters: evaluation.book.chapters.map(({ index, title }) => ({ index, title })),
    judge: line.judge,
    method: evaluation.method,
    runs: line.runs,
    support: cell.support,
    scale: HUNDRED,
    verdict: rescaleVerdict(cell.verdict, line.scale, HUNDRED),
    given: { verdict: cell.verdict, scale: line.scale },
    scores: scores?.map((score) => rescale(score, line.scale, HUNDRED)) ?? null,
    percentile: percentileOf(evaluation, aspect),
    remarks: remarksOn(evaluation, aspect),
    settings: evaluation.settings ?? null,
    calls: evaluation.calls,
    ...costFields(evaluation),
    runId: evaluation.run ?? null,
  };
}

function scoresOf({ panel, repeats, aspects }: BookEvaluation, { seat, aspect }: CellPlace): readonly number[] | null {
  if (panel) return (aspect === OVERALL && panel.judges[seat]?.repeats?.scores) || null;
  const own = aspect === OVERALL ? repeats : aspects.find(({ id }) => id === aspect)?.repeats;
  return own?.scores ?? null;
}

/** A panel has one place together; none of its judges has one alone. */
function percentileOf(evaluation: BookEvaluation, aspect: string): CellDetails["percentile"] {
  const { population, panel, overallPercentile, aspects } = evaluation;
  const value = aspect === OVERALL ? overallPercentile : aspects.find(({ id }) => id === aspect)?.percentile;
  if (!population || panel || value === null || value === undefined) return null;
  return { value, size: population.size, description: population.description };
}

function remarksOn({ panel, aspects }: BookEvaluation, aspect: string): CellRemarks | null {
  const said = aspects.find(({ id }) => id === aspect);
  if (!said) return null;
  const { strengths, weaknesses, evidence } = said;
  return { isOfPanel: panel !== undefined, strengths, weaknesses, evidence };
}
