import type { Plan } from "../runner/planning.ts";
import { compareTask } from "../tasks/books/compare.ts";
import type { BookInput } from "../tasks/define/book-input.ts";
import type { BookComparison } from "../workflows/books/compare-books.ts";
import type { JuryComparison } from "../workflows/books/jury/compare-with-jury.ts";
import { taskFunction } from "./task-function.ts";
import type { CompareOptions } from "./task-options.ts";

/** What the comparison says; `kind` tells whether the embedded jury or a language model made it. A dry run gives a plan. */
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
