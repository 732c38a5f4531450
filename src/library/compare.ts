import type { Rubric } from "../criteria/rubric.ts";
import type { Goal } from "../judge/pairwise/tournament.ts";
import { openBook } from "../tasks/books/open-book.ts";
import type { BookInput } from "../tasks/define/book-input.ts";
import { type BookComparison, compareBooks as compareWithModel } from "../workflows/books/compare-books.ts";
import { compareWithJury, type JuryComparison } from "../workflows/books/jury/compare-with-jury.ts";
import { JURY } from "../workflows/books/jury/embedded-judge.ts";
import { chooseOne, type OneJudge } from "./judge.ts";
import { interruptible, type ModelOptions, progressOf, runServicesOf, runSettingsOf, signalOf } from "./options.ts";

/** How books are compared. Without a judge, by the scores of the embedded jury. */
export interface CompareOptions extends ModelOptions {
  readonly judge?: OneJudge;
  readonly summariser?: OneJudge;
  /** How often a language model is asked in each order: 3 unless given. */
  readonly runs?: number;
  /** For more than two books: how many meetings a tournament has. */
  readonly meetings?: number;
  /** For more than two books: stop the tournament when this is reached. */
  readonly until?: Goal;
  readonly rubric?: string | Rubric;
  readonly aspects?: readonly string[];
}

/** What the comparison says; `kind` tells whether the embedded jury or a language model made it. */
export type Comparison =
  | ({ readonly kind: "jury" } & JuryComparison)
  | ({ readonly kind: "model"; readonly calls: number; readonly cost: number | null } & BookComparison);

const DEFAULT_RUNS = 3;

/** Compares two books aspect by aspect, or ranks more. */
export async function compareBooks(sources: Iterable<BookInput>, options: CompareOptions = {}): Promise<Comparison> {
  return interruptible(options, async () => {
    const judge = chooseOne(options.judge, JURY);
    const books = await Promise.all([...sources].map((source) => openBook(source)));
    const { aspects, summariser, meetings, until, rubric } = options;
    const onProgress = progressOf(options);
    if (judge.kind === "embedded") {
      const asked = { judge: judge.name, signal: signalOf(options), onProgress, ...(aspects && { aspects }) };
      return { kind: "jury", ...(await compareWithJury(books, asked)) };
    }
    const { result, run } = await compareWithModel(books, {
      judge: judge.models[0]!,
      runs: options.runs ?? DEFAULT_RUNS,
      settings: runSettingsOf(options),
      services: runServicesOf(options),
      onProgress,
      ...(summariser !== undefined && { summariser }),
      ...(meetings !== undefined && { meetings }),
      ...(until && { until }),
      ...(rubric !== undefined && { rubric }),
      ...(aspects && { aspects }),
    });
    return { kind: "model", calls: run.summary.calls, cost: run.summary.cost, ...result };
  });
}
