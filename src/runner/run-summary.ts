import { addCosts, type Cost, costOfCalls, NO_COST } from "../core/cost.ts";
import { isCovered } from "../models/judge-name.ts";
import { sum } from "../stats/distribution.ts";
import type { UseTotal } from "../store/records.ts";

interface Share extends Cost {
  readonly calls: number;
  readonly unpricedCalls: number;
}

/** What a run did and cost, in all and by what the calls were for. */
export interface RunSummary extends Cost {
  readonly calls: number;
  readonly asked: number;
  readonly cached: number;
  readonly failed: number;
  readonly unpricedCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly byPurpose: Readonly<Record<string, Share>>;
  readonly byModel: Readonly<Record<string, Share>>;
}

/**
 * The store counts calls without a price; which of them are covered follows from their model. An answer from the store was
 * covered too, unless the user has given the model a price.
 */
export function summarise(stored: readonly UseTotal[]): RunSummary {
  const priced = new Set(stored.filter(({ cost }) => (cost ?? 0) > 0).map(({ model }) => model));
  const totals = stored.map((use) => {
    if (!isCovered(use.model)) return use;
    return { ...use, ...costOfCalls(use.cost ?? 0, 0, priced.has(use.model) ? use.unpricedCalls : use.calls) };
  });
  const total = (pick: (use: UseTotal) => number, of = totals) => sum(of.map(pick));
  const outcome = (kind: UseTotal["outcome"]) =>
    total(
      ({ calls }) => calls,
      totals.filter((use) => use.outcome === kind),
    );
  const asked = totals.filter((use) => use.outcome === "asked");
  return {
    calls: total(({ calls }) => calls),
    asked: outcome("asked"),
    cached: outcome("cached"),
    failed: outcome("failed"),
    ...addCosts(totals),
    inputTokens: total(({ inputTokens }) => inputTokens, asked),
    outputTokens: total(({ outputTokens }) => outputTokens, asked),
    byPurpose: sharesBy(totals, ({ purpose }) => purpose),
    byModel: sharesBy(totals, ({ model }) => model),
  };
}

function sharesBy(totals: readonly UseTotal[], name: (total: UseTotal) => string): Record<string, Share> {
  const shares: Record<string, Share> = {};
  for (const total of totals) {
    const before = shares[name(total)] ?? { ...NO_COST, calls: 0 };
    shares[name(total)] = { calls: before.calls + total.calls, ...addCosts([before, total]) };
  }
  return shares;
}
