import { expect, it } from "vitest";
import { askMany, runsUnderTest } from "../../../test/support/runs-under-test.ts";
import type { SimulatedServer } from "../../testing/index.ts";

const { billed, open, start } = runsUnderTest();

it("a moment of overload fails no call: each has attempts left, and every one is answered", async () => {
  const calls = 16;
  const failures = 2 * calls;
  // The provider answers 529 until each call has been refused about twice.
  const faults = {
    get overloaded(): number {
      return server.exchanges.length < failures ? 1 : 0;
    },
  };
  const server: SimulatedServer = await start({ faults });
  const { run, model, events } = await open();
  const replies = await askMany(run, model, calls);
  expect(replies.filter((reply) => typeof reply !== "string")).toEqual([]);
  expect(server.exchanges.filter(({ fault }) => fault === "overloaded")).toHaveLength(failures);
  expect(billed()).toBe(calls);
  expect(events.some(({ kind }) => kind === "provider-down")).toBe(false);
  expect(await run.finish()).toMatchObject({ status: "done", summary: { asked: calls, failed: 0 } });
});
