import { readFile } from "node:fs/promises";
import { FabulaError } from "../core/errors.ts";
import { readJsonLines } from "../core/json-lines.ts";
import type { ProgressListener } from "../core/progress.ts";
import { loadRubric } from "../criteria/load-rubric.ts";
import type { Rubric } from "../criteria/rubric.ts";
import { buildEvaluation } from "../judge/build-evaluation.ts";
import type { DraftRecord } from "../judge/drafts/draft-record.ts";
import type { BookEvaluation } from "../judge/evaluation.ts";
import { type Judging, type Protocol, selectCriteria } from "../judge/material/judging.ts";
import type { MethodName } from "../judge/methods/method.ts";
import { combinePanel } from "../judge/panel.ts";
import { repeatRuns } from "../judge/repeats/repeat.ts";
import { outlineSubject, parseOutline } from "../judge/subjects/outline.ts";
import type { Subject } from "../judge/subjects/subject.ts";
import { summarisedBook, summarisedBookSchema } from "../judge/subjects/summarised-book.ts";
import { wholeBook } from "../judge/subjects/whole-book.ts";
import { findSuspicions } from "../judge/suspicion/find-suspicions.ts";
import type { ChatModel } from "../models/chat-model.ts";
import { meteredModel } from "../models/metered-model.ts";
import { loadPrices, type PriceTable, priceOf } from "../models/prices.ts";
import { type PromptLanguage, promptLanguage } from "../prompts/load-prompt.ts";
import { mapBounded } from "../runner/map-bounded.ts";
import type { Run, RunServices, RunSettings } from "../runner/open-run.ts";
import type { Book } from "../text/book.ts";
import { detectLanguage } from "../text/language.ts";
import { type ReadOptions, readBook } from "../text/read-book.ts";
import { archiveDrafts } from "./draft-archive.ts";
import { inRun, type RunOutcome } from "./in-run.ts";

/** What to judge: a file with a book in it, a book that was read already, rows of books whose summaries exist, or outlines. */
export type JudgedInput =
  | { readonly kind: "books"; readonly files: readonly string[]; readonly metadata?: ReadOptions["metadata"] }
  | { readonly kind: "read"; readonly books: readonly Book[] }
  | { readonly kind: "summaries"; readonly file: string }
  | { readonly kind: "outlines"; readonly files: readonly string[] };

export interface JudgeOptions {
  /** One judge, or several that form a panel. */
  readonly judges: readonly string[];
  /** Who writes the summaries; the first judge unless given. */
  readonly summariser?: string;
  readonly method: MethodName;
  readonly runs: number;
  readonly untilHalfWidth?: number;
  readonly rubric?: string;
  readonly aspects?: readonly string[];
  /** Whether prompts explain each aspect. */
  readonly definitions?: boolean;
  readonly bySegment?: boolean;
  /** `novelcritique` for a model trained on an export of `fabula reviews export`; it judges by summary. */
  readonly protocol?: Protocol;
  readonly segmentWords?: number;
  readonly temperature?: number;
  readonly settings: RunSettings;
  readonly services: RunServices;
  readonly onProgress?: ProgressListener;
}

/** LongStoryEval repeats five times at temperature zero; some spread is wanted here, since the spread is what intervals show. */
const TEMPERATURE = 0.7;
/** Books judged side by side: each keeps its own chain of summaries, and the runner limits the calls of all. */
const BOOKS_AT_A_TIME = 8;

/** Has language models judge books, and says with what evidence, how surely and at what cost. */
export async function judgeBooks(input: JudgedInput, options: JudgeOptions): Promise<RunOutcome<BookEvaluation[]>> {
  if (
    options.protocol === "novelcritique" &&
    (input.kind === "books" || input.kind === "read") &&
    options.method !== "summary"
  ) {
    throw new FabulaError(
      "E_PROTOCOL",
      `--protocol novelcritique judges from a summary, not by ${options.method}: leave --method out or give --method summary.`,
    );
  }
  return inRun(options.settings, options.services, async (run) => {
    const rubrics = await loadRubrics(options.rubric);
    const prices = await loadPrices(options.settings.prices);
    const models = await Promise.all(options.judges.map((name) => run.model(name)));
    const summariser = options.summariser === undefined ? models[0]! : await run.model(options.summariser);
    const context: JudgingContext = { rubrics, prices, models, summariser, run, options, drafts: [] };
    const jobs = await openJobs(input, context);
    let done = 0;
    const evaluations = await mapBounded(jobs, BOOKS_AT_A_TIME, async (job) => {
      const evaluation = await judgeOne(await job(), context, jobs.length > 1);
      done += 1;
      if (jobs.length > 1) options.onProgress?.({ stage: "Judging books", done, total: jobs.length });
      return evaluation;
    });
    if (run.id !== null && context.drafts.length > 0)
      await archiveDrafts(options.settings.store, run.id, context.drafts);
    return evaluations;
  });
}

/** Aspects are told in the language of the prompt; a rubric of the user's own is told as it stands. */
type Rubrics = Readonly<Record<PromptLanguage, Rubric>>;

async function loadRubrics(name = "long-story"): Promise<Rubrics> {
  const en = await loadRubric(name);
  return { en, zh: name === "long-story" ? await loadRubric("long-story-zh") : en };
}

interface JudgingContext {
  readonly rubrics: Rubrics;
  readonly prices: PriceTable;
  readonly models: readonly ChatModel[];
  readonly summariser: ChatModel;
  readonly run: Run;
  readonly options: JudgeOptions;
  /** What later drafts can be held against. */
  readonly drafts: DraftRecord[];
}

/** A subject for each judge of the panel: they share the book's summary. */
interface Job {
  readonly book: Book;
  subjectFor(summariser: ChatModel, onSummarised: (done: number, total: number) => void): Subject;
  readonly judging: Judging;
}

async function openJobs(input: JudgedInput, context: JudgingContext): Promise<(() => Promise<Job>)[]> {
  switch (input.kind) {
    case "books":
      return input.files.map(
        (file) => async () =>
          bookJob(await readBook(file, input.metadata ? { metadata: input.metadata } : {}), context),
      );
    case "read":
      return input.books.map((book) => async () => bookJob(book, context));
    case "summaries": {
      const rows = await readJsonLines(input.file, summarisedBookSchema);
      return rows.map((row) => async () => {
        const judging = judgingFor(row.language ?? detectLanguage(row.plot_summary), context);
        const subject = summarisedBook(row, judging);
        return { book: subject.book, judging, subjectFor: () => subject };
      });
    }
    case "outlines":
      return input.files.map((file) => async () => {
        const outline = parseOutline(await readText(file), file);
        const language = detectLanguage(outline.plot);
        const judging = judgingFor(language, context);
        const subject = outlineSubject(outline, file, language, judging);
        return { book: subject.book, judging, subjectFor: () => subject };
      });
    default:
      return input satisfies never;
  }
}

function bookJob(book: Book, context: JudgingContext): Job {
  const { options } = context;
  const judging = judgingFor(book.language, context);
  return {
    book,
    judging,
    subjectFor: (summariser, onSummarised) =>
      wholeBook(book, {
        method: options.method,
        judging,
        summariser,
        bySegment: options.bySegment ?? false,
        ...(options.segmentWords === undefined ? {} : { segmentWords: options.segmentWords }),
        signal: options.services.signal,
        onSummarised,
      }),
  };
}

function judgingFor(bookLanguage: string | null, { rubrics, options }: JudgingContext): Judging {
  const language = promptLanguage(bookLanguage);
  const rubric = rubrics[language];
  return {
    rubric,
    criteria: selectCriteria(rubric, options.aspects ?? null),
    definitions: options.definitions ?? true,
    language,
    temperature: options.temperature ?? TEMPERATURE,
    ...(options.protocol !== undefined && { protocol: options.protocol }),
  };
}

async function judgeOne(job: Job, context: JudgingContext, quiet: boolean): Promise<BookEvaluation> {
  const { options, prices, models, run } = context;
  const report = (stage: string, done: number, total: number) => {
    if (!quiet) options.onProgress?.({ stage, done, total });
  };
  const summaries = meteredModel(context.summariser, priceOf(prices, context.summariser.id));
  const subject = job.subjectFor(summaries.model, (done, total) => report("Summarising", done, total));
  const suspicions = findSuspicions(subject.book.chapters);
  const evaluations = await Promise.all(
    models.map(async (model, position) => {
      const meter = meteredModel(model, priceOf(prices, model.id));
      const outcomes = await repeatRuns(
        (sample) => subject.judge(meter.model, sample, options.services.signal),
        { runs: options.runs, untilHalfWidth: options.untilHalfWidth ?? null, scale: job.judging.rubric.scale },
        (done) => report("Judging", done, options.runs),
      );
      if (position === 0 && subject.record && run.id !== null)
        context.drafts.push(await subject.record(model.id, outcomes));
      const shared = position === 0 ? summaries.read() : { calls: 0, cost: 0 };
      const { calls, cost } = meter.read();
      return buildEvaluation({
        book: subject.book,
        judge: model.id,
        method: subject.method,
        judging: job.judging,
        outcomes,
        suspicions,
        calls: calls + shared.calls,
        cost: cost + shared.cost,
      });
    }),
  );
  const evaluation = combinePanel(evaluations);
  return { ...withStopNote(evaluation, options), ...(run.id === null ? {} : { run: run.id }) };
}

function withStopNote(evaluation: BookEvaluation, { untilHalfWidth, runs }: JudgeOptions): BookEvaluation {
  if (untilHalfWidth === undefined) return evaluation;
  const note =
    evaluation.runs < runs
      ? `The interval was within ±${untilHalfWidth} after ${evaluation.runs} runs.`
      : `After ${evaluation.runs} runs the interval is still wider than ±${untilHalfWidth} or just within it: that was the most allowed.`;
  return { ...evaluation, notes: [...evaluation.notes, note] };
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new FabulaError("E_NOT_FOUND", `There is no file ${file}: check the path.`, { cause });
  }
}
