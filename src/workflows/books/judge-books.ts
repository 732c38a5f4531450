import { addCosts, costOfCalls } from "../../core/cost.ts";
import { FabulaError } from "../../core/errors.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import type { Subject } from "../../judge/subjects/subject.ts";
import { withMasked } from "../../judge/suspicion/with-masked.ts";
import { type Meter, meteredModel } from "../../models/metered-model.ts";
import { loadPrices, priceOf } from "../../models/prices.ts";
import type { ReaderProfile } from "../../reader/profile/reader-profile.ts";
import { eachBounded, inOrder } from "../../runner/map-bounded.ts";
import { modelPart } from "../readers/personal-part.ts";
import { inRun, type RunOutcome } from "../runs/in-run.ts";
import { DraftArchive } from "./drafts/draft-archive.ts";
import { openOrReport } from "./failed-book.ts";
import { type Judged, type JudgingContext, judgeAsGiven } from "./judging/judge-as-given.ts";
import type { JudgeOptions } from "./judging/judge-options.ts";
import { withModelLetter } from "./letter/model-letter.ts";
import { bookStory } from "./reading/book-story.ts";
import { type Job, type JudgedInput, openJobs } from "./reading/judged-input.ts";

export type { JudgeOptions } from "./judging/judge-options.ts";
export type { JudgedInput } from "./reading/judged-input.ts";

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

async function judgeOne(job: Job, context: JudgingContext, quiet: boolean): Promise<Judged> {
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
