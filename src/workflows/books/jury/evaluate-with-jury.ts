import { setImmediate } from "node:timers/promises";
import type { ProgressListener } from "../../../core/progress.ts";
import { isScored, scored, unscored, type Verdict } from "../../../core/verdict.ts";
import { loadRubric } from "../../../criteria/load-rubric.ts";
import { rubricHash, topLevel } from "../../../criteria/rubric.ts";
import { type AspectResult, type BookEvaluation, bookPart, type Suspicion } from "../../../judge/evaluation.ts";
import { withHash } from "../../../judge/settings.ts";
import { findSuspicions } from "../../../judge/suspicion/find-suspicions.ts";
import { maskBook } from "../../../judge/suspicion/mask-suspicions.ts";
import { suspicionNotes } from "../../../judge/suspicion/suspicion-notes.ts";
import { withMasked } from "../../../judge/suspicion/with-masked.ts";
import { isOrderMeasured, reasonNotConnected } from "../../../jury/connected-prose.ts";
import type { Opinion } from "../../../jury/juror.ts";
import { type Jury, loadJury } from "../../../jury/jury.ts";
import type { PreparedText } from "../../../jury/prepare-text.ts";
import { sumBy } from "../../../stats/distribution/sum-by.ts";
import type { Book } from "../../../text/book.ts";
import { type LetterOptions, withLetter } from "../letter/edit-letter.ts";
import { estimateJudging } from "../letter/judging-estimate.ts";
import { CHANGED_SENTENCES, notedPassages } from "../letter/noted-passages.ts";
import { bookNotes, type PreparedChapter } from "../notes/book-notes.ts";
import { JURY, jurorsFor } from "./embedded-judge.ts";
import { type HeardJuror, juryPart } from "./jury-part.ts";

export interface JuryOptions {
  /** `jury` for all three, or one of crowd, editor and grader. */
  readonly judge?: string;
  /** Ids of the aspects to report; all when absent. */
  readonly aspects?: readonly string[];
  readonly onProgress?: ProgressListener;
  /** The headline juror's verdict of each chapter. */
  readonly onChapter?: (chapter: number, verdict: Verdict) => void;
  readonly signal?: AbortSignal;
  /** Every line note instead of the likeliest few. */
  readonly allNotes?: boolean;
  /** Whether a book with passages that speak to the judge is judged again with those masked. */
  readonly maskInjection?: boolean;
  /** With the edit letter, the map and the line notes (the default); false for scores alone. */
  readonly letter?: LetterOptions | false;
}

const NOT_READ = "no offline judge reads a story";
/** What each judge leaves to others on the writing; the editor alone scores it. */
const WRITING = {
  jury: "the editor's score of the prose stands beside the others, on its own scale",
  crowd: "the crowd gives one score for the whole text",
  grader: "the grader's own criteria stand beside its score",
} as const;

const NOTES = [
  "No juror reads the story. Each measures how far the prose resembles what one kind of judge rewarded, and a score holds for that judge only. Read the jurors' cards before relying on them.",
  "No juror notices chapters in another order, a missing or repeated chapter, swapped names, spelling mistakes or clichés: on novels damaged so, no score fell by more than its noise. The grader may rate a short book with its paragraphs out of order a little higher (see the jurors' cards).",
  `Line notes give the probability that a professional editor would change a sentence; of the sentences they learnt from, ${100 * CHANGED_SENTENCES} % were changed.`,
];

const LONG_ENOUGH = 10_000;
const ORDER_UNKNOWN =
  "The text is too short to tell whether its sentences stand in order: the jury is blind to shuffled sentences below about 3,000 words.";

/** Judges a book with the judges that ship inside: each juror on its own scale, with its own range, never averaged. */
export async function evaluateWithJury(book: Book, options: JuryOptions = {}): Promise<BookEvaluation> {
  const evaluation = await evaluateOnce(book, findSuspicions(book), options);
  if (!options.maskInjection || evaluation.suspicions?.length === 0) return evaluation;
  const { onProgress: _progress, onChapter: _chapter, ...quiet } = options;
  return withMasked(evaluation, await evaluateOnce(maskBook(book), [], { ...quiet, letter: false }));
}

async function evaluateOnce(
  book: Book,
  suspicions: readonly Suspicion[],
  options: JuryOptions,
): Promise<BookEvaluation> {
  const [jury, rubric] = await Promise.all([loadJury(), loadRubric("long-story")]);
  const ids = jurorsFor(options.judge ?? JURY);
  const chapters = await prepareChapters(book, jury, options);
  const texts = chapters.map(({ prepared }) => prepared);
  const heard: HeardJuror[] = [];
  for (const id of ids) {
    await breathe(options.signal);
    const juror = jury.jurors[id];
    heard.push({ juror, opinion: juror.judge(texts) });
  }
  const { juror, opinion } = heard[0]!;
  const course = courseOf(book, opinion, juror.minimumWords);
  for (const { chapter, verdict } of course) options.onChapter?.(chapter, verdict);
  const judge = ids.length > 1 ? JURY : juror.id;
  const notes = bookNotes(chapters, jury, options.allNotes ? "all" : "few");
  const passages = notes && notedPassages(notes.chosen);
  const wanted = topLevel(rubric).filter(({ id }) => options.aspects?.includes(id) ?? true);
  const evaluation: BookEvaluation = {
    book: bookPart(book),
    judge,
    method: "aggregate",
    rubric: { id: rubric.id, version: rubric.version },
    scale: { ...juror.scale },
    runs: 1,
    settings: withHash({
      judges: ids.map((id) => id),
      method: "aggregate",
      protocol: "embedded",
      rubric: { id: rubric.id, version: rubric.version, hash: rubricHash(rubric) },
      aspects: wanted.map(({ id }) => id),
      definitions: false,
      language: "en",
      temperature: null,
      summariser: null,
      chapterSummaries: false,
      segmentWords: null,
      runs: 1,
      untilHalfWidth: null,
      prompts: Object.fromEntries(heard.map((one) => [one.juror.id, one.juror.version])),
    }),
    overall: opinion.overall,
    overallSpeaker: { juror: juror.id, speaker: juror.speaker, caveat: opinion.caveat },
    overallPercentile: null,
    overallCourse: course,
    aspects: wanted.map(
      ({ id, name, abbreviation }): AspectResult => ({
        id,
        name,
        ...(abbreviation ? { abbreviation } : {}),
        verdict: aspectVerdict(id, judge, opinion),
        percentile: null,
        ...(id === "writing" && passages ? passages : { strengths: [], weaknesses: [], evidence: [] }),
        course: id === "writing" && judge === "editor" ? course : [],
      }),
    ),
    population: null,
    coverage: coverageOf(book, opinion),
    calls: 0,
    cost: 0,
    notes: [...NOTES, ...(canTellOrder(texts) ? [] : [ORDER_UNKNOWN]), ...suspicionNotes(suspicions)],
    suspicions: [...suspicions],
    jury: await juryPart(heard),
  };
  if (options.letter === false) return evaluation;
  await breathe(options.signal);
  return withLetter(evaluation, book, notes, {
    ...options.letter,
    judging: await estimateJudging(book),
    notConnected: reasonNotConnected(texts),
  });
}

/** Measured for short texts only: in long ones order can always be told. */
function canTellOrder(texts: readonly PreparedText[]): boolean {
  const words = sumBy(texts, ({ prose }) => prose.wordCount);
  return words >= LONG_ENOUGH || isOrderMeasured(texts);
}

async function prepareChapters(book: Book, jury: Jury, options: JuryOptions): Promise<PreparedChapter[]> {
  const prepared: PreparedChapter[] = [];
  for (const { index, text } of book.chapters) {
    await breathe(options.signal);
    options.onProgress?.({ stage: "Judging", done: prepared.length, total: book.chapters.length });
    prepared.push({ index, prepared: jury.prepare(text) });
  }
  return prepared;
}

/** Lets a request to stop be heard between two steps. */
async function breathe(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}

function aspectVerdict(aspect: string, judge: string, { overall }: Opinion): Verdict {
  if (!isScored(overall)) return overall;
  if (aspect !== "writing") return unscored(NOT_READ);
  if (judge === "editor") return overall;
  return unscored(judge === "grader" || judge === "crowd" ? WRITING[judge] : WRITING.jury);
}

function courseOf(book: Book, { overall, chapters }: Opinion, minimumWords: number): BookEvaluation["overallCourse"] {
  return book.chapters.map(({ index }, at) => {
    const score = chapters[at];
    if (!isScored(overall)) return { chapter: index, verdict: overall };
    const short = unscored(`the chapter has fewer than ${minimumWords} words of prose`);
    return { chapter: index, verdict: score === null || score === undefined ? short : scored(score) };
  });
}

/** A juror reads the whole book or refuses it: a chapter too short for a score of its own still counts in the book's. */
function coverageOf(book: Book, { overall }: Opinion): BookEvaluation["coverage"] {
  const { words } = book;
  const seen = { words, throughSummaries: 0, quoted: 0 };
  if (isScored(overall)) return { ...seen, judgedWords: words, inFull: words, share: words === 0 ? 0 : 1, skipped: [] };
  const skipped = book.chapters.map(({ index }) => ({ chapter: index, reason: overall.reason }));
  return { ...seen, judgedWords: 0, inFull: 0, share: 0, skipped };
}
