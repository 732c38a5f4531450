import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { ask, askMany, request, runsUnderTest } from "../../test/support/runs-under-test.ts";
import { ask as askModel } from "../models/ask.ts";
import type { ChatModel } from "../models/chat-model.ts";
import type { SimulatedServer } from "../testing/index.ts";

const { open, path, start } = runsUnderTest();

describe("money", () => {
  const priced = async (server: SimulatedServer) => {
    const prices = path("prices.yaml");
    await writeFile(prices, `date: 2026-01-01\nmodels:\n  "${server.judge("m")}": { input: 1000, output: 5000 }\n`);
    return prices;
  };

  const billOf = (server: SimulatedServer) =>
    server.exchanges
      .flatMap(({ billed }) => billed ?? [])
      .reduce((cost, call) => cost + (call.inputTokens * 1000 + call.outputTokens * 5000) / 1e6, 0);

  it("is never spent beyond the cap, whatever is in flight, and the run can go on with a higher one", async () => {
    const server = await start({ latency: 10, faults: { "malformed-body": 0.1 } });
    const prices = await priced(server);
    const capped = await open({ prices, maximumCost: 10 });
    const results = await askMany(capped.run, capped.model, 60);
    const answered = results.filter((result) => typeof result === "string").length;
    const ended = await capped.run.finish();
    expect(ended).toMatchObject({ status: "stopped", note: expect.stringContaining("$10.00") });
    expect(ended.summary.cost).toBeLessThanOrEqual(10);
    expect(ended.summary.cost).toBeGreaterThan(8);
    expect(answered).toBeGreaterThan(0);
    expect(answered).toBeLessThan(60);

    const resumed = await open({ prices, maximumCost: 1000, resume: ended.id! });
    const rest = await askMany(resumed.run, resumed.model, 60);
    expect(rest.every((result) => typeof result === "string")).toBe(true);
    const whole = await resumed.run.finish();
    expect(whole).toMatchObject({ status: "done", id: ended.id, summary: { asked: 60, failed: 0 } });
    expect(whole.summary.cost).toBeGreaterThan(ended.summary.cost!);
  });

  it("stays within the cap by what the provider bills, replies cut off on the way included", async () => {
    const server = await start({ latency: 5, faults: { "drop-midway": 0.4 } });
    const prices = await priced(server);
    const { run, model } = await open({ prices, maximumCost: 10 });
    await askMany(run, model, 60);
    const { summary } = await run.finish();
    const bill = billOf(server);
    expect(server.exchanges.some(({ outcome, billed }) => outcome === "failed" && billed)).toBe(true);
    expect(bill).toBeGreaterThan(1);
    expect(bill).toBeLessThanOrEqual(10);
    expect(summary.cost).toBeGreaterThanOrEqual(bill);
  });

  it.each([
    ["negative", -100_000],
    ["immense", 1e300],
    ["one token for every text", 1],
  ])("stays within the cap, and loses no reply, when the provider's token counts are %s", async (_what, count) => {
    const server = await start({
      latency: 5,
      reply: () => "a long reply, word by word ".repeat(30),
      reportedUsage: () => ({ inputTokens: count, outputTokens: count }),
    });
    const prices = await priced(server);
    const { run, model, events } = await open({ prices, maximumCost: 10 });
    const results = await askMany(run, model, 60);
    const { summary, status } = await run.finish();
    expect(status).toBe("stopped");
    const bill = billOf(server);
    expect(bill).toBeGreaterThan(5);
    expect(bill).toBeLessThanOrEqual(10);
    expect(summary.cost).toBeGreaterThanOrEqual(bill);
    expect(summary.cost).toBeLessThanOrEqual(10);
    expect(events.filter(({ kind }) => kind === "usage-estimated")).toEqual([
      { kind: "usage-estimated", model: server.judge("m") },
    ]);
    // All answers that were paid for are stored: a second run that asks for them pays nothing.
    const paid = results.filter((result) => typeof result === "string").length;
    const again = await open({ prices, maximumCost: 0.001 });
    const recalled = await askMany(again.run, again.model, 60);
    expect(recalled.filter((result) => typeof result === "string")).toHaveLength(paid);
  });

  it("takes no discount for more cached tokens than there are", async () => {
    const server = await start();
    const prices = await priced(server);
    const usage = { inputTokens: 20, outputTokens: 40, cachedInputTokens: 1_000_000, reasoningTokens: 0 };
    const own: ChatModel = {
      id: server.judge("m"),
      contextTokens: null,
      complete: async () => ({
        text: "A reply of some forty tokens. ".repeat(5),
        reasoning: null,
        stop: "stop",
        usage,
        model: "own",
        latencyMilliseconds: 1,
      }),
    };
    const { run } = await open({ prices });
    const { usage: counted } = await ask(run.durable(own), "a text of a few words, told in one sentence");
    expect(counted).toEqual({ ...usage, cachedInputTokens: 0 });
    expect((await run.finish()).summary.cost).toBeCloseTo((20 * 1000 + 40 * 5000) / 1e6);
  });

  it("keeps what was paid for a reply that could not be used, when the run is interrupted before the next one", async () => {
    const abort = new AbortController();
    const server = await start({ reply: () => "no score" });
    const prices = await priced(server);
    const { run, model } = await open({ prices }, abort.signal);
    const read = () => {
      abort.abort(new Error("enough"));
      return { kind: "unreadable", why: "no-score", reason: "it holds no score" } as const;
    };
    const asked = askModel(model, { ...request("text"), read }, abort.signal);
    await expect(asked).rejects.toMatchObject({ failure: "interrupted" });
    const { summary } = await run.finish();
    expect(server.exchanges).toHaveLength(1);
    expect(summary.cost).toBeGreaterThan(0);
  });

  it("cannot be capped when the price is not known", async () => {
    await start();
    const { run } = await open({ maximumCost: 1 });
    await expect(run.model("openai:some-new-model")).rejects.toMatchObject({ code: "E_PRICE_UNKNOWN" });
  });

  it("cannot be capped for a run whose earlier calls have no known price", async () => {
    await start();
    const unpriced = await open();
    await ask(await unpriced.run.model("openai:some-new-model"), "text number 0");
    const { id } = await unpriced.run.finish();
    await expect(open({ maximumCost: 1, resume: id! })).rejects.toMatchObject({
      code: "E_PRICE_UNKNOWN",
      message: expect.stringContaining("1 earlier call of"),
    });
    await expect(open({ resume: id! })).resolves.toBeDefined();
  });

  it("is planned before anything is sent, less what the store already has", async () => {
    const server = await start();
    const prices = await priced(server);
    const real = await open({ prices });
    await ask(real.model, "text number 0");
    await real.run.finish();
    const { run, model } = await open({ prices, dryRun: true });
    await askMany(run, model, 10);
    expect(server.exchanges).toHaveLength(1);
    const plan = run.plan()!;
    expect(plan).toMatchObject({ calls: 10, cached: 1, byPurpose: { judge: { calls: 9 } } });
    expect(plan.expectedCost).toBeGreaterThan(0);
    expect(plan.maximumCost).toBeGreaterThan(plan.expectedCost!);
    expect(run.id).toBeNull();
  });
});
