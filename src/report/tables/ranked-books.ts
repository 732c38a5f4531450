import { isScored, type Verdict } from "../../core/verdict.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { plainLine } from "../markup.ts";

export const RANKED_HEADINGS = ["rank", "overall", "range", "words", "title", "file"] as const;

/** Books by their overall score, best first; those without one last. Books whose ranges meet may be equally good. */
export function rankedBooks(evaluations: readonly BookEvaluation[]): string[][] {
  const scoreOf = ({ overall }: BookEvaluation) => (isScored(overall) ? overall.score : Number.NEGATIVE_INFINITY);
  return [...evaluations]
    .sort((left, right) => scoreOf(right) - scoreOf(left))
    .map((evaluation, at) => {
      const { overall, book, suspicions = [] } = evaluation;
      return [
        isScored(overall) ? String(at + 1) : "–",
        isScored(overall) ? overall.score.toFixed(1) : "unscored",
        rangeOf(overall),
        book.words.toLocaleString("en-GB"),
        plainLine(book.title) + (suspicions.length > 0 ? " (may be manipulated)" : ""),
        plainLine(book.file),
      ];
    });
}

function rangeOf(verdict: Verdict): string {
  return isScored(verdict) && verdict.interval
    ? `${verdict.interval[0].toFixed(1)} to ${verdict.interval[1].toFixed(1)}`
    : "–";
}
