import { setImmediate } from "node:timers/promises";
import { FabulaError } from "../../core/errors.ts";
import { estimateTokens } from "../../core/estimate-tokens.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { HUNDRED, isScored, rescaleVerdict, scored, unscored, type Verdict } from "../../core/verdict.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { rubricHash, topLevel } from "../../criteria/rubric.ts";
import {
  type AspectResult,
  type BookEvaluation,
  bookPart,
  type JurorResult,
  type JuryPart,
  type Suspicion,
} from "../../judge/evaluation.ts";
import type { EditLetter } from "../../judge/letter/parts.ts";
import { withHash } from "../../judge/settings.ts";
import { findSuspicions, suspicionNotes } from "../../judge/suspicion/find-suspicions.ts";
import { maskBook, withMasked } from "../../judge/suspicion/mask-suspicions.ts";
import { loadGrader } from "../../jury/grader.ts";
import { JURY, type Juror, type JurorId, jurorsFor, type Opinion } from "../../jury/juror.ts";
import { type Jury, loadJury } from "../../jury/jury.ts";
import { isOrderMeasured } from "../../jury/order.ts";
import type { PreparedText } from "../../jury/prepare-text.ts";
import { reasonNotConnected } from "../../jury/readable.ts";
import { loadGraderReference } from "../../jury/reference.ts";
import { costOf, loadPrices, priceOf } from "../../models/prices.ts";
import type { CountedBook } from "../../prose/count-book.ts";
import type { ReferenceNovels } from "../../prose/reference/reference-novels.ts";
import type { Story } from "../../reader/predictor/story.ts";
import type { ReaderProfile } from "../../reader/profile/reader-profile.ts";
import { empiricalDistribution, sumBy } from "../../stats/distribution.ts";
import type { Book } from "../../text/book.ts";
import type { BookReadOptions } from "../../text/read-book.ts";
import type { EvaluateInput } from "../define/judge-fields.ts";
import type { BookInput } from "../define/shared-fields.ts";
import {
  bookNotes,
  CHANGED_SENTENCES,
  type LetterOptions,
  notedPassages,
  type PreparedChapter,
  withLetter,
} from "./letter.ts";
import { openBook } from "./open-book.ts";
import { requireEnglish } from "./population.ts";

export interface JuryOptions extends Partial<Pick<EvaluateInput, "allNotes" | "maskInjection">> {
  /** `jury` for all three jurors, or one of crowd, editor and grader. */
  readonly judge?: string;
  /** Ids of the aspects to report; all when absent. */
  readonly aspects?: readonly string[];
  readonly onProgress?: ProgressListener;
  /** Called with the headline juror's verdict of each chapter. */
  readonly onChapter?: (chapter: number, verdict: Verdict) => void;
  readonly signal?: AbortSignal;
  /** The figures for the letter, if another thread computes them while the jury judges. */
  readonly counted?: Promise<CountedBook>;
  /** Options of the edit letter, with its map and line notes, which is written by default; false for scores alone. */
  readonly letter?: LetterOptions | false;
}

export interface EvaluateOptions extends BookReadOptions, Omit<JuryOptions, "letter" | "onChapter"> {
  /** A reader whose personal verdict is wanted beside the general one. */
  readonly reader?: ReaderProfile;
  /**
   * Story details for that reader's verdict, overriding the file's. They are useful because the jury writes no
   * summaries.
   */
  readonly story?: Partial<Story>;
  /** Novels to compare figures with, instead of those that ship with Fabula. */
  readonly reference?: ReferenceNovels;
  /** An earlier draft to compare with: the evaluation then says what has changed since. */
  readonly against?: BookInput;
}

/** Evaluates a book with the judges that ship with Fabula, without a key or a network. `judgeBooks` uses language models. */
export async function evaluateBook(source: BookInput, options: EvaluateOptions = {}): Promise<BookEvaluation> {
  const { metadata, keptCharacters, aspects, reader, story, against, reference, ...rest } = options;
  if (aspects) await checkAspects(aspects);
  const opening = openBook(source, { ...(metadata && { metadata }), ...(keptCharacters && { keptCharacters }) });
  // Another process may read the file; meanwhile, what judging needs is loaded. A failure is reported below, where
  // the promise is awaited.
  opening.catch(() => {});
  await setImmediate();
  await Promise.allSettled([opening, loadJury(), loadRubric("long-story"), loadPrices()]);
  const book = await opening;
  if (reference) requireEnglish(book, "The book cannot be compared with this reference");
  const asked = { ...rest, ...(aspects ? { aspects } : {}), ...(reference && { letter: { reference } }) };
  const judged = await evaluateWithJury(book, asked);
  const language = metadata?.language;
  const evaluation =
    against === undefined
      ? judged
      : { ...judged, changes: await changesSince(against, { book, evaluation: judged }, asked, language) };
  if (!reader) return evaluation;
  const { embeddedPart } = await import("../readers/personal-part.ts");
  const { bookStory, withGivenDetails } = await import("./described-story.ts");
  return {
    ...evaluation,
    personal: await embeddedPart(reader, withGivenDetails(bookStory(book), story ?? {}), evaluation),
  };
}

export async function checkAspects(aspects: readonly string[]): Promise<void> {
  const known = topLevel(await loadRubric("long-story")).map(({ id }) => id);
  const unknown = aspects.find((aspect) => !known.includes(aspect));
  if (unknown !== undefined) {
    throw new FabulaError("E_ASPECT_UNKNOWN", `There is no aspect "${unknown}": choose among ${known.join(", ")}.`);
  }
}

/** Judges the earlier draft too and compares the two, juror by juror. */
async function changesSince(
  against: BookInput,
  after: { readonly book: Book; readonly evaluation: BookEvaluation },
  asked: JuryOptions,
  language: string | undefined,
): Promise<BookEvaluation["changes"]> {
  const { onProgress: _, maskInjection: _onlyTheLater, ...quiet } = asked;
  const book = await openBook(against, language === undefined ? {} : { metadata: { language } });
  const before = { book, evaluation: await evaluateWithJury(book, { ...quiet, letter: false }) };
  const { juryChanges } = await import("./drafts/jury-draft.ts");
  const { changesInWords, shortened } = await import("./drafts/draft-details.ts");
  const changes = await juryChanges(before, after, asked.letter ? asked.letter.reference : undefined);
  const again =
    "an unchanged chapter keeps its score, and a difference counts only if the changed ones agree on it and it exceeds the juror's error";
  return { ...shortened(changes), words: changesInWords(changes, again) };
}

const NOT_READ = "no offline judge reads a story";
/** What a report says in place of a score for the writing, which only the editor gives. */
const WRITING = {
  jury: "the editor's score of the prose is shown beside the others, on its own scale",
  crowd: "the crowd gives one score for the whole text",
  grader: "the grader's own criteria are shown beside its score",
} as const;

const NOTES = [
  "No juror reads the story. Each measures how far the prose resembles what one kind of judge rewarded, and a score holds for that judge only. Read the jurors' cards before relying on them.",
  "No juror notices chapters in another order, a missing or repeated chapter, swapped names, spelling mistakes, clichés or passages from another book: on novels damaged so, hardly any score fell by more than its noise. The editor may rate a book that has lost its dialogue a little higher, the grader a book with paragraphs out of order or from another book (see the jurors' cards).",
  `Line notes give the probability that a professional editor would change a sentence; of the sentences they learnt from, ${100 * CHANGED_SENTENCES} % were changed.`,
];

const LONG_ENOUGH = 10_000;
const ORDER_UNKNOWN =
  "The text is too short to tell whether its sentences stand in order: the jury is blind to shuffled sentences below about 3,000 words.";

/** Judges a book with the embedded jurors: each on its own scale, with its own range, never averaged. */
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
  const opinions: JurorOpinion[] = [];
  for (const id of ids) {
    await letOthersRun(options.signal);
    const juror = jury.jurors[id];
    opinions.push({ juror, opinion: juror.judge(texts) });
  }
  const { juror, opinion } = opinions[0]!;
  const course = courseOf(book, opinion, juror.minimumWords);
  for (const { chapter, verdict } of course) options.onChapter?.(chapter, verdict);
  const judge = ids.length > 1 ? JURY : juror.id;
  const notes = bookNotes(chapters, jury, options.allNotes ? "all" : "few", texts);
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
      prompts: Object.fromEntries(opinions.map((one) => [one.juror.id, one.juror.version])),
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
    jury: await juryPart(opinions),
  };
  if (options.letter === false) return evaluation;
  await letOthersRun(options.signal);
  // Where another thread counts, this one is through sooner: what else the letter needs is done while it waits.
  const judgingCost = await estimateJudgingCost(book);
  const notConnected = reasonNotConnected(texts);
  const counted = await options.counted;
  return withLetter(evaluation, book, notes, {
    ...options.letter,
    ...(counted && { counted }),
    judgingCost,
    notConnected,
  });
}

/** The order of the sentences is measured for short texts only, because in long ones it can always be told. */
function canTellOrder(texts: readonly PreparedText[]): boolean {
  const words = sumBy(texts, ({ prose }) => prose.wordCount);
  return words >= LONG_ENOUGH || isOrderMeasured(texts);
}

async function prepareChapters(book: Book, jury: Jury, options: JuryOptions): Promise<PreparedChapter[]> {
  const prepared: PreparedChapter[] = [];
  for (const { index, text } of book.chapters) {
    await letOthersRun(options.signal);
    options.onProgress?.({ stage: "Judging", done: prepared.length, total: book.chapters.length });
    prepared.push({ index, prepared: jury.prepare(text) });
  }
  return prepared;
}

/** Lets a request to stop be noticed between two steps. */
async function letOthersRun(signal: AbortSignal | undefined): Promise<void> {
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

/**
 * A juror reads the whole book or refuses it. A chapter too short for a score of its own still counts in the book's.
 */
function coverageOf(book: Book, { overall }: Opinion): BookEvaluation["coverage"] {
  const { words } = book;
  const seen = { words, throughSummaries: 0, quoted: 0 };
  if (isScored(overall)) return { ...seen, judgedWords: words, inFull: words, share: words === 0 ? 0 : 1, skipped: [] };
  const skipped = book.chapters.map(({ index }) => ({ chapter: index, reason: overall.reason }));
  return { ...seen, judgedWords: 0, inFull: 0, share: 0, skipped };
}

interface JurorOpinion {
  readonly juror: Juror;
  readonly opinion: Opinion;
}

/** The jurors' verdicts for an evaluation; the first juror gives the headline. */
async function juryPart(opinions: readonly JurorOpinion[]): Promise<JuryPart> {
  const jurors = await Promise.all(opinions.map(jurorResult));
  return { headline: opinions[0]!.juror.id, jurors, apart: pairsApart(jurors) };
}

async function jurorResult({ juror, opinion }: JurorOpinion): Promise<JurorResult> {
  const { id, speaker, version, scale } = juror;
  return {
    id,
    speaker,
    version,
    scale: { ...scale },
    overall: opinion.overall,
    chapters: [...opinion.chapters],
    domain: opinion.domain,
    caveat: opinion.caveat,
    criteria: id === "grader" ? await gradersCriteria(opinion) : [],
    ...(await placeOf(juror, opinion)),
  };
}

async function gradersCriteria({ criteria }: Opinion): Promise<JurorResult["criteria"]> {
  const { criteria: known } = await loadGrader();
  return known.map(({ id, name, better }) => ({ id, name, better, verdict: criteria[id]! }));
}

/**
 * A percentile is given only for texts like those the juror was trained on, and only among books scored by this
 * version of it.
 */
async function placeOf(
  { id, version }: Juror,
  { overall, domain }: Opinion,
): Promise<Pick<JurorResult, "percentile" | "noPercentile">> {
  const none = (reason: string) => ({ percentile: null, noPercentile: reason });
  if (!isScored(overall)) return none("there is no score to place");
  if (domain !== "inside") return none("the book is outside what this juror learnt from");
  const reference = id === "grader" ? await loadGraderReference() : null;
  if (reference?.judgeVersion !== version) return none(`no published novels have been scored by the ${id}`);
  const { percentile } = empiricalDistribution(reference.overall);
  const [low, high] = overall.interval ?? [overall.score, overall.score];
  const named = `${reference.overall.length} novels in the public domain, mostly before 1930`;
  return { percentile: { low: percentile(low), high: percentile(high), reference: named }, noPercentile: null };
}

function pairsApart(jurors: readonly JurorResult[]): [JurorId, JurorId][] {
  return jurors.flatMap((left, at) =>
    jurors.slice(at + 1).flatMap((right): [JurorId, JurorId][] => {
      const [one, other] = [hundredths(left.overall, left.scale), hundredths(right.overall, right.scale)];
      if (one === null || other === null) return [];
      return one[1] < other[0] || other[1] < one[0] ? [[left.id, right.id]] : [];
    }),
  );
}

/** The range of a score, converted to a scale of 0 to 100. */
function hundredths(verdict: Verdict, scale: JurorResult["scale"]): readonly [number, number] | null {
  const moved = rescaleVerdict(verdict, scale, HUNDRED);
  return isScored(moved) ? (moved.interval ?? [moved.score, moved.score]) : null;
}

const JUDGE = "openai:gpt-4.1";
const METHOD = "close";

/**
 * Token counts from the plans that `--dry-run` makes of a close reading. The whole book is shown several times; the
 * questions and second readings take about the same for every book that is not very short. Planning in full would
 * take longer than the rest of the letter, so these constants stand in; a test compares them with the planner.
 */
const CLOSE_READING = { perTokenOfBook: 4.85, besides: 190_000, output: 92_000, shortBook: 10_000 };

/** What it would cost to have a language model read the story; null if the price is not known. */
export async function estimateJudgingCost(book: Book): Promise<NonNullable<EditLetter["judgingCost"]> | null> {
  const price = priceOf(await loadPrices(), JUDGE);
  if (price === null) return null;
  const { perTokenOfBook, besides, output, shortBook } = CLOSE_READING;
  const tokens = sumBy(book.chapters, ({ text }) => estimateTokens(text));
  const usage = {
    inputTokens: Math.round(tokens * perTokenOfBook + besides * Math.min(1, tokens / shortBook)),
    cachedInputTokens: 0,
    reasoningTokens: 0,
    outputTokens: output,
  };
  return { judge: JUDGE, method: METHOD, dollars: costOf(price, usage) };
}
