import { isScored, type Verdict } from "../../core/verdict.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import type { ReportTable } from "../agreement/report-table.ts";
import { plainLine } from "../markup.ts";

/** Books by their overall score, best first; those without one last. Books whose ranges meet may be equally good. */
export function rankedBooks(evaluations: readonly BookEvaluation[]): Pick<ReportTable, "headings" | "rows"> {
  const isCalibrated = evaluations.some(({ people }) => people !== undefined);
  const headings = ["rank", "overall", "range", ...(isCalibrated ? ["people", "range"] : []), "words", "title", "file"];
  const scoreOf = ({ overall }: BookEvaluation) => (isScored(overall) ? overall.score : Number.NEGATIVE_INFINITY);
  const rows = [...evaluations]
    .sort((left, right) => scoreOf(right) - scoreOf(left))
    .map((evaluation, at) => {
      const { overall, book, people, suspicions = [] } = evaluation;
      return [
        isScored(overall) ? String(at + 1) : "–",
        isScored(overall) ? overall.score.toFixed(1) : "unscored",
        rangeOf(overall),
        ...(isCalibrated
          ? people && isScored(people.verdict)
            ? [people.verdict.score.toFixed(1), rangeOf(people.verdict)]
            : ["–", "–"]
          : []),
        book.words.toLocaleString("en-GB"),
        plainLine(book.title) + (suspicions.length > 0 ? " (may be manipulated)" : ""),
        plainLine(book.file),
      ];
    });
  return { headings, rows };
}

function rangeOf(verdict: Verdict): string {
  return isScored(verdict) && verdict.interval
    ? `${verdict.interval[0].toFixed(1)} to ${verdict.interval[1].toFixed(1)}`
    : "–";
}
