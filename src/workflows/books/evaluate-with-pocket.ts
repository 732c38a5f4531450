import { setImmediate } from "node:timers/promises";
import type { ProgressListener } from "../../core/progress.ts";
import { type Random, seededRandom } from "../../core/random.ts";
import { isScored, scored, unscored, type Verdict } from "../../core/verdict.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { topLevel } from "../../criteria/rubric.ts";
import { type AspectResult, type BookEvaluation, bookPart, type Evidence } from "../../judge/evaluation.ts";
import { type AspectMap, aspectShares, aspectVerdicts, loadAspectMap } from "../../jury/aspects.ts";
import { type ChapterShares, choosePassages, type Passage } from "../../jury/choose-passages.ts";
import { loadPocketJudge, type PocketJudge } from "../../jury/pocket-judge.ts";
import { loadPocketReference } from "../../jury/reference.ts";
import { empiricalDistribution } from "../../stats/distribution/empirical-distribution.ts";
import { mean } from "../../stats/distribution/mean.ts";
import { sum } from "../../stats/distribution/sum.ts";
import type { Book, Chapter } from "../../text/book.ts";
import { meanByWords, middleRange, resampledMeans } from "./chapter-means.ts";

export interface PocketEvaluationOptions {
  /** Ids of the aspects to report; all when absent. */
  readonly aspects?: readonly string[];
  readonly seed?: number;
  readonly onProgress?: ProgressListener;
  /** The verdict of each chapter as soon as there is one. */
  readonly onChapter?: (chapter: number, verdict: Verdict) => void;
  readonly signal?: AbortSignal;
}

interface JudgedChapter {
  readonly chapter: Chapter;
  readonly overall: Verdict;
  readonly words: number;
  readonly aspects: Readonly<Record<string, Verdict>>;
  readonly shares: Readonly<Record<string, Float64Array>>;
  readonly sentences: ChapterShares["sentences"];
}

const PASSAGES = 3;
const NOTES = [
  "The pocket judge learnt from chapters written by language models and graded by one. It measures manners of writing that such graders reward; it does not understand the story, and on expert human prose against imitations it is no better than chance. Read its card before relying on it.",
  "Quoted passages are the sentences with the largest share in a score: the score is a sum over sentences, so the shares are exact, not an explanation after the fact.",
];

/** Judges a book with the judge that ships inside: each chapter by itself, the book as their mean by words. */
export async function evaluateWithPocket(book: Book, options: PocketEvaluationOptions = {}): Promise<BookEvaluation> {
  const [judge, map, rubric, reference] = await Promise.all([
    loadPocketJudge(),
    loadAspectMap(),
    loadRubric("long-story"),
    loadPocketReference(),
  ]);
  const random = seededRandom(options.seed ?? 1);
  const judged = await judgeChapters(book, judge, map, options);
  // A population scored by another version of the judge gives no percentiles.
  const current = reference.judgeVersion === judge.version ? reference : null;
  const wanted = topLevel(rubric).filter(({ id }) => options.aspects?.includes(id) ?? true);
  const taken = new Set<string>();
  const overall = bookVerdict(judged, ({ overall: verdict }) => verdict, random);
  return {
    book: bookPart(book),
    judge: "pocket",
    method: "aggregate",
    rubric: { id: rubric.id, version: rubric.version },
    scale: judge.rubric.scale,
    runs: 1,
    overall,
    overallPercentile: percentileOf(overall, current?.overall),
    overallCourse: judged.map(({ chapter, overall: verdict }) => ({ chapter: chapter.index, verdict })),
    aspects: wanted.map((criterion): AspectResult => {
      const verdict = bookVerdict(
        judged,
        ({ aspects }) => aspects[criterion.id] ?? missingVerdict(map, criterion.id),
        random,
      );
      return {
        id: criterion.id,
        name: criterion.name,
        ...(criterion.abbreviation ? { abbreviation: criterion.abbreviation } : {}),
        verdict,
        percentile: percentileOf(verdict, current?.aspects[criterion.id]),
        ...evidenceFor(judged, criterion.id, taken),
        course: isScored(verdict)
          ? judged.map(({ chapter, aspects }) => ({ chapter: chapter.index, verdict: aspects[criterion.id]! }))
          : [],
      };
    }),
    population: current && {
      id: current.id,
      description: current.description,
      size: current.overall.length,
      overall: [...current.overall],
    },
    coverage: coverageOf(book, judged),
    calls: 0,
    cost: 0,
    notes: [...errorNote(judged), ...NOTES],
  };
}

async function judgeChapters(
  book: Book,
  judge: PocketJudge,
  map: AspectMap,
  options: PocketEvaluationOptions,
): Promise<JudgedChapter[]> {
  const judged: JudgedChapter[] = [];
  for (const chapter of book.chapters) {
    // Yield between chapters, so that the work can be stopped.
    await setImmediate();
    options.signal?.throwIfAborted();
    options.onProgress?.({ stage: "Judging", done: judged.length, total: book.chapters.length });
    const examination = judge.examine(chapter.text);
    options.onChapter?.(chapter.index, examination.overall);
    judged.push({
      chapter,
      overall: examination.overall,
      words: examination.words,
      aspects: aspectVerdicts(judge, map, examination),
      shares: aspectShares(judge, map, examination),
      sentences: examination.sentences,
    });
  }
  return judged;
}

function missingVerdict(map: AspectMap, aspect: string): Verdict {
  return unscored(map.unscored[aspect] ?? "the pocket judge has no criterion for it");
}

/**
 * The mean over the chapters that have a score, by their words, with a bootstrap interval over chapters. With one chapter
 * there is nothing to resample, and the interval is the judge's own for a text of that length.
 */
function bookVerdict(
  judged: readonly JudgedChapter[],
  pick: (chapter: JudgedChapter) => Verdict,
  random: Random,
): Verdict {
  const verdicts = judged.map((chapter) => ({ verdict: pick(chapter), words: chapter.words }));
  const known = verdicts.flatMap(({ verdict, words }) => (isScored(verdict) ? [{ ...verdict, words }] : []));
  if (known.length === 0) return verdicts[0]?.verdict ?? unscored("the book has no chapters");
  if (known.length === 1) return scored(known[0]!.score, known[0]!.interval);
  return scored(meanByWords(known), middleRange(resampledMeans(known, random)));
}

function percentileOf(verdict: Verdict, population: readonly number[] | undefined): number | null {
  if (!isScored(verdict) || !population || population.length === 0) return null;
  return empiricalDistribution(population).percentile(verdict.score);
}

function evidenceFor(
  judged: readonly JudgedChapter[],
  aspect: string,
  taken: Set<string>,
): Pick<AspectResult, "strengths" | "weaknesses" | "evidence"> {
  const chapters = judged.flatMap(({ chapter, sentences, shares }) =>
    shares[aspect] ? [{ chapter: chapter.index, sentences, shares: shares[aspect] }] : [],
  );
  const best = choosePassages(chapters, "up", PASSAGES, taken);
  const worst = choosePassages(chapters, "down", PASSAGES, taken);
  return {
    evidence: [...best, ...worst].map((passage) => quotation(passage, judged)),
    strengths: best.map((_, position) => ({ text: "", evidence: [position] })),
    weaknesses: worst.map((_, position) => ({ text: "", evidence: [best.length + position] })),
  };
}

function quotation({ chapter, start, end, share }: Passage, judged: readonly JudgedChapter[]): Evidence {
  const text = judged.find((candidate) => candidate.chapter.index === chapter)?.chapter.text ?? "";
  const quote = text.slice(start, end);
  return { chapter, quote, start, end, found: quote !== "", match: "exact", similarity: 1, share };
}

/** The interval of a book says how its chapters differ; what the judge itself may err by is in the intervals of the chapters. */
function errorNote(judged: readonly JudgedChapter[]): string[] {
  const widths = judged.flatMap(({ overall }) =>
    isScored(overall) && overall.interval ? [(overall.interval[1] - overall.interval[0]) / 2] : [],
  );
  if (widths.length < 2) return [];
  const width = mean(widths);
  return [
    `The interval of the book says how much its chapters differ. The judge's own error is larger: for one chapter it is within ±${width.toFixed(1)} of a grader it never saw in nine cases of ten.`,
  ];
}

function coverageOf(book: Book, judged: readonly JudgedChapter[]): BookEvaluation["coverage"] {
  const skipped = judged.flatMap(({ chapter, overall }) =>
    overall.kind === "unscored" ? [{ chapter: chapter.index, reason: overall.reason }] : [],
  );
  const missed = new Set(skipped.map(({ chapter }) => chapter));
  const judgedWords = sum(book.chapters.map((chapter) => (missed.has(chapter.index) ? 0 : chapter.words)));
  return { words: book.words, judgedWords, share: book.words === 0 ? 0 : judgedWords / book.words, skipped };
}
