import { expect, it } from "vitest";
import type { CallFilter } from "../../../src/store/store.ts";
import { call, use } from "../../support/stored.ts";
import { describeEveryStore } from "./every-store.ts";

describeEveryStore((under) => {
  it("adds up what a run asked, found and failed to get", async () => {
    const { store } = under;
    await store.recordAnswer(call("a"), "q", use("r", "a"));
    await store.recordAnswer(call("b", { cost: 0.5 }), "q", use("r", "b", { cost: 0.5, purpose: "summariser" }));
    await store.recordAnswer(call("c"), "q", use("elsewhere", "c"));
    await store.recordUses([
      use("r", "c", { outcome: "cached", cost: 0 }),
      use("r", "d", { outcome: "failed", cost: null, inputTokens: 0, outputTokens: 0, reason: "refused" }),
    ]);
    const totals = await store.totals("r");
    expect(totals).toHaveLength(4);
    expect(totals.reduce((sum, { cost }) => sum + (cost ?? 0), 0)).toBeCloseTo(0.75);
    expect(totals.find(({ outcome }) => outcome === "failed")).toMatchObject({
      calls: 1,
      inputTokens: 0,
      cost: null,
      unpricedCalls: 1,
    });
    expect(totals.find(({ outcome }) => outcome === "cached")).toMatchObject({ calls: 1, inputTokens: 100 });
  });

  it("remembers that a run paid for a call even when the resumed run finds it in the store", async () => {
    const { store } = under;
    await store.recordAnswer(call("a"), "q", use("r", "a"));
    await store.recordUses([use("r", "a", { outcome: "cached", cost: 0 })]);
    expect(await store.findUse("r", "a")).toMatchObject({ outcome: "asked", cost: 0.25 });
  });

  it("adds the cost of a failed attempt to the answer that came later", async () => {
    const { store } = under;
    await store.recordUses([use("r", "a", { outcome: "failed", cost: 0.1, reason: "malformed" })]);
    await store.recordAnswer(call("a"), "q", use("r", "a"));
    expect((await store.findUse("r", "a"))?.cost).toBeCloseTo(0.35);
  });

  it("keeps a paid answer when a try of another worker fails after it, and adds what that try cost", async () => {
    const { store } = under;
    await store.recordAnswer(call("a"), "q", use("r", "a"));
    const failed = use("r", "a", { outcome: "failed", cost: 0.1, reason: "malformed" });
    await store.recordFailure({ ...failed, requestHash: "late" }, "q");
    expect(await store.findUse("r", "a")).toMatchObject({ outcome: "asked", reason: null });
    expect((await store.findUse("r", "a"))?.cost).toBeCloseTo(0.35);
    expect(await store.totals("r")).toMatchObject([{ outcome: "asked", calls: 1 }]);
  });

  it("takes uses of one call twice in one go as if they had come one after the other", async () => {
    const { store } = under;
    await store.recordUses([
      use("r", "a", { outcome: "failed", cost: 0.1 }),
      use("r", "b", { outcome: "cached", cost: 0 }),
      use("r", "a", { outcome: "failed", cost: 0.2, reason: "again" }),
    ]);
    expect((await store.findUse("r", "a"))?.cost).toBeCloseTo(0.3);
    expect(await store.findUse("r", "a")).toMatchObject({ reason: "again" });
    expect(await store.findUse("r", "b")).toMatchObject({ outcome: "cached" });
  });

  it("adds costs up to the cent, in whatever order they came", async () => {
    const { store } = under;
    await store.recordUses(Array.from({ length: 1000 }, (_, at) => use("r", `k${at}`, { cost: 0.01 })));
    expect(await store.totals("r")).toMatchObject([{ calls: 1000, cost: 10 }]);
  });

  it("keeps what was asked in vain, until an answer comes with what it was asked", async () => {
    const { store } = under;
    const failed = use("r", "a", { outcome: "failed", cost: null, reason: "timed out" });
    await store.recordFailure({ ...failed, requestHash: "asked" }, "the prompt – «ça va»");
    await store.recordFailure({ ...failed, key: "b", requestHash: "asked" }, "the prompt – «ça va»");
    await store.recordUses([{ ...failed, key: "c", reason: "never sent" }]);
    const calls = await store.runCalls("r", { limit: 10, after: null });
    expect(calls.map(({ key, requestHash }) => [key, requestHash])).toEqual([
      ["a", "asked"],
      ["b", "asked"],
      ["c", null],
    ]);
    expect(await store.findRequest("asked")).toBe("the prompt – «ça va»");
    await store.recordAnswer(call("a"), "the prompt again", use("r", "a"));
    expect(await store.findUse("r", "a")).toMatchObject({ outcome: "asked", requestHash: null });
  });

  it("counts why calls got no answer, most frequent first", async () => {
    const { store } = under;
    const failed = (key: string, reason: string | null) => use("r", key, { outcome: "failed", cost: null, reason });
    await store.recordUses([failed("a", "refused"), failed("b", "cut off"), failed("c", "cut off"), failed("d", null)]);
    await store.recordUses([{ ...failed("e", "refused"), runId: "other" }, use("r", "f", { outcome: "cached" })]);
    expect(await store.failures("r")).toEqual([
      { reason: "cut off", calls: 2 },
      { reason: "refused", calls: 1 },
      { reason: "unknown", calls: 1 },
    ]);
  });

  it("pages through the calls of a run in the order they came", async () => {
    const { store } = under;
    for (let at = 0; at < 25; at++) {
      if (at % 5 === 4) await store.recordUses([use("r", `k${at}`, { outcome: "failed", cost: null, reason: "no" })]);
      else await store.recordAnswer(call(`k${at}`), "q", use("r", `k${at}`));
    }
    const seen: string[] = [];
    for (let after: number | null = null; ; ) {
      const page = await store.runCalls("r", { limit: 10, after });
      if (page.length === 0) break;
      for (const { key, outcome, answer } of page) {
        seen.push(key);
        expect(answer?.text ?? null).toBe(outcome === "failed" ? null : `answer to ${key} – «ça va»`);
      }
      after = page.at(-1)!.position;
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, at) => `k${at}`));
  });

  it("gives only the calls that fit what is asked: model, purpose, outcome", async () => {
    const { store } = under;
    const failed = { outcome: "failed", cost: null, reason: "no" } as const;
    await store.recordUses([
      use("r", "a", { model: "first" }),
      use("r", "b", { model: "second", ...failed }),
      use("r", "c", { model: "second", purpose: "summarise" }),
    ]);
    const keys = async (filter: CallFilter) =>
      (await store.runCalls("r", { limit: 10, after: null }, filter)).map(({ key }) => key);
    expect(await keys({ model: "second" })).toEqual(["b", "c"]);
    expect(await keys({ model: "second", outcome: "failed" })).toEqual(["b"]);
    expect(await keys({ purpose: "summarise" })).toEqual(["c"]);
    expect(await keys({})).toEqual(["a", "b", "c"]);
  });
});
