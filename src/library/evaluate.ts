import { FabulaError } from "../core/errors.ts";
import type { Rubric } from "../criteria/rubric.ts";
import type { BookEvaluation } from "../judge/evaluation.ts";
import { METHOD_NAMES, type MethodName } from "../judge/methods/method.ts";
import type { Story } from "../reader/predictor/story.ts";
import type { ReaderProfile } from "../reader/profile/reader-profile.ts";
import { fileOf, openBook } from "../tasks/books/open-book.ts";
import type { BookInput } from "../tasks/define/book-input.ts";
import type { Book } from "../text/book.ts";
import type { ReadOptions } from "../text/read-book.ts";
import { evaluateBook as evaluateEmbedded } from "../workflows/books/evaluate-book.ts";
import { judgeEach } from "../workflows/books/judge-books.ts";
import { type ChosenJudge, chooseJudge, type Judge, type OneJudge } from "./judge.ts";
import {
  asInterruption,
  interruptible,
  type ModelOptions,
  progressOf,
  runServicesOf,
  runSettingsOf,
  signalOf,
} from "./options.ts";

/** How a book is evaluated. Everything has a default: without a judge, the embedded jury judges. */
export interface EvaluateOptions extends ModelOptions {
  readonly judge?: Judge;
  /** How a language model is shown the book: `close` unless given, which reads the story. */
  readonly method?: MethodName;
  /** How often a language model judges: 5 unless given. */
  readonly runs?: number;
  /** Stop repeating when the overall score is known to ± this many points. */
  readonly untilHalfWidth?: number;
  /** The model that writes summaries; the first judge unless given. */
  readonly summariser?: OneJudge;
  /** The aspects to judge: a rubric's name, the path of a file, or what `loadRubric` returned. For language models. */
  readonly rubric?: string | Rubric;
  /** Only these aspects, by their ids. */
  readonly aspects?: readonly string[];
  readonly temperature?: number;
  readonly segmentWords?: number;
  /** Whether a language model also writes an edit letter, in one more call: yes unless given. */
  readonly letter?: boolean;
  /** Every line note instead of the likeliest 25, for the embedded judges. */
  readonly allNotes?: boolean;
  /**
   * Judge a book with passages that speak to the judge (`suspicions`) a second time with those masked: `masked` holds the scores
   * without them. It costs a second judging, for such books only.
   */
  readonly maskInjection?: boolean;
  /** What you know about the book; it takes precedence over what the file says. */
  readonly metadata?: ReadOptions["metadata"];
  /** A reader whose own verdict is wanted beside the general one. */
  readonly reader?: ReaderProfile;
  /** Story details for that reader's verdict, where the embedded judges evaluate: they write no summaries. */
  readonly story?: Partial<Story>;
}

/** How one book is evaluated. */
export interface EvaluateBookOptions extends EvaluateOptions {
  /** An earlier draft of the book, for the embedded judges: `changes` then holds what changed since. */
  readonly against?: BookInput;
}

/** One book of several: evaluated, or not, and why. */
export type EvaluatedBook =
  | { readonly kind: "evaluated"; readonly source: BookInput; readonly evaluation: BookEvaluation }
  | { readonly kind: "failed"; readonly source: BookInput; readonly error: unknown };

const DEFAULT_RUNS = 5;
const MOST_RUNS_UNTIL = 20;

/** Evaluates one book; one that cannot be read is an error. */
export async function evaluateBook(source: BookInput, options: EvaluateBookOptions = {}): Promise<BookEvaluation> {
  return interruptible(options, async () => {
    let evaluation: BookEvaluation | null = null;
    // To the end, not only to the result: leaving early would mark a stored run as interrupted.
    for await (const outcome of outcomesOf([source], options)) {
      if (outcome.kind === "failed") throw outcome.error;
      evaluation = outcome.evaluation;
    }
    if (evaluation === null) throw new Error("an evaluation ended without a result");
    return evaluation;
  });
}

/** Evaluates books one after another, in their order; one that cannot be read does not stop the others. */
export async function* evaluateBooks(
  sources: Iterable<BookInput>,
  options: EvaluateOptions = {},
): AsyncGenerator<EvaluatedBook, void, undefined> {
  try {
    options.signal?.throwIfAborted();
    yield* outcomesOf([...sources], options);
  } catch (error) {
    throw asInterruption(error, options);
  }
}

function outcomesOf(sources: readonly BookInput[], options: EvaluateBookOptions): AsyncGenerator<EvaluatedBook> {
  const judge = chooseJudge(options.judge);
  if (options.against !== undefined && judge.kind !== "embedded") {
    throw new FabulaError(
      "E_USAGE",
      "`against` compares drafts with the embedded judges: leave `judge` out, or use `fabula evaluate --judge … --against RUN`.",
    );
  }
  return judge.kind === "embedded" ? withJury(sources, judge.name, options) : withModels(sources, judge, options);
}

async function* withJury(
  sources: readonly BookInput[],
  judge: string,
  options: EvaluateBookOptions,
): AsyncGenerator<EvaluatedBook> {
  const { aspects, allNotes, maskInjection, reader, story, against } = options;
  const asked = {
    judge,
    signal: signalOf(options),
    onProgress: progressOf(options),
    ...(aspects && { aspects }),
    ...(allNotes !== undefined && { allNotes }),
    ...(maskInjection !== undefined && { maskInjection }),
    ...(reader && { reader }),
    ...(story && { story }),
  };
  for (const source of sources) {
    try {
      const book = await openBook(source, readOptions(options));
      const earlier = against === undefined ? {} : { against: await openEarlier(against, options) };
      yield { kind: "evaluated", source, evaluation: await evaluateEmbedded(book, { ...asked, ...earlier }) };
    } catch (error) {
      if (options.signal?.aborted) throw error;
      yield { kind: "failed", source, error };
    }
  }
}

/** Books are judged side by side, and handed out in the order they were given in. */
async function* withModels(
  sources: readonly BookInput[],
  { models }: Extract<ChosenJudge, { kind: "models" }>,
  options: EvaluateOptions,
): AsyncGenerator<EvaluatedBook> {
  const failed = new Map<number, unknown>();
  let next = 0;
  function* failuresBefore(end: number): Generator<EvaluatedBook> {
    for (; next < end && failed.has(next); next++) {
      yield { kind: "failed", source: sources[next]!, error: failed.get(next) };
    }
  }
  const judged = pulled<BookEvaluation>(options.signal, (signal, push) =>
    judgeEach(
      {
        kind: "opened",
        sources: sources.map((source, at) => ({ name: fileOf(source), open: () => open(source, at) })),
      },
      { ...judgingOf(models, options), services: { ...runServicesOf(options), signal }, onFailed: () => {} },
      push,
    ),
  );
  const open = async (source: BookInput, at: number): Promise<Book> => {
    try {
      return await openBook(source, readOptions(options));
    } catch (error) {
      failed.set(at, error);
      throw error;
    }
  };
  for await (const evaluation of judged) {
    yield* failuresBefore(sources.length);
    yield { kind: "evaluated", source: sources[next++]!, evaluation };
  }
  yield* failuresBefore(sources.length);
}

/** TypeScript forbids these; a program in JavaScript would get a verdict by another method, or of no runs. */
function checkJudging({ method, runs }: EvaluateOptions): void {
  if (method !== undefined && !METHOD_NAMES.includes(method))
    throw new FabulaError("E_METHOD", `There is no method "${method}": choose ${METHOD_NAMES.join(", ")}.`);
  if (runs !== undefined && !(Number.isInteger(runs) && runs > 0))
    throw new FabulaError("E_USAGE", `\`runs\` is ${runs}: give a whole number from 1.`);
}

function judgingOf(models: readonly OneJudge[], options: EvaluateOptions) {
  checkJudging(options);
  const { summariser, rubric, aspects, temperature, segmentWords, untilHalfWidth, letter, reader, maskInjection } =
    options;
  return {
    judges: models,
    method: options.method ?? "close",
    runs: options.runs ?? (untilHalfWidth === undefined ? DEFAULT_RUNS : MOST_RUNS_UNTIL),
    settings: runSettingsOf(options),
    onProgress: progressOf(options),
    ...(summariser !== undefined && { summariser }),
    ...(rubric !== undefined && { rubric }),
    ...(aspects && { aspects }),
    ...(temperature !== undefined && { temperature }),
    ...(segmentWords !== undefined && { segmentWords }),
    ...(untilHalfWidth !== undefined && { untilHalfWidth }),
    ...(letter !== undefined && { letter }),
    ...(maskInjection !== undefined && { maskInjection }),
    ...(reader && { reader }),
  };
}

/** What is said about the book is not said about its earlier draft, but both are in one language. */
function openEarlier(source: BookInput, { metadata }: EvaluateOptions): Promise<Book> {
  return openBook(source, metadata?.language === undefined ? {} : { metadata: { language: metadata.language } });
}

function readOptions({ metadata }: EvaluateOptions): ReadOptions {
  return metadata ? { metadata } : {};
}

/**
 * Turns work that hands out items by a callback into items that can be pulled one by one. The work waits until an item is
 * taken, so that a whole library is never in memory, and is stopped when the one who pulls goes away.
 */
async function* pulled<Item>(
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal, push: (item: Item) => Promise<void>) => Promise<unknown>,
): AsyncGenerator<Item, void, undefined> {
  const gone = new AbortController();
  const waiting: { readonly item: Item; readonly taken: () => void }[] = [];
  let isOver = false;
  let wake = () => {};
  const both = signal ? AbortSignal.any([signal, gone.signal]) : gone.signal;
  const ended = work(both, (item) => {
    if (gone.signal.aborted) return Promise.resolve();
    return new Promise((taken) => {
      waiting.push({ item, taken });
      wake();
    });
  }).finally(() => {
    isOver = true;
    wake();
  });
  // It is awaited below; until then a failure must not count as one that nothing handles.
  ended.catch(() => {});
  try {
    while (waiting.length > 0 || !isOver) {
      const next = waiting.shift();
      if (next) {
        // Also when the one who pulls goes away with it: the work must not wait for an item that was taken.
        try {
          yield next.item;
        } finally {
          next.taken();
        }
      } else {
        await new Promise<void>((woken) => {
          wake = woken;
        });
      }
    }
    await ended;
  } finally {
    gone.abort();
    for (const { taken } of waiting) taken();
    await ended.catch(() => {});
  }
}
