import type { BookEvaluation } from "../judge/evaluation.ts";
import type { EvaluationView } from "./evaluation-view.ts";
import { type CoursePoint, coursePlot } from "./plots/course.ts";
import { distributionPlot } from "./plots/distribution.ts";
import { radarPlot } from "./plots/radar.ts";
import { intervalInWords, scoreInWords } from "./wording.ts";

/**
 * The radar shows percentiles when there is a population, since scores of different aspects have different levels and a
 * percentile makes them comparable; otherwise it shows scores over the whole scale.
 */
export function aspectRadar({ aspects: rows, scale }: EvaluationView): string {
  const aspects = rows.filter(({ isPart }) => !isPart);
  const ranked = aspects.some(({ result }) => result.percentile !== null);
  const span = scale.maximum - scale.minimum;
  const spokes = aspects.map(({ result, label }) => {
    if (result.verdict.kind === "unscored") return { label, value: null, low: null, high: null };
    if (ranked)
      return { label, value: result.percentile === null ? null : result.percentile / 100, low: null, high: null };
    const position = (score: number) => Math.min(1, Math.max(0, (score - scale.minimum) / span));
    const { score, interval } = result.verdict;
    return {
      label,
      value: position(score),
      low: interval ? position(interval[0]) : null,
      high: interval ? position(interval[1]) : null,
    };
  });
  return radarPlot(spokes, ranked ? "Percentile of each aspect in the reference population" : "Score of each aspect");
}

export function overallCoursePlot(evaluation: BookEvaluation): string {
  const points = evaluation.overallCourse.map((point) => coursePoint(point, evaluation));
  return coursePlot(points, {
    caption: "Overall score, chapter by chapter",
    width: 760,
    height: 240,
    domain: domainOf(points, evaluation),
    axes: true,
    level: evaluation.overall.kind === "scored" ? evaluation.overall.score : null,
  });
}

export function aspectCoursePlot(evaluation: BookEvaluation, id: string): string {
  const aspect = evaluation.aspects.find((candidate) => candidate.id === id);
  if (!aspect || aspect.course.length < 2) return "";
  const points = aspect.course.map((point) => coursePoint(point, evaluation));
  return coursePlot(points, {
    caption: `${aspect.name}, chapter by chapter`,
    width: 260,
    height: 64,
    domain: domainOf(points, evaluation),
    axes: false,
    level: aspect.verdict.kind === "scored" ? aspect.verdict.score : null,
  });
}

export function populationPlot(evaluation: BookEvaluation): string {
  const { overall, population, book } = evaluation;
  if (overall.kind === "unscored" || !population || population.overall.length < 3) return "";
  return distributionPlot(
    population.overall,
    { score: overall.score, label: shortTitle(book.title), interval: overall.interval ?? null },
    `${book.title} among ${population.size} books`,
  );
}

function coursePoint(
  { chapter, verdict }: BookEvaluation["overallCourse"][number],
  evaluation: BookEvaluation,
): CoursePoint {
  const title = evaluation.book.chapters.find((candidate) => candidate.index === chapter)?.title;
  const heading = title ? `${chapter}. ${title}` : `Chapter ${chapter}`;
  if (verdict.kind === "unscored")
    return { chapter, value: null, low: null, high: null, label: `${heading}: ${verdict.reason}` };
  return {
    chapter,
    value: verdict.score,
    low: verdict.interval?.[0] ?? null,
    high: verdict.interval?.[1] ?? null,
    label: `${heading}: ${scoreInWords(verdict)} ${intervalInWords(verdict)}`.trim(),
  };
}

/** The part of the scale that the book moves in, with room to breathe, so that a change can be seen and none is blown up. */
function domainOf(points: readonly CoursePoint[], { scale }: BookEvaluation): [number, number] {
  const values = points.flatMap((point) => [point.value, point.low, point.high].filter((value) => value !== null));
  if (values.length === 0) return [scale.minimum, scale.maximum];
  const span = scale.maximum - scale.minimum;
  const middle = (Math.min(...values) + Math.max(...values)) / 2;
  const half = Math.max((Math.max(...values) - Math.min(...values)) * 0.6, span * 0.1);
  return [Math.max(scale.minimum, middle - half), Math.min(scale.maximum, middle + half)];
}

function shortTitle(title: string): string {
  return title.length <= 40 ? title : `${title.slice(0, 39).trimEnd()}…`;
}
