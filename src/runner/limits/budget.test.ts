import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inputs } from "../../../test/support/inputs.ts";
import { Budget } from "./budget.ts";

describe("a budget", () => {
  it("never lets spending pass the cap while reservations cover the costs, and uses the cap as far as they allow", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ reserve: fc.integer({ min: 1, max: 20 }), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
        ),
        fc.integer({ min: 0, max: 60 }),
        async (calls, maximum) => {
          const budget = new Budget(maximum);
          let turnedAway = 0;
          await Promise.all(
            calls.map(async ({ reserve, share }) => {
              const reservation = await budget.reserve(reserve);
              if (!reservation) {
                turnedAway += 1;
                return;
              }
              await Promise.resolve();
              reservation.settle(reserve * share);
            }),
          );
          expect(budget.spent).toBeLessThanOrEqual(maximum + 1e-9);
          if (turnedAway === 0) return;
          const largest = Math.max(...calls.map(({ reserve }) => reserve));
          expect(budget.spent).toBeGreaterThan(maximum - largest);
        },
      ),
      { numRuns: inputs(200) },
    );
  });

  it("counts what an earlier part of the run has spent", async () => {
    const budget = new Budget(1, 0.95);
    expect(await budget.reserve(0.1)).toBeNull();
    expect(await budget.reserve(0.04)).not.toBeNull();
  });

  it("makes a call wait for money that comes back, and settles once", async () => {
    const budget = new Budget(1);
    const first = await budget.reserve(0.9);
    const second = budget.reserve(0.5);
    first!.settle(0.1);
    first!.settle(0.1);
    expect(await second).not.toBeNull();
    expect(budget.spent).toBeCloseTo(0.1);
  });

  it("lets everything through when there is no cap", async () => {
    expect(await new Budget(null).reserve(1e9)).not.toBeNull();
  });
});
