import { z } from "zod";
import { verdictSchema } from "../../core/verdict.ts";
import type { AspectResult, BookEvaluation } from "../../judge/evaluation.ts";

const cellSchema = z.object({
  aspect: z.string(),
  name: z.string(),
  verdict: verdictSchema,
  support: z.object({ scored: z.number(), segments: z.number() }).nullable(),
});

/** What one judge said of a book, on the scale it was asked in: small enough to be held for every evaluation of a library. */
export const evaluationLineSchema = z.object({
  judge: z.string(),
  runs: z.number().int(),
  scale: z.object({ minimum: z.number(), maximum: z.number() }),
  /** `overall` first, then the aspects that are not part of another one. */
  cells: z.array(cellSchema),
});

export type EvaluationLine = z.infer<typeof evaluationLineSchema>;
export type EvaluationCell = z.infer<typeof cellSchema>;

export const OVERALL = "overall";

/** An evaluation as lines of the grid: one for each judge, be it alone, of a panel or of the embedded jury. */
export function evaluationLines(evaluation: BookEvaluation): EvaluationLine[] {
  const { judge, runs, scale, panel, jury } = evaluation;
  const aspects = wholeAspects(evaluation.aspects);
  if (panel) {
    return panel.judges.map((seat) => ({
      judge: seat.judge,
      runs: seat.runs ?? runs,
      scale,
      cells: [
        cell(OVERALL, "Overall", seat.overall),
        ...aspects.flatMap(({ id, name }) => {
          const verdict = seat.aspects[id];
          return verdict ? [cell(id, name, verdict)] : [];
        }),
      ],
    }));
  }
  const judged = aspects.map(({ id, name, verdict, support }) => cell(id, name, verdict, support));
  if (jury) {
    return jury.jurors.map((juror) => ({
      judge: juror.id,
      runs,
      scale: juror.scale,
      cells: [cell(OVERALL, "Overall", juror.overall), ...judged],
    }));
  }
  return [{ judge, runs, scale, cells: [cell(OVERALL, "Overall", evaluation.overall, evaluation.support), ...judged] }];
}

/** Parts of an aspect are in the report; where the whole was not asked for, they stand for themselves. */
function wholeAspects(aspects: readonly AspectResult[]): AspectResult[] {
  const asked = new Set(aspects.map(({ id }) => id));
  return aspects.filter(({ parent }) => parent === undefined || !asked.has(parent));
}

function cell(
  aspect: string,
  name: string,
  verdict: EvaluationCell["verdict"],
  support?: AspectResult["support"],
): EvaluationCell {
  return { aspect, name, verdict, support: support ?? null };
}
