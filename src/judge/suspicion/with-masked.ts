import { addCosts } from "../../core/cost.ts";
import type { BookEvaluation } from "../evaluation.ts";

/** An evaluation with what the same judge said of the masked book beside it, and what both together cost. */
export function withMasked(evaluation: BookEvaluation, again: BookEvaluation): BookEvaluation {
  return {
    ...evaluation,
    masked: {
      words: Math.max(0, evaluation.book.words - again.book.words),
      overall: again.overall,
      aspects: Object.fromEntries(again.aspects.map(({ id, verdict }) => [id, verdict])),
      ...(again.jury && { jurors: Object.fromEntries(again.jury.jurors.map(({ id, overall }) => [id, overall])) }),
      calls: again.calls,
      cost: again.cost,
    },
    calls: evaluation.calls + again.calls,
    ...addCosts([evaluation, again]),
  };
}
