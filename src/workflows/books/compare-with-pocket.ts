import { FabulaError } from "../../core/errors.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { type Random, seededRandom } from "../../core/random.ts";
import { isScored, type Verdict } from "../../core/verdict.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { mean } from "../../stats/distribution/mean.ts";
import { normalQuantile } from "../../stats/special/normal.ts";
import { middleRange, resampledMeans } from "./chapter-means.ts";
import { evaluateBook } from "./evaluate-book.ts";

export interface PocketCompareOptions {
  readonly aspects?: readonly string[];
  readonly seed?: number;
  readonly onProgress?: ProgressListener;
  readonly signal?: AbortSignal;
}

/** Two books on one aspect, as far as the pocket judge can tell them apart. */
export interface Contrast {
  readonly id: string;
  readonly name: string;
  readonly left: Verdict;
  readonly right: Verdict;
  /** Left minus right, in points; null when one of them has no score. */
  readonly difference: number | null;
  /** 95 %, from the chapters of both books. */
  readonly interval: readonly [number, number] | null;
  /** `tie` when the interval holds zero: the two cannot be told apart. Null when one of them has no score. */
  readonly better: "left" | "right" | "tie" | null;
}

export interface PocketComparison {
  readonly judge: "pocket";
  readonly books: readonly { readonly file: string; readonly title: string; readonly overall: Verdict }[];
  /** For two books: aspect by aspect, then `overall`. `left` is the first file named. */
  readonly aspects: readonly Contrast[];
  /** For more: best first, each with whether it can be told apart from the one before it. */
  readonly ranking: readonly {
    readonly file: string;
    readonly title: string;
    readonly overall: Verdict;
    readonly belowThePrevious: Contrast | null;
  }[];
  readonly positionBias: null;
  readonly notes: readonly string[];
}

const NOTES = [
  "The pocket judge reads each book by itself, so the order they are named in makes no difference and there is no position bias to measure.",
  "“Cannot be told apart” means that the 95 % interval of the difference, from resampled chapters of both books, holds zero. The judge measures manners of writing; a clear difference in them is not yet a difference in worth.",
];

/** Compares books by the verdicts of the judge that ships inside, with the chapters of each as its sample. */
export async function compareWithPocket(
  files: readonly string[],
  options: PocketCompareOptions = {},
): Promise<PocketComparison> {
  if (files.length < 2)
    throw new FabulaError("E_USAGE", "Name at least two books: `fabula compare one.epub two.epub`.");
  const evaluations: BookEvaluation[] = [];
  for (const [done, file] of files.entries()) {
    options.onProgress?.({ stage: "Judging books", done, total: files.length });
    evaluations.push(
      await evaluateBook(file, {
        ...(options.aspects && { aspects: options.aspects }),
        ...(options.seed !== undefined && { seed: options.seed }),
        ...(options.signal && { signal: options.signal }),
      }),
    );
  }
  const random = seededRandom(options.seed ?? 1);
  const [first, second] = evaluations;
  return {
    judge: "pocket",
    books: evaluations.map((evaluation, at) => placed(evaluation, files[at]!)),
    aspects: files.length === 2 ? contrastsOf(first!, second!, random) : [],
    ranking: files.length === 2 ? [] : rankingOf(evaluations, files, random),
    positionBias: null,
    notes: NOTES,
  };
}

function placed({ book, overall }: BookEvaluation, file: string) {
  return { file, title: book.title, overall };
}

function contrastsOf(left: BookEvaluation, right: BookEvaluation, random: Random): Contrast[] {
  const aspects = left.aspects.map((aspect, at) => {
    const other = right.aspects[at]!;
    return contrast(aspect.id, aspect.name, sampleOf(left, aspect), sampleOf(right, other), random);
  });
  return [...aspects, overallContrast(left, right, random)];
}

function overallContrast(left: BookEvaluation, right: BookEvaluation, random: Random): Contrast {
  const sample = (evaluation: BookEvaluation) =>
    sampleOf(evaluation, { verdict: evaluation.overall, course: evaluation.overallCourse });
  return contrast("overall", "Overall", sample(left), sample(right), random);
}

function rankingOf(evaluations: readonly BookEvaluation[], files: readonly string[], random: Random) {
  const score = ({ overall }: BookEvaluation) => (isScored(overall) ? overall.score : Number.NEGATIVE_INFINITY);
  const ranked = evaluations
    .map((evaluation, at) => ({ evaluation, file: files[at]! }))
    .sort((left, right) => score(right.evaluation) - score(left.evaluation));
  return ranked.map(({ evaluation, file }, at) => ({
    ...placed(evaluation, file),
    belowThePrevious: at === 0 ? null : overallContrast(ranked[at - 1]!.evaluation, evaluation, random),
  }));
}

interface Sample {
  readonly verdict: Verdict;
  readonly chapters: readonly { readonly score: number; readonly words: number }[];
}

function sampleOf(
  { book }: BookEvaluation,
  { verdict, course }: { readonly verdict: Verdict; readonly course: BookEvaluation["overallCourse"] },
): Sample {
  const words = new Map(book.chapters.map((chapter) => [chapter.index, chapter.words]));
  const chapters = course.flatMap(({ chapter, verdict: known }) =>
    isScored(known) ? [{ score: known.score, words: words.get(chapter) ?? 1 }] : [],
  );
  return { verdict, chapters };
}

function contrast(id: string, name: string, left: Sample, right: Sample, random: Random): Contrast {
  const base = { id, name, left: left.verdict, right: right.verdict };
  if (!isScored(left.verdict) || !isScored(right.verdict))
    return { ...base, difference: null, interval: null, better: null };
  const difference = left.verdict.score - right.verdict.score;
  const [lefts, rights] = [deviations(left, random), deviations(right, random)];
  const interval = middleRange(lefts.map((deviation, at) => difference + deviation - rights[at]!));
  const better = interval[0] > 0 ? "left" : interval[1] < 0 ? "right" : "tie";
  return { ...base, difference, interval, better };
}

/** What share of a normal lies within the judge's own interval for one text. */
const OWN_INTERVAL = 0.9;

/**
 * How far the score may lie from what it is, a thousand times. With few chapters a bootstrap is too sure of itself by
 * √((n − 1) ⁄ n), which is made good; a text in one piece has nothing to resample, and the judge's own error stands in.
 */
function deviations({ verdict, chapters }: Sample, random: Random): Float64Array {
  if (chapters.length > 1) {
    const means = resampledMeans(chapters, random);
    const centre = mean(means);
    const widening = Math.sqrt(chapters.length / (chapters.length - 1));
    return means.map((mean) => (mean - centre) * widening);
  }
  const interval = verdict.kind === "scored" ? verdict.interval : undefined;
  const half = interval ? (interval[1] - interval[0]) / 2 : 0;
  const deviation = half / normalQuantile((1 + OWN_INTERVAL) / 2);
  return Float64Array.from({ length: 1000 }, () => deviation * normalQuantile(0.0005 + 0.999 * random()));
}
