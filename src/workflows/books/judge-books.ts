import { addCosts, costOfCalls, NO_COST } from "../../core/cost.ts";
import { FabulaError } from "../../core/errors.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { buildEvaluation } from "../../judge/build-evaluation.ts";
import type { DraftRecord } from "../../judge/drafts/draft-record.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import type { JudgedSegment, RunOutcome as JudgeOutcome } from "../../judge/methods/method.ts";
import { combinePanel } from "../../judge/panel.ts";
import { type Population, placeInPopulation, requireSameWay } from "../../judge/population.ts";
import { repeatRuns } from "../../judge/repeats/repeat.ts";
import { settingsOf } from "../../judge/settings.ts";
import type { Subject } from "../../judge/subjects/subject.ts";
import { findSuspicions } from "../../judge/suspicion/find-suspicions.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { type Meter, meteredModel } from "../../models/metered-model.ts";
import { loadPrices, type PriceTable, priceOf } from "../../models/prices.ts";
import { shippedPrompts } from "../../prompts/own-prompts.ts";
import type { ReaderProfile } from "../../reader/profile/reader-profile.ts";
import { eachBounded, inOrder } from "../../runner/map-bounded.ts";
import type { Run, RunServices, RunSettings } from "../../runner/open-run.ts";
import { modelPart } from "../readers/personal-part.ts";
import { inRun, type RunOutcome } from "../runs/in-run.ts";
import { DraftArchive } from "./drafts/draft-archive.ts";
import { type FailedBookListener, openOrReport } from "./failed-book.ts";
import { withModelLetter } from "./letter/model-letter.ts";
import { bookStory } from "./reading/book-story.ts";
import { type Job, type JudgedInput, openJobs, type PresentationOptions } from "./reading/judged-input.ts";

export type { JudgedInput } from "./reading/judged-input.ts";

export interface JudgeOptions extends PresentationOptions {
  /** One judge, or several that form a panel. */
  readonly judges: readonly (string | ChatModel)[];
  /** The model that writes the summaries; the first judge by default. */
  readonly summariser?: string | ChatModel;
  readonly runs: number;
  readonly untilHalfWidth?: number;
  /** A reader whose own verdict the first judge gives beside the general one, once per run. */
  readonly reader?: ReaderProfile;
  /** Whether the first judge writes an edit letter from its verdicts, in one more call (the default). */
  readonly letter?: boolean;
  /** Books that the same judge scored in the same way: percentiles refer to them. */
  readonly population?: Population;
  readonly settings: RunSettings;
  readonly services: RunServices;
  readonly onProgress?: ProgressListener;
  /** Called for a book that cannot be read, and the others are judged; without it, such a book ends the run. */
  readonly onFailed?: FailedBookListener;
  /** Called with each judged segment, by the methods that judge segments. */
  readonly onSegment?: (judged: JudgedSegment) => void;
}

/** Books judged side by side: each keeps its own chain of summaries, and the runner limits the calls of all. */
const BOOKS_AT_A_TIME = 8;

/** Has language models judge books, with evidence, intervals and the cost. */
export async function judgeBooks(input: JudgedInput, options: JudgeOptions): Promise<RunOutcome<BookEvaluation[]>> {
  const evaluations: BookEvaluation[] = [];
  const outcome = await judgeEach(input, options, (evaluation) => {
    evaluations.push(evaluation);
  });
  return { ...outcome, result: evaluations };
}

/** The same, one by one in order as soon as they are judged: a whole library is never in memory at once. */
export async function judgeEach(
  input: JudgedInput,
  options: JudgeOptions,
  onJudged: (evaluation: BookEvaluation) => void | Promise<void>,
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
  const obstacles: string[] = [];
  const outcome = await inRun(options.settings, options.services, async (run) => {
    const prices = await loadPrices(options.settings.prices);
    const models = await Promise.all(options.judges.map((name) => run.model(name)));
    const summariser = options.summariser === undefined ? models[0]! : await run.model(options.summariser);
    const context: JudgingContext = { prices, models, summariser, run, options };
    const archive = new DraftArchive(run);
    const { total, jobs } = await openJobs(input, options);
    let done = 0;
    const judged = eachBounded(jobs, BOOKS_AT_A_TIME, async ({ file, open }) => {
      const job = await openOrReport(file, open, options.onFailed, options.services.signal);
      const one = job && (await judgeOne(job, context, total !== 1));
      done += 1;
      if (total !== 1) options.onProgress?.({ stage: "Judging books", done, total });
      return one;
    });
    for await (const one of inOrder(judged)) {
      if (!one) continue;
      const { evaluation, draft, obstacle } = one;
      if (obstacle !== null) obstacles.push(obstacle);
      if (draft && options.settings.part?.role !== "worker") await archive.keep(draft);
      await onJudged(evaluation);
    }
    return null;
  });
  return outcome.plan ? { ...outcome, plan: { ...outcome.plan, obstacles } } : outcome;
}

interface JudgingContext {
  readonly prices: PriceTable;
  readonly models: readonly ChatModel[];
  readonly summariser: ChatModel;
  readonly run: Run;
  readonly options: JudgeOptions;
}

interface Judged {
  readonly evaluation: BookEvaluation;
  /** What later drafts can be compared with. */
  readonly draft: DraftRecord | null;
  /** Why all or part of the book could not even be asked about. */
  readonly obstacle: string | null;
}

async function judgeOne(job: Job, context: JudgingContext, quiet: boolean): Promise<Judged> {
  const { options, prices, models, run } = context;
  const batched = options.settings.batch ?? false;
  const report = (stage: string, done: number, total: number) => {
    if (!quiet) options.onProgress?.({ stage, done, total });
  };
  const summaries = meteredModel(context.summariser, priceOf(prices, context.summariser.id), batched);
  const subject = job.subjectFor(summaries.model, {
    onSummarised: (done, total) => report("Summarising", done, total),
    ...(options.onSegment && { onSegment: options.onSegment }),
  });
  const suspicions = findSuspicions(subject.book.chapters);
  const settings = await settingsOf(
    {
      judges: models.map(({ id }) => id),
      basis: subject.basis,
      judging: job.judging,
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
    requireSameWay({ judge, method: subject.method, rubric: job.judging.rubric, settings }, options.population);
  }
  let draft: DraftRecord | null = null;
  let obstacle: string | null = null;
  // A plan knows no scores, so nothing can end it early: it counts every run that is allowed.
  const untilHalfWidth = run.dryRun ? null : (options.untilHalfWidth ?? null);
  const evaluations = await Promise.all(
    models.map(async (model, position) => {
      const meter = meteredModel(model, priceOf(prices, model.id), batched);
      const outcomes = await repeatRuns(
        (sample) => subject.judge(meter.model, sample, options.services.signal),
        { runs: options.runs, untilHalfWidth, scale: job.judging.rubric.scale },
        (done) => report("Judging", done, options.runs),
      );
      obstacle ??= obstacleTo(subject, outcomes[0]!);
      if (position === 0 && subject.record && run.id !== null)
        draft = { ...(await subject.record(model.id, outcomes)), settings };
      const shared = position === 0 ? summaries.read() : { ...NO_COST, calls: 0 };
      const own = meter.read();
      return buildEvaluation({
        book: subject.book,
        judge: model.id,
        method: subject.method,
        judging: job.judging,
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
  const personal = options.reader
    ? await forReader(options.reader, evaluation, subject, summaries, context)
    : evaluation;
  const whole = isLetterWanted(subject, personal, options)
    ? await withWrittenLetter(personal, job, subject, context)
    : personal;
  return { evaluation: run.id === null ? whole : { ...whole, run: run.id }, draft, obstacle };
}

function obstacleTo({ book, method }: Subject, { ledger }: JudgeOutcome): string | null {
  const unseen = ledger.filter(({ seenAs }) => seenAs === "nothing");
  if (unseen.length === 0) return null;
  const share = unseen.length === ledger.length ? "" : ` (${unseen.length} of ${ledger.length} segments)`;
  const advice =
    method === "one-pass" ? "give --method summary, aggregate or incremental" : "give a smaller --segment-words";
  return `"${book.title}" cannot be judged by ${method}${share}, since ${unseen[0]!.reason}: ${advice}.`;
}

/** The evaluation with the reader's part: as many calls more as there were runs, and a summary where the method made none. */
async function forReader(
  reader: ReaderProfile,
  evaluation: BookEvaluation,
  subject: Subject,
  summaries: { read(): Meter },
  { models, prices, options }: JudgingContext,
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

/** A letter quotes the text and rests on verdicts: a summarised book, an outline, and a book without a verdict get none. */
function isLetterWanted(
  { book, method }: Subject,
  { coverage }: BookEvaluation,
  { letter = true }: JudgeOptions,
): boolean {
  return letter && book.chapters.length > 0 && method !== "outline" && coverage.judgedWords > 0;
}

async function withWrittenLetter(
  evaluation: BookEvaluation,
  { judging }: Job,
  { book }: Subject,
  { models, prices, options, run }: JudgingContext,
): Promise<BookEvaluation> {
  const meter = meteredModel(models[0]!, priceOf(prices, models[0]!.id), options.settings.batch ?? false);
  const { signal } = options.services;
  const lettered = await withModelLetter(evaluation, book, meter.model, { judging, dryRun: run.dryRun, signal });
  const asked = meter.read();
  return { ...lettered, calls: evaluation.calls + asked.calls, ...addCosts([evaluation, asked]) };
}

function withStopNote(evaluation: BookEvaluation, { untilHalfWidth, runs }: JudgeOptions): BookEvaluation {
  if (untilHalfWidth === undefined) return evaluation;
  const note =
    evaluation.runs < runs
      ? `The runs' interval was within ±${untilHalfWidth} after ${evaluation.runs} runs.`
      : `After ${evaluation.runs} runs their interval is still wider than ±${untilHalfWidth} or just within it: that was the most allowed.`;
  return { ...evaluation, notes: [...evaluation.notes, note] };
}
