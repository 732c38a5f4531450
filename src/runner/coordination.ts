import type { Clock } from "../core/clock.ts";
import type { Interruption } from "./interruption.ts";
import { Budget, type Spending } from "./limits/budget.ts";
import { type Allotment, type RateLimits, unsharedAllotment } from "./limits/limiter.ts";

/**
 * `mine`: no other process asks this question, so this one may. `answered`: another process has asked it, so the
 * answer may be stored. `interrupted`: the run ended while another process was asking.
 */
export type ClaimOutcome = "mine" | "answered" | "interrupted";

/** Who asks which question, so that two processes that need the same answer at the same time pay for it once. */
export interface Claims {
  /** Waits while another process is asking. */
  take(key: string): Promise<ClaimOutcome>;
  release(key: string): void;
}

/** What all processes of a run must agree on: the limits of providers, the money, and who asks what. */
export interface Coordination {
  allotment(provider: string): Allotment;
  readonly spending: Spending;
  readonly claims: Claims;
}

/** Joins the agreement for one part of a run, once it is known what was spent and how the part can be interrupted. */
export type Coordinate = (part: { readonly interruption: Interruption; readonly clock: Clock }) => Coordination;

/** Coordination for a run in a single process. */
export function singleProcessCoordination(
  limits: RateLimits,
  maximumCost: number | null,
  alreadySpent: number,
  clock: Clock,
): Coordination {
  return {
    allotment: () => unsharedAllotment(limits, clock),
    spending: new Budget(maximumCost, alreadySpent),
    claims: { take: async () => "mine", release() {} },
  };
}
