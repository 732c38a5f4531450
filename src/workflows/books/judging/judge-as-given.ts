import { addCosts, NO_COST } from "../../../core/cost.ts";
import { buildEvaluation } from "../../../judge/build-evaluation.ts";
import type { DraftRecord } from "../../../judge/drafts/draft-record.ts";
import type { BookEvaluation } from "../../../judge/evaluation.ts";
import type { RunOutcome as JudgeOutcome } from "../../../judge/methods/method.ts";
import { combinePanel } from "../../../judge/panel.ts";
import { placeInPopulation, requireSameWay } from "../../../judge/population.ts";
import { repeatRuns } from "../../../judge/repeats/repeat.ts";
import { settingsOf } from "../../../judge/settings.ts";
import type { Subject } from "../../../judge/subjects/subject.ts";
import { findSuspicions } from "../../../judge/suspicion/find-suspicions.ts";
import type { ChatModel } from "../../../models/chat-model.ts";
import { meteredModel } from "../../../models/metered-model.ts";
import { type PriceTable, priceOf } from "../../../models/prices.ts";
import { shippedPrompts } from "../../../prompts/own-prompts.ts";
import type { Run } from "../../../runner/open-run.ts";
import type { Job } from "../reading/judged-input.ts";
import type { JudgeOptions } from "./judge-options.ts";

export interface JudgingContext {
  readonly prices: PriceTable;
  readonly models: readonly ChatModel[];
  readonly summariser: ChatModel;
  readonly run: Run;
  readonly options: JudgeOptions;
}

export interface Judged {
  readonly evaluation: BookEvaluation;
  /** What later drafts can be compared with. */
  readonly draft: DraftRecord | null;
  /** Why all or part of the book could not even be asked about. */
  readonly obstacle: string | null;
}

interface JudgedAsGiven extends Judged {
  readonly subject: Subject;
  readonly summaries: ReturnType<typeof meteredModel>;
}

/** What the judges say of the text, without a letter and without a reader. */
export async function judgeAsGiven(job: Job, context: JudgingContext, quiet: boolean): Promise<JudgedAsGiven> {
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
  const suspicions = findSuspicions(subject.book, subject.beside);
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
  return { evaluation, subject, summaries, draft, obstacle };
}

function obstacleTo({ book, method }: Subject, { ledger }: JudgeOutcome): string | null {
  const unseen = ledger.filter(({ seenAs }) => seenAs === "nothing");
  if (unseen.length === 0) return null;
  const share = unseen.length === ledger.length ? "" : ` (${unseen.length} of ${ledger.length} segments)`;
  const advice =
    method === "one-pass" ? "give --method summary, aggregate or incremental" : "give a smaller --segment-words";
  return `"${book.title}" cannot be judged by ${method}${share}, since ${unseen[0]!.reason}: ${advice}.`;
}

function withStopNote(evaluation: BookEvaluation, { untilHalfWidth, runs }: JudgeOptions): BookEvaluation {
  if (untilHalfWidth === undefined) return evaluation;
  const note =
    evaluation.runs < runs
      ? `The runs' interval was within ±${untilHalfWidth} after ${evaluation.runs} runs.`
      : `After ${evaluation.runs} runs their interval is still wider than ±${untilHalfWidth} or just within it: that was the most allowed.`;
  return { ...evaluation, notes: [...evaluation.notes, note] };
}
