import { FabulaError } from "../core/errors.ts";
import type { BookEvaluation } from "../judge/evaluation.ts";
import type { Plan } from "../runner/planning.ts";
import type { BookComparison } from "../tasks/books/compare-books.ts";
import type { JuryComparison } from "../tasks/books/compare-with-jury.ts";
import { evaluateTask } from "../tasks/books/evaluate.ts";
import type { EvaluatedBook } from "../tasks/books/evaluate-books.ts";
import { compareTask } from "../tasks/books/judge.ts";
import type { BookInput } from "../tasks/define/shared-fields.ts";
import { taskFunction } from "./task-function.ts";
import type { CompareOptions, EvaluateOptions } from "./task-options.ts";

/** Evaluates one book; one that cannot be read is an error. */
export const evaluateBook: (source: BookInput, options?: EvaluateOptions) => Promise<BookEvaluation> = taskFunction(
  evaluateTask,
  async (run, { dryRun }) => {
    refuseDryRun(dryRun);
    const [book] = (await run()).books;
    if (book?.kind === "evaluated") return book.evaluation;
    throw book ? book.error : new Error("an evaluation ended without a result");
  },
);

/** Evaluates books one after another, in their order; one that cannot be read does not stop the others. */
export function evaluateBooks(
  sources: Iterable<BookInput>,
  options: EvaluateOptions = {},
): AsyncGenerator<EvaluatedBook, void, undefined> {
  return asIterable<EvaluatedBook>(options.signal, (signal, push) => {
    const evaluate = taskFunction(evaluateTask, async (_run, input, services) => {
      refuseDryRun(input.dryRun);
      const run = await evaluateTask.load();
      return run(input, { ...services, signal, onItem: (book) => push(book as EvaluatedBook) });
    });
    return evaluate([...sources], options);
  });
}

/** Plans an evaluation: what it would ask and cost. Nothing is sent. An embedded judge asks nothing. */
export const planEvaluation: (sources: BookInput | readonly BookInput[], options?: EvaluateOptions) => Promise<Plan> =
  taskFunction(evaluateTask, async (_run, input, services) => {
    const run = await evaluateTask.load();
    const { plan } = await run({ ...input, dryRun: true }, services);
    return plan!;
  });

function refuseDryRun(dryRun: boolean): void {
  if (dryRun) throw new FabulaError("E_USAGE", "`dryRun` gives a plan and no evaluation: call `planEvaluation`.");
}

/**
 * Turns work that reports items by a callback into an async iterator. The work waits until an item is taken, so that
 * a whole library is never in memory, and stops when the consumer stops.
 */
async function* asIterable<Item>(
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
  // It is awaited below; until then a failure must not count as unhandled.
  ended.catch(() => {});
  try {
    while (waiting.length > 0 || !isOver) {
      const next = waiting.shift();
      if (next) {
        // If the consumer stops, the work must not wait for the item to be taken.
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

/**
 * The result of a comparison; `kind` says whether the embedded jury or a language model made it. A dry run gives a
 * plan.
 */
export type Comparison =
  | ({ readonly kind: "jury" } & JuryComparison)
  | ({ readonly kind: "model"; readonly calls: number; readonly cost: number | null } & BookComparison)
  | { readonly kind: "plan"; readonly plan: Plan };

/** Compares two books aspect by aspect, or ranks more. */
export const compareBooks: (sources: Iterable<BookInput>, options?: CompareOptions) => Promise<Comparison> =
  taskFunction(compareTask, async (ask) => {
    const { result, plan, run } = await ask();
    if (plan) return { kind: "plan", plan };
    if (result.kind === "jury") return result;
    return { calls: run!.summary.calls, cost: run!.summary.cost, ...result };
  });
