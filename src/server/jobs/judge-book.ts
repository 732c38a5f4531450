import type { ChapterEvent, EvaluationRequest, FoundEvent, Job, JobStep } from "../../api/jobs.ts";
import { isBuilt } from "../../core/assets.ts";
import { type Cost, costInWords, costOfCalls, dollars } from "../../core/cost.ts";
import { FabulaError } from "../../core/errors.ts";
import { averageVerdicts, type Verdict } from "../../core/verdict.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { type JudgedSegment, METHOD_NAMES } from "../../judge/methods/method.ts";
import { isOfTheJury } from "../../jury/juror.ts";
import { loadJury } from "../../jury/jury.ts";
import { isCovered } from "../../models/judge-name.ts";
import { loadReferenceNovels } from "../../prose/reference/reference-novels.ts";
import type { RunServices, RunSettings } from "../../runner/open-run.ts";
import type { Plan } from "../../runner/planning.ts";
import { noticeInWords, type RunnerEvent } from "../../runner/runner-event.ts";
import { evaluateWithJury } from "../../tasks/books/evaluate-book.ts";
import type { JudgeOptions } from "../../tasks/books/judge-books.ts";
import type { Book } from "../../text/book.ts";
import { exampleBook } from "../library/keep-book.ts";
import { bookIn } from "../library/stored-books.ts";
import { countApart, startCounting } from "../threads/count-apart.ts";

/**
 * The mean of what runs and judges have said about each segment so far. A segment is identified by the chapter it begins in;
 * several segments of one long chapter share a place, with the mean of them all.
 */
export class SegmentMeans {
  readonly #found = new Map<number, { lastChapter: number; readonly verdicts: Verdict[] }>();

  add({ chapters, overall }: Pick<JudgedSegment, "chapters" | "overall">): ChapterEvent {
    const chapter = chapters[0] ?? 1;
    const found = this.#found.get(chapter) ?? { lastChapter: chapter, verdicts: [] };
    found.lastChapter = Math.max(found.lastChapter, ...chapters);
    found.verdicts.push(overall);
    this.#found.set(chapter, found);
    return {
      kind: "chapter",
      chapter,
      lastChapter: found.lastChapter,
      verdict: averageVerdicts(found.verdicts).verdict,
    };
  }
}

export interface JudgeBookInput {
  /** The book's folder in the library. */
  readonly folder: string;
  readonly request: EvaluationRequest;
  readonly settings: RunSettings;
}

/** What is reported about a job while it runs. */
export type JudgeBookEvent =
  | ({ readonly kind: "progress" } & Pick<Job, "stage" | "step" | "done" | "total">)
  | ChapterEvent
  | FoundEvent
  | { readonly kind: "run"; readonly runId: string }
  | ({ readonly kind: "spent"; readonly calls: number } & Cost)
  | { readonly kind: "note"; readonly text: string };

export interface JudgedBook {
  readonly evaluation: BookEvaluation;
  /** Why a run ended before its end: the cost limit, a provider that is down. */
  readonly stopped: { readonly by: StopReason; readonly note: string } | null;
}

type StopReason = Extract<RunnerEvent["kind"], "cost-limit" | "provider-down">;

interface Context {
  readonly emit: (event: JudgeBookEvent) => void;
  readonly signal: AbortSignal;
  /** Answers in place of the judge `paste`. */
  readonly byHand?: RunServices["byHand"];
}

export async function judgeBook(input: JudgeBookInput, context: Context): Promise<JudgedBook> {
  const book = await bookIn(input.folder);
  return isForJury(input.request) ? withJury(book, input, context) : withModels(book, input, context);
}

/** The plan for asking language models; null for the embedded jury, which asks none. */
export async function planBook(input: JudgeBookInput, { signal }: Pick<Context, "signal">): Promise<Plan | null> {
  if (isForJury(input.request)) return null;
  return planFor(await bookIn(input.folder), input, signal);
}

export function isForJury({ judges }: Pick<EvaluationRequest, "judges">): boolean {
  return judges.length === 1 && isOfTheJury(judges[0]!);
}

/** What a novel runs through is compiled after a few readings of a short story; more of them would gain little. */
const WARMING_READINGS = 6;

/** Loads what judging without a model needs, before there is a book, and judges a short story until the signal says that a book has come. */
export async function readyJury(signal: AbortSignal): Promise<void> {
  startCounting();
  loadReferenceNovels();
  await loadJury();
  signal.throwIfAborted();
  const story = await exampleBook();
  for (let reading = 0; reading < WARMING_READINGS; reading++) {
    signal.throwIfAborted();
    const counted = countApart(story, 0);
    await evaluateWithJury(story, { ...(counted && { counted }), signal });
  }
}

async function withJury(
  book: Book,
  { request: { aspects, judges } }: JudgeBookInput,
  { emit, signal }: Context,
): Promise<JudgedBook> {
  const total = book.chapters.length;
  let done = 0;
  const counted = countApart(book);
  const evaluation = await evaluateWithJury(book, {
    judge: judges[0]!,
    ...(counted && { counted }),
    ...(aspects.length > 0 && { aspects }),
    signal,
    onChapter: (chapter, verdict) => {
      emit({ kind: "chapter", chapter, lastChapter: chapter, verdict });
      done += 1;
      emit({ kind: "progress", stage: "Judging", done, total });
    },
  });
  // The letter offers a model beside it, with its price: what works that out is loaded while the letter is on its way.
  if (isBuilt()) setImmediate(() => void modelJudges().catch(() => {}));
  return { evaluation, stopped: null };
}

async function withModels(book: Book, input: JudgeBookInput, { emit, signal, byHand }: Context): Promise<JudgedBook> {
  emit({ kind: "progress", stage: "Planning", done: 0, total: 0 });
  const plan = await planFor(book, input, signal);
  const expected = plan?.calls ?? 0;
  let stage = "Judging";
  let step: JobStep | null = null;
  let calls = 0;
  let spent = 0;
  let unpricedCalls = 0;
  let coveredCalls = 0;
  const segments = new SegmentMeans();
  let stoppedBy: StopReason | null = null;
  const tell = () => {
    emit({ kind: "spent", calls, ...costOfCalls(spent, unpricedCalls, coveredCalls) });
    emit({ kind: "progress", stage, step, done: calls, total: Math.max(expected, calls) });
  };
  const { judgeBooks } = await modelJudges();
  const { result, run } = await judgeBooks(
    { kind: "read", books: [book] },
    {
      ...optionsFor(input, {
        signal,
        ...(byHand && { byHand }),
        onOpened: (runId) => emit({ kind: "run", runId }),
        onEvent: (event) => {
          if (event.kind === "answered" || event.kind === "cached" || event.kind === "failed") calls += 1;
          if (event.kind === "answered" || event.kind === "resumed") spent = event.spent;
          if (event.kind === "resumed") ({ unpricedCalls, coveredCalls = 0 } = event);
          if (event.kind === "answered" && event.cost === null) {
            if (isCovered(event.model)) coveredCalls += 1;
            else unpricedCalls += 1;
          }
          if (event.kind === "cost-limit" || event.kind === "provider-down") stoppedBy ??= event.kind;
          const text = eventInWords(event);
          if (text) emit({ kind: "note", text });
          tell();
        },
      }),
      onProgress: (event) => {
        stage = event.stage;
        step = event.total === null ? null : { done: event.done, total: event.total };
        tell();
      },
      onSegment: (judged) => emit(segments.add(judged)),
      onFound: (claims) => {
        for (const claim of claims) emit({ kind: "found", ...claim });
      },
    },
  );
  const [evaluation] = result;
  if (!evaluation) throw new FabulaError("E_UNEXPECTED", "The judge gave no evaluation: try again.");
  const isStopped = run.status === "stopped" && stoppedBy !== null && run.note !== null;
  return { evaluation, stopped: isStopped ? { by: stoppedBy!, note: run.note! } : null };
}

async function planFor(book: Book, input: JudgeBookInput, signal: AbortSignal): Promise<Plan | null> {
  const { resume: _resume, ...settings } = input.settings;
  const { judgeBooks } = await modelJudges();
  const dry = { ...input, settings: { ...settings, dryRun: true } };
  // The web app shows this draft's price, and somebody waits for it.
  const options = { ...optionsFor(dry, { signal }), planNextDraft: false };
  return (await judgeBooks({ kind: "read", books: [book] }, options)).plan;
}

/** Providers' libraries take longer to load than the jury takes to read a story: they are loaded only when a model is asked. */
function modelJudges(): Promise<typeof import("../../tasks/books/judge-books.ts")> {
  return import("../../tasks/books/judge-books.ts");
}

function optionsFor({ request, settings }: JudgeBookInput, services: RunServices): JudgeOptions {
  return {
    judges: request.judges,
    method: METHOD_NAMES.find((name) => name === request.method) ?? "summary",
    runs: request.runs,
    ...(request.depth && { depth: request.depth }),
    ...(request.aspects.length > 0 && { aspects: request.aspects }),
    settings,
    services,
  };
}

/** The sentence that a watcher of the job sees for an event; null for routine events. */
export function eventInWords(event: RunnerEvent): string | null {
  switch (event.kind) {
    case "retried":
      return `${said(event.model, event.reason)}; asked again in ${(event.waitMilliseconds / 1000).toFixed(1)} s.`;
    case "asked-again":
      return `${said(event.model, event.reason)}; asked again.`;
    case "failed":
      return `${said(event.model, event.reason)}: no usable answer.`;
    case "asked-to-wait":
    case "waits-for-store":
    case "usage-estimated":
    case "version-changed":
    case "local-chosen":
    case "no-reply-yet":
      return noticeInWords(event);
    case "slowed":
      return `${event.provider} wants fewer requests: ${event.concurrency} at a time now.`;
    case "provider-down":
      return `${event.provider} cannot be used: ${withoutStop(event.reason)}.`;
    case "cost-limit":
      return `The cost limit of ${dollars(event.maximum)} is reached: no more calls are made.`;
    case "resumed":
      return `Resumed. Spent before: ${costInWords(costOfCalls(event.spent, event.unpricedCalls, event.coveredCalls))}.`;
    case "batch-submitted":
    case "batch-collected":
    case "answered":
    case "cached":
    case "finished":
      return null;
    default:
      return event satisfies never;
  }
}

/** A failure's message usually names its model; it should be named only once. */
function said(model: string, reason: string): string {
  const sentence = withoutStop(reason);
  return sentence.includes(model) ? sentence : `${model}: ${sentence}`;
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, "");
}
