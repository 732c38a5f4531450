import { addCosts, costOfCalls, NO_COST } from "../../core/cost.ts";
import { FabulaError } from "../../core/errors.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { buildEvaluation } from "../../judge/build-evaluation.ts";
import type { DraftRecord } from "../../judge/drafts/draft-record.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { askLetter, hasRemarks, planLetter } from "../../judge/letter/ask-letter.ts";
import { contextSizes, type JudgeInstructions, metadataText } from "../../judge/material.ts";
import type { JudgedSegment, RunOutcome as JudgeOutcome } from "../../judge/methods/method.ts";
import { repeatRuns } from "../../judge/methods/registry.ts";
import { combinePanel } from "../../judge/panel.ts";
import { type Population, placeInPopulation, requireSameWay } from "../../judge/population.ts";
import { settingsOf } from "../../judge/settings.ts";
import type { Subject } from "../../judge/subjects.ts";
import { findSuspicions } from "../../judge/suspicion/find-suspicions.ts";
import { withMasked } from "../../judge/suspicion/mask-suspicions.ts";
import { loadJury } from "../../jury/jury.ts";
import { reasonNotConnected } from "../../jury/readable.ts";
import { type Meter, meteredModel } from "../../models/ask.ts";
import type { ChatModel, ChatReply, ChatRequest } from "../../models/chat-model.ts";
import { loadPrices, type PriceTable, priceOf } from "../../models/prices.ts";
import { shippedPrompts } from "../../prompts/own-prompts.ts";
import type { ReaderProfile } from "../../reader/profile/reader-profile.ts";
import { identify } from "../../runner/call-records.ts";
import { eachBounded, inOrder } from "../../runner/map-bounded.ts";
import {
  openRun,
  outcomeOf,
  type Run,
  type RunOutcome,
  type RunServices,
  type RunSettings,
} from "../../runner/open-run.ts";
import { isPlanned, type Plan, Planner, planningModel } from "../../runner/planning.ts";
import type { Claim, RefutedClaim } from "../../story/claim.ts";
import { type CloseReadingOptions, withContext } from "../../story/reading-options.ts";
import type { Book } from "../../text/book.ts";
import type { EvaluateInput } from "../define/judge-fields.ts";
import { modelPart } from "../readers/personal-part.ts";
import { type Calibration, calibrationFor } from "../trust/calibration.ts";
import { bookStory } from "./described-story.ts";
import { DraftArchive } from "./drafts/draft-archive.ts";
import { type Job, type JudgedInput, openJobs, type PresentationOptions } from "./judged-input.ts";
import { bookNotes, type LetterOptions, withLetter } from "./letter.ts";
import { type FailedBook, type FailedBookListener, openOrReport } from "./open-book.ts";

export type { JudgedInput } from "./judged-input.ts";

export interface JudgeOptions
  extends PresentationOptions,
    Partial<Pick<EvaluateInput, "untilHalfWidth" | "letter" | "maskInjection">> {
  /** One judge, or several that form a panel. */
  readonly judges: readonly (string | ChatModel)[];
  /** The model that writes the summaries; the first judge by default. */
  readonly summariser?: string | ChatModel;
  readonly runs: number;
  /** The context length of the models in tokens, if it is unknown or wrong in our tables. */
  readonly contextTokens?: number;
  /** A reader whose personal verdict the first judge gives beside the general one, once per run. */
  readonly reader?: ReaderProfile;
  /** Books that the same judge scored in the same way, for percentiles. */
  readonly population?: Population;
  /**
   * Whether the plan of a close reading also says what the next draft would cost, which takes as long as the plan
   * itself; true by default.
   */
  readonly planNextDraft?: boolean;
  /** The judge's map to people's scale. One that was made with other settings is refused before anything is asked. */
  readonly calibration?: Calibration;
  readonly settings: RunSettings;
  readonly services: RunServices;
  readonly onProgress?: ProgressListener;
  /** Called for a book that cannot be read, and the others are still judged. Without it, such a book ends the run. */
  readonly onFailed?: FailedBookListener;
  /** Called with each judged segment, by the methods that judge segments. */
  readonly onSegment?: (judged: JudgedSegment) => void;
  /** Called with each claim of a close reading as soon as it is made. */
  readonly onFound?: CloseReadingOptions["onFound"];
}

/**
 * How many books are judged at the same time. Each has its own chain of summaries, and the runner limits the total
 * number of calls.
 */
const BOOKS_AT_A_TIME = 8;

/** Has language models judge books, with evidence, intervals and the cost. */
export async function judgeBooks(input: JudgedInput, options: JudgeOptions): Promise<RunOutcome<BookEvaluation[]>> {
  const evaluations: BookEvaluation[] = [];
  const outcome = await judgeEach(input, options, (evaluation) => {
    evaluations.push(evaluation);
  });
  return { ...outcome, result: evaluations };
}

/**
 * Does the same one by one, in order, as soon as each is judged, so that a whole library is never in memory at once.
 * Each comes with the name of its stored draft, if there is one.
 */
export async function judgeEach(
  input: JudgedInput,
  options: JudgeOptions,
  onJudged: (evaluation: BookEvaluation, draft: string | null) => void | Promise<void>,
): Promise<RunOutcome<null>> {
  if (
    options.protocol === "novelcritique" &&
    (input.kind === "books" || input.kind === "read" || input.kind === "opened") &&
    options.method !== "summary"
  ) {
    throw new FabulaError(
      "E_PROTOCOL",
      `--protocol novelcritique judges from a summary, not by ${options.method}: leave --method out or give --method summary.`,
    );
  }
  const { settings, services } = options;
  const run = await openRun(settings, services);
  const outcome = await outcomeOf(run, judgeInRun(run, input, options, onJudged), services.signal);
  return { ...outcome, result: null, plan: outcome.plan && { ...outcome.plan, ...outcome.result } };
}

/** Judges all input, and adds to a plan what its figures do not show. */
async function judgeInRun(
  run: Run,
  input: JudgedInput,
  options: JudgeOptions,
  onJudged: Parameters<typeof judgeEach>[2],
): Promise<Pick<Plan, "obstacles" | "nextDraft">> {
  const { settings, services } = options;
  const prices = await loadPrices(settings.prices, settings.connections.judges);
  const isCloselyPlanned =
    run.dryRun && options.method === "close" && !options.known && options.planNextDraft !== false;
  const next = isCloselyPlanned ? new NextDraftPlan(prices, settings.batch ?? false) : null;
  const modelOf = async (name: string | ChatModel) => {
    const model = withContext(await run.model(name), options.contextTokens);
    return next ? next.remembering(model) : model;
  };
  const models = await Promise.all(options.judges.map(modelOf));
  const summariser = options.summariser === undefined ? models[0]! : await modelOf(options.summariser);
  const contexts = [...models, summariser].flatMap(({ contextTokens }) => contextTokens ?? []);
  const { segmentWords } = contextSizes(contexts.length > 0 ? Math.min(...contexts) : null);
  const isFitted = segmentWords !== null && options.segmentWords === undefined;
  const fitted = isFitted ? { ...options, segmentWords } : options;
  const context: RunContext = { prices, models, summariser, run, options: fitted };
  const archive = new DraftArchive(run);
  const obstacles: string[] = [];
  const { total, jobs } = await openJobs(input, fitted);
  let done = 0;
  let only: Book | null = null;
  const judged = eachBounded(jobs, BOOKS_AT_A_TIME, async ({ file, open }) => {
    let failure: Failure | null = null;
    const onFailed: FailedBookListener = (failed, error) => {
      failure = { failed, error };
    };
    const job = await openOrReport(file, open, options.onFailed && onFailed, services.signal);
    const one = job ? await judgeOne(job, context, total !== 1) : failure!;
    if (job && total === 1) only = job.book;
    done += 1;
    if (total !== 1) options.onProgress?.({ stage: "Judging books", done, total });
    return one;
  });
  for await (const one of inOrder(judged)) {
    if ("failed" in one) {
      await options.onFailed?.(one.failed, one.error);
      continue;
    }
    const { evaluation, draft, obstacle } = one;
    if (obstacle !== null) obstacles.push(obstacle);
    if (draft) await (settings.part ? archive.keepUnlisted(draft) : archive.keep(draft));
    await onJudged(evaluation, draft?.title ?? null);
  }
  const nextDraft = next && only ? await planNextDraft(only, next, context) : undefined;
  return { obstacles, ...(nextDraft && { nextDraft }) };
}

/** What judging the next draft would cost if two chapters changed. */
async function planNextDraft(book: Book, next: NextDraftPlan, context: RunContext): Promise<Plan["nextDraft"]> {
  const draft = changedDraft(book);
  if (!draft) return undefined;
  const { options, models } = context;
  const known = knownWithout(draft.changed);
  const { jobs } = await openJobs({ kind: "read", books: [draft.book] }, { ...options, known });
  const later = {
    ...context,
    models: models.map((model) => next.next(model)),
    summariser: next.next(context.summariser),
  };
  for await (const { open } of jobs) await judgeOne(await open(), later, true);
  return next.plan(draft.changed);
}

async function judgeOne(job: Job, context: RunContext, quiet: boolean): Promise<Judged> {
  const { options, run } = context;
  const { evaluation, subject, summaries, draft, obstacle } = await judgeAsGiven(job, context, quiet);
  const isMasked = options.maskInjection === true && (evaluation.suspicions?.length ?? 0) > 0;
  const both = isMasked
    ? withMasked(evaluation, (await judgeAsGiven(await job.masked(), context, quiet)).evaluation)
    : evaluation;
  const personal = options.reader ? await forReader(options.reader, both, subject, summaries, context) : both;
  const whole = isLetterWanted(subject, personal, options)
    ? await withWrittenLetter(personal, job, subject, context)
    : personal;
  return { evaluation: run.id === null ? whole : { ...whole, run: run.id }, draft, obstacle };
}

/** Adds the reader's part to an evaluation: one more call per run, and a summary if the method made none. */
async function forReader(
  reader: ReaderProfile,
  evaluation: BookEvaluation,
  subject: Subject,
  summaries: { read(): Meter },
  { models, prices, options }: RunContext,
): Promise<BookEvaluation> {
  const before = summaries.read();
  const meter = meteredModel(models[0]!, priceOf(prices, models[0]!.id), options.settings.batch ?? false);
  const story = bookStory(subject.book, await subject.storyDetails());
  const { signal } = options.services;
  const personal = await modelPart(meter.model, reader, story, evaluation, evaluation.runs, signal);
  const [asked, summarised] = [meter.read(), summaries.read()];
  const summariesCost = costOfCalls(
    (summarised.cost ?? 0) - (before.cost ?? 0),
    summarised.unpricedCalls - before.unpricedCalls,
  );
  return {
    ...evaluation,
    personal,
    calls: evaluation.calls + asked.calls + summarised.calls - before.calls,
    ...addCosts([evaluation, asked, summariesCost]),
  };
}

/**
 * A letter quotes the text and builds on verdicts, so a summarised book, an outline, and a book without a verdict get
 * none.
 */
function isLetterWanted(
  { book, method }: Subject,
  { coverage }: BookEvaluation,
  // A model trained on reviews can write only reviews.
  { protocol, letter = protocol !== "novelcritique" }: JudgeOptions,
): boolean {
  return letter && book.chapters.length > 0 && method !== "outline" && coverage.judgedWords > 0;
}

async function withWrittenLetter(
  evaluation: BookEvaluation,
  { instructions }: Job,
  subject: Subject,
  { models, prices, options, run }: RunContext,
): Promise<BookEvaluation> {
  const meter = meteredModel(models[0]!, priceOf(prices, models[0]!.id), options.settings.batch ?? false);
  const { signal } = options.services;
  const lettered = subject.closeLetter
    ? await withCloseLetter(evaluation, subject, meter.model, { dryRun: run.dryRun, signal })
    : await withModelLetter(evaluation, subject.book, meter.model, { instructions, dryRun: run.dryRun, signal });
  const asked = meter.read();
  return { ...lettered, calls: evaluation.calls + asked.calls, ...addCosts([evaluation, asked]) };
}

interface ModelLetterOptions {
  readonly instructions: JudgeInstructions;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/**
 * Adds an edit letter to an evaluation by language models, in one more call: the first judge writes it from its own
 * verdicts. The map and the line notes are computed here and cost nothing. If the model gives no answer, the letter
 * lists the most frequent remarks.
 */
async function withModelLetter(
  evaluation: BookEvaluation,
  book: Book,
  judge: ChatModel,
  { instructions, dryRun, signal }: ModelLetterOptions,
): Promise<BookEvaluation> {
  const { language, temperature } = instructions;
  const question = { metadata: metadataText(book, language), language, temperature };
  if (dryRun) {
    // Where all verdicts are in the store, so may be the letter that was written from them.
    if (isPlanned(remarksOf(evaluation))) await planLetter(judge, question, signal);
    else if (hasRemarks(evaluation)) await askLetter(judge, evaluation, question, signal);
    return evaluation;
  }
  const answer = hasRemarks(evaluation) ? await askLetter(judge, evaluation, question, signal) : null;
  const written = answer?.kind === "answered" ? answer.value : null;
  const lettered = await withCounted(evaluation, book, { written });
  const note = answer?.kind === "unanswered" ? [`The letter was not written by the judge: ${answer.reason}.`] : [];
  return { ...lettered, assessment: written?.assessment || lettered.assessment, notes: [...lettered.notes, ...note] };
}

/** Adds to an evaluation by close reading the letter that the first judge writes from its findings. */
async function withCloseLetter(
  evaluation: BookEvaluation,
  { book, closeLetter }: Subject,
  judge: ChatModel,
  { dryRun, signal }: Pick<ModelLetterOptions, "dryRun" | "signal">,
): Promise<BookEvaluation> {
  const read = await closeLetter?.(judge, signal);
  if (dryRun || !read) return evaluation;
  return withCounted(evaluation, book, { read });
}

/** Adds the map, the line notes and what they say about the book; they are computed here, at no cost. */
async function withCounted(evaluation: BookEvaluation, book: Book, extras: LetterOptions): Promise<BookEvaluation> {
  const jury = await loadJury();
  const chapters = book.chapters.map(({ index, text }) => ({ index, prepared: jury.prepare(text) }));
  const notConnected = reasonNotConnected(chapters.map(({ prepared }) => prepared));
  return withLetter(evaluation, book, bookNotes(chapters, jury, "few"), { ...extras, notConnected });
}

function remarksOf({ aspects }: BookEvaluation): string[] {
  return aspects.flatMap(({ strengths, weaknesses }) => [...strengths, ...weaknesses].map(({ text }) => text));
}

interface RunContext {
  readonly prices: PriceTable;
  readonly models: readonly ChatModel[];
  readonly summariser: ChatModel;
  readonly run: Run;
  readonly options: JudgeOptions;
}

interface Judged {
  readonly evaluation: BookEvaluation;
  /** The record that later drafts are compared with. */
  readonly draft: DraftRecord | null;
  /** Why all or part of the book could not even be asked about. */
  readonly obstacle: string | null;
}

interface Failure {
  readonly failed: FailedBook;
  readonly error: unknown;
}

interface JudgedAsGiven extends Judged {
  readonly subject: Subject;
  readonly summaries: ReturnType<typeof meteredModel>;
}

/** The judges' verdicts on the text, without a letter or a reader's part. */
async function judgeAsGiven(job: Job, context: RunContext, quiet: boolean): Promise<JudgedAsGiven> {
  const { options, prices, models, run } = context;
  const batched = options.settings.batch ?? false;
  const report = (stage: string, done: number, total: number) => {
    if (!quiet) options.onProgress?.({ stage, done, total });
  };
  const summaries = meteredModel(context.summariser, priceOf(prices, context.summariser.id), batched);
  const subject = job.subjectFor(summaries.model, {
    onSummarised: (done, total) => report("Summarising", done, total),
    onStep: report,
    ...(options.onSegment && { onSegment: options.onSegment }),
    ...(options.onFound && { onFound: options.onFound }),
  });
  // A plan shows no suspicions; it looks for them where a second judging of a masked text depends on them.
  const suspicions = run.dryRun && !options.maskInjection ? [] : findSuspicions(subject.book, subject.beside);
  const settings = await settingsOf(
    {
      judges: models.map(({ id }) => id),
      basis: subject.basis,
      instructions: job.instructions,
      summariser: context.summariser.id,
      bySegment: options.bySegment ?? false,
      segmentWords: options.segmentWords,
      runs: options.runs,
      untilHalfWidth: options.untilHalfWidth ?? null,
    },
    options.prompts ?? shippedPrompts,
  );
  if (options.population) {
    const judge = models.map(({ id }) => id).join(" + ");
    requireSameWay({ judge, method: subject.method, rubric: job.instructions.rubric, settings }, options.population);
  }
  if (options.calibration) calibrationFor(options.calibration, settings);
  let draft: DraftRecord | null = null;
  let obstacle: string | null = null;
  // A plan has no scores, so it cannot stop early: it counts every run that is allowed.
  const untilHalfWidth = run.dryRun ? null : (options.untilHalfWidth ?? null);
  const evaluations = await Promise.all(
    models.map(async (model, position) => {
      const meter = meteredModel(model, priceOf(prices, model.id), batched);
      const outcomes = await repeatRuns(subject.judge, meter.model, {
        runs: options.runs,
        untilHalfWidth,
        scale: job.instructions.rubric.scale,
        signal: options.services.signal,
        onDone: (done) => report("Judging", done, options.runs),
      });
      obstacle ??= obstacleTo(subject, outcomes[0]!);
      if (position === 0 && subject.record && run.id !== null)
        draft = { ...(await subject.record(model.id, outcomes)), settings };
      const shared = position === 0 ? summaries.read() : { ...NO_COST, calls: 0 };
      const own = meter.read();
      return buildEvaluation({
        book: subject.book,
        judge: model.id,
        method: subject.method,
        instructions: job.instructions,
        settings,
        outcomes,
        suspicions,
        ...(subject.notes ? { notes: subject.notes } : {}),
        calls: own.calls + shared.calls,
        ...addCosts([own, shared]),
      });
    }),
  );
  const stopped = withStopNote(combinePanel(evaluations), options);
  const evaluation = options.population ? placeInPopulation(stopped, options.population) : stopped;
  return { evaluation, subject, summaries, draft, obstacle };
}

function obstacleTo({ book, method }: Subject, { ledger }: JudgeOutcome): string | null {
  const unseen = ledger.filter(({ seenAs }) => seenAs === "nothing");
  if (unseen.length === 0) return null;
  const share = unseen.length === ledger.length ? "" : ` (${unseen.length} of ${ledger.length} segments)`;
  const advice =
    method === "one-pass" || method === "close"
      ? "give --method summary, aggregate or incremental"
      : "give a smaller --segment-words";
  return `"${book.title}" cannot be judged by ${method}${share}, since ${unseen[0]!.reason}: ${advice}.`;
}

function withStopNote(evaluation: BookEvaluation, { untilHalfWidth, runs }: JudgeOptions): BookEvaluation {
  if (untilHalfWidth === undefined) return evaluation;
  const note =
    evaluation.runs < runs
      ? `The runs' interval was within ±${untilHalfWidth} after ${evaluation.runs} runs. It allows for having been looked at several times.`
      : `After ${evaluation.runs} runs their interval is still wider than ±${untilHalfWidth} or just within it: that was the most allowed.`;
  return { ...evaluation, notes: [...evaluation.notes, note] };
}

/** The next draft's calls get numbers far above those of this one. */
const FIRST_CALL = 1_000_000;
/** Two changed chapters need unchanged ones between and around them. */
const FEWEST_CHAPTERS = 3;

/** Remembers what a plan has asked, and plans what would have to be asked again if two chapters changed. */
class NextDraftPlan {
  readonly #asked = new Map<string, ChatReply>();
  readonly #prices: PriceTable;
  readonly #planner: Planner;

  constructor(prices: PriceTable, batched: boolean) {
    this.#prices = prices;
    this.#planner = new Planner(batched, FIRST_CALL);
  }

  /** Wraps a model of this draft's plan, whose calls are remembered. */
  remembering(model: ChatModel): ChatModel {
    return {
      ...model,
      contextTokens: model.contextTokens,
      complete: async (request, signal) => {
        const reply = await model.complete(request, signal);
        this.#asked.set(keyOf(model, request), reply);
        return reply;
      },
    };
  }

  /** Wraps the same model for the next draft. */
  next(model: ChatModel): ChatModel {
    return planningModel(model, this.#planner, {
      price: priceOf(this.#prices, model.id),
      recall: async (request) => this.#asked.get(keyOf(model, request)) ?? null,
    });
  }

  plan(changed: readonly number[]): NonNullable<Plan["nextDraft"]> {
    const { calls, cached, inputTokens, outputTokens, expectedCost, expectedCostCached, maximumCost } =
      this.#planner.plan();
    return {
      changed,
      calls: calls - cached,
      inputTokens,
      outputTokens,
      expectedCost,
      expectedCostCached,
      maximumCost,
    };
  }
}

function keyOf(model: ChatModel, request: ChatRequest): string {
  return identify(model, request).key;
}

/** The book with a line changed at one third and at two thirds of its chapters; null if it has too few. */
function changedDraft(book: Book): { readonly book: Book; readonly changed: readonly number[] } | null {
  const { chapters } = book;
  if (chapters.length < FEWEST_CHAPTERS) return null;
  const at = [Math.floor(chapters.length / 3), Math.floor((2 * chapters.length) / 3)];
  const changed = at.map((place) => chapters[place]!.index);
  const text = (chapter: Book["chapters"][number]) =>
    changed.includes(chapter.index) ? { ...chapter, text: `${chapter.text}\n\nOne more line.` } : chapter;
  return { book: { ...book, chapters: chapters.map(text) }, changed };
}

/** What the reading of the next draft already knows about claims: those that concern no changed chapter. */
function knownWithout(changed: readonly number[]): (claim: Claim) => RefutedClaim | null {
  return (claim) =>
    claim.passages.some(({ chapter }) => changed.includes(chapter))
      ? null
      : { ...claim, verdict: "holds", why: "", explainedBy: null };
}
