import { setImmediate } from "node:timers/promises";
import { FabulaError } from "../../core/errors.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { isScored, type Verdict } from "../../core/verdict.ts";
import type { BookEvaluation, JurorResult } from "../../judge/evaluation.ts";
import type { PassageMeasure } from "../../judge/material.ts";
import { type GraderExamination, loadGrader } from "../../jury/grader.ts";
import type { Book } from "../../text/book.ts";
import type { BookInput } from "../define/shared-fields.ts";
import { bookDifference } from "../trust/score-differences.ts";
import { evaluateBook } from "./evaluate-book.ts";
import { fileOf } from "./open-book.ts";

export interface JuryCompareOptions {
  /** `jury` for all three jurors, or one of crowd, editor and grader. */
  readonly judge?: string;
  readonly aspects?: readonly string[];
  readonly onProgress?: ProgressListener;
  readonly signal?: AbortSignal;
}

/** Two books compared by one juror or on one aspect. */
export interface Contrast {
  readonly id: string;
  readonly name: string;
  readonly left: Verdict;
  readonly right: Verdict;
  /** Left minus right, in points; null if either has no score. */
  readonly difference: number | null;
  /** The 95 % interval of the difference, treating the juror's errors on the two books as independent. */
  readonly interval: readonly [number, number] | null;
  /** `tie` when the interval contains zero, so that the two cannot be told apart. Null if either has no score. */
  readonly better: "left" | "right" | "tie" | null;
}

/** A contrast with the juror who gives it, and what must be said beside it. */
export interface JurorContrast extends Contrast {
  readonly speaker: string;
  readonly caveat: string | null;
}

export interface JuryComparison {
  readonly judge: string;
  readonly books: readonly { readonly file: string; readonly title: string; readonly overall: Verdict }[];
  /** For two books: each juror's comparison. `left` is the first file named. */
  readonly jurors: readonly JurorContrast[];
  /** For two books: aspect by aspect, then `overall`, which comes from the headline juror. */
  readonly aspects: readonly Contrast[];
  /** For more than two: best first, each with whether it can be told apart from the one before it. */
  readonly ranking: readonly {
    readonly file: string;
    readonly title: string;
    readonly overall: Verdict;
    readonly belowThePrevious: Contrast | null;
  }[];
  /** The juror behind the ranking and `overall`. */
  readonly speaker: string;
  readonly positionBias: null;
  readonly notes: readonly string[];
}

const NOTES = [
  "A juror reads each book by itself, so the order they are named in makes no difference and there is no position bias to measure.",
  "“Cannot be told apart” means that the difference is within the juror's own error on two books. For two drafts of one book, `fabula evaluate NEW --against OLD` can tell more, chapter by chapter. No juror reads the story.",
];

/** Compares books by the verdicts of the embedded jury, juror by juror. */
export async function compareWithJury(
  sources: readonly BookInput[],
  options: JuryCompareOptions = {},
): Promise<JuryComparison> {
  const files = sources.map(fileOf);
  if (files.length < 2)
    throw new FabulaError("E_USAGE", "Name at least two books: `fabula compare one.epub two.epub`.");
  const evaluations: BookEvaluation[] = [];
  for (const [done, source] of sources.entries()) {
    const { onProgress, ...asked } = options;
    const progress = { stage: "Judging books", done, total: files.length };
    onProgress?.(progress);
    const within: ProgressListener = ({ stage, done: part, total }) =>
      onProgress?.({ ...progress, note: total === null ? stage : `${stage} ${part}/${total}` });
    evaluations.push(await evaluateBook(source, { ...asked, onProgress: within }));
  }
  const [first, second] = evaluations;
  const headline = first!.jury!.jurors[0]!;
  return {
    judge: first!.judge,
    books: evaluations.map((evaluation, at) => placed(evaluation, files[at]!)),
    jurors: files.length === 2 ? jurorContrasts(first!, second!) : [],
    aspects: files.length === 2 ? aspectContrasts(first!, second!) : [],
    ranking: files.length === 2 ? [] : rankingOf(evaluations, files),
    speaker: headline.speaker,
    positionBias: null,
    notes: NOTES,
  };
}

function placed({ book, overall }: BookEvaluation, file: string) {
  return { file, title: book.title, overall };
}

function jurorContrasts(left: BookEvaluation, right: BookEvaluation): JurorContrast[] {
  return left.jury!.jurors.map((juror, at): JurorContrast => {
    const other = right.jury!.jurors[at]!;
    return {
      ...contrast(juror.id, juror.id, juror.overall, other.overall),
      speaker: juror.speaker,
      caveat: caveatOf(juror, other),
    };
  });
}

function caveatOf(left: JurorResult, right: JurorResult): string | null {
  if (left.caveat === null && right.caveat === null) return null;
  if (left.caveat === right.caveat) return `both books: ${left.caveat}`;
  return [
    ...(left.caveat === null ? [] : [`the first book: ${left.caveat}`]),
    ...(right.caveat === null ? [] : [`the second book: ${right.caveat}`]),
  ].join("; ");
}

function aspectContrasts(left: BookEvaluation, right: BookEvaluation): Contrast[] {
  const aspects = left.aspects.map(({ id, name, verdict }, at) =>
    contrast(id, name, verdict, right.aspects[at]!.verdict),
  );
  return [...aspects, overallContrast(left, right)];
}

function overallContrast(left: BookEvaluation, right: BookEvaluation): Contrast {
  return contrast("overall", "Overall", left.overall, right.overall);
}

function rankingOf(evaluations: readonly BookEvaluation[], files: readonly string[]) {
  const score = ({ overall }: BookEvaluation) => (isScored(overall) ? overall.score : Number.NEGATIVE_INFINITY);
  const ranked = evaluations
    .map((evaluation, at) => ({ evaluation, file: files[at]! }))
    .sort((left, right) => score(right.evaluation) - score(left.evaluation));
  return ranked.map(({ evaluation, file }, at) => ({
    ...placed(evaluation, file),
    belowThePrevious: at === 0 ? null : overallContrast(ranked[at - 1]!.evaluation, evaluation),
  }));
}

function contrast(id: string, name: string, left: Verdict, right: Verdict): Contrast {
  const base = { id, name, left, right };
  if (!isScored(left) || !isScored(right)) return { ...base, difference: null, interval: null, better: null };
  const { difference, interval, outcome } = bookDifference(right, left);
  const better = outcome === "better" ? "left" : outcome === "worse" ? "right" : "tie";
  return { ...base, difference, interval, better };
}

interface Distinctiveness {
  readonly measure: PassageMeasure;
  readonly about: string;
}

const ABOUT = "how far they move the grader's overall score, up or down";

/**
 * Ranks passages by how much their sentences raise or lower the grader's overall score. A sentence's share is part of
 * its chapter's score, so it is taken per word and multiplied by the chapter's words: what the chapter would get if
 * all of it read like this. Null when the grader reads none of the book, as with any language but English.
 */
export async function distinctivePassages(
  book: Pick<Book, "chapters">,
  signal: AbortSignal,
): Promise<Distinctiveness | null> {
  const judge = await loadGrader();
  const examined = new Map<number, GraderExamination>();
  for (const { index, text } of book.chapters) {
    // Yields between chapters, so that the work can be stopped.
    await setImmediate();
    signal.throwIfAborted();
    const examination = judge.examine(text);
    if (examination.overall.kind === "scored") examined.set(index, examination);
  }
  if (examined.size === 0) return null;
  return {
    about: ABOUT,
    measure({ chapter, start, end }) {
      const examination = examined.get(chapter);
      if (!examination) return null;
      const { sentences, shares } = examination;
      let share = 0;
      let words = 0;
      for (let at = firstFrom(sentences, start); at < sentences.length && sentences[at]!.end <= end; at++) {
        share += shares.overall![at]!;
        words += sentences[at]!.words;
      }
      return words === 0 ? null : (share / words) * examination.words;
    },
  };
}

/** Finds the first sentence that starts here or later, by binary search, since sentences are in order. */
function firstFrom(sentences: GraderExamination["sentences"], start: number): number {
  let [low, high] = [0, sentences.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sentences[middle]!.start < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
