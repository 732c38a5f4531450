import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ask, askMany, never, request, runsUnderTest } from "../../test/support/runs-under-test.ts";
import { asJson, ask as askModel } from "../models/ask.ts";
import { ModelError } from "../models/model-error.ts";
import { openStore } from "../store/open-store.ts";
import { noticeInWords } from "./runner-event.ts";

const { billed, open, path, start } = runsUnderTest();

describe("a durable model", () => {
  it("asks once, also across runs; another sample, prompt, parameter or basis is another call", async () => {
    await start();
    const first = await open();
    const reply = await ask(first.model, "a");
    expect(await ask(first.model, "a", { purpose: "summariser" })).toEqual(reply);
    await first.run.finish();

    const second = await open();
    expect(await ask(second.model, "a")).toEqual({ ...reply, recalled: true });
    expect(billed()).toBe(1);
    await ask(second.model, "a", { sample: 1 });
    await ask(second.model, "b");
    await ask(second.model, "a", { temperature: 1 });
    await ask(second.model, "a", { basis: "rubric 2" });
    expect(billed()).toBe(5);
    expect(await second.run.finish()).toMatchObject({ status: "done", summary: { asked: 4, cached: 1, failed: 0 } });
  });

  it("makes two identical calls in flight one", async () => {
    await start({ latency: 50 });
    const { model } = await open();
    const replies = await Promise.all(Array.from({ length: 10 }, () => ask(model, "same")));
    expect(new Set(replies).size).toBe(1);
    expect(billed()).toBe(1);
  });

  it("asks again with --refresh, once per run even when that run is resumed", async () => {
    let answers = 0;
    await start({ reply: () => `answer ${++answers}` });
    const first = await open();
    await ask(first.model, "a");
    await first.run.finish();
    const second = await open({ refresh: true });
    expect(await ask(second.model, "a")).toMatchObject({ text: "answer 2" });
    expect(await ask(second.model, "a")).toMatchObject({ text: "answer 2" });
    const { id } = await second.run.finish();
    const resumed = await open({ refresh: true, resume: id! });
    expect(await ask(resumed.model, "a")).toMatchObject({ text: "answer 2" });
    expect(answers).toBe(2);
  });

  it("keeps the version that each reply states, and says once when it changes within the run", async () => {
    await start();
    const { run, events } = await open();
    let version = "kind-2026-01-01";
    const model = run.durable({
      id: "any#My judge",
      contextTokens: null,
      complete: async () => ({
        text: "yes",
        reasoning: null,
        stop: "stop",
        usage: { inputTokens: 20, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 },
        model: version,
        latencyMilliseconds: 1,
      }),
    });
    await ask(model, "a");
    version = "kind-2026-02-02";
    for (const question of ["b", "c"]) await ask(model, question);
    const changes = events.filter(({ kind }) => kind === "version-changed");
    expect(changes).toEqual([
      { kind: "version-changed", model: "any#My judge", from: "kind-2026-01-01", to: "kind-2026-02-02" },
    ]);
    expect(noticeInWords(changes[0] as never)).toMatch(/^My judge changed within this run: .*2026-01-01.*2026-02-02/);
    const { id } = await run.finish();
    const store = await openStore(path("store.db"));
    const calls = await store.runCalls(id!, { limit: 10, after: null });
    expect(calls.map(({ answer }) => answer?.servedBy).sort()).toEqual([
      "kind-2026-01-01",
      "kind-2026-02-02",
      "kind-2026-02-02",
    ]);
    await store.close();
  });

  it("keeps request and reply in the store, but no key", async () => {
    await start({ key: "sk-secret-0123456789abcdef" });
    const { run, model } = await open();
    await ask(model, "the manuscript");
    const { id } = await run.finish();
    const store = await openStore(path("store.db"));
    const [call] = await store.runCalls(id!, { limit: 10, after: null });
    expect(await store.findRequest(call!.answer!.requestHash)).toContain("the manuscript");
    expect(call).toMatchObject({ outcome: "asked", purpose: "judge", answer: { attempts: 1, servedBy: "m" } });
    await store.close();
    expect((await readFile(path("store.db"))).includes("sk-secret")).toBe(false);
  });

  it("keeps the prompt of a call that got no answer, and none of calls that were never sent", async () => {
    await start({ faults: { "server-error": 1 } });
    const { run, model } = await open();
    await askMany(run, model, 200);
    const { id } = await run.finish();
    const store = await openStore(path("store.db"));
    const calls = await store.runCalls(id!, { limit: 500, after: null });
    const sent = calls.filter(({ requestHash }) => requestHash !== null);
    expect(calls).toHaveLength(200);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.length).toBeLessThanOrEqual(20);
    expect(await store.findRequest(sent[0]!.requestHash!)).toContain("messages");
    await store.close();
  });

  it("gets through faults: every call is answered, and none is asked more often than its faults demand", async () => {
    const server = await start({
      faults: { "rate-limit": 0.05, "server-error": 0.03, drop: 0.02, "malformed-body": 0.02 },
      latency: 5,
    });
    const { run, model } = await open();
    const replies = await askMany(run, model, 300);
    expect(replies.every((reply) => typeof reply === "string")).toBe(true);
    const faults = server.exchanges.filter(({ fault }) => fault !== null).length;
    expect(faults).toBeGreaterThan(15);
    expect(server.exchanges).toHaveLength(300 + faults);
    expect((await run.finish()).summary).toMatchObject({ asked: 300, failed: 0 });
  });

  it("keeps every reply of a question that is asked again as a call of its own, with its cost", async () => {
    const verdict = asJson("verdict", z.object({ score: z.number() }));
    const server = await start({
      reply: ({ messages }) => (messages.at(-1)!.content.includes("earlier reply") ? '{"score": 7}' : "Lovely!"),
    });
    const prices = path("prices.yaml");
    await writeFile(prices, `date: 2026-01-01\nmodels:\n  "${server.judge("m")}": { input: 1000, output: 5000 }\n`);
    const question = { ...request("x"), ...verdict };
    const first = await open({ prices });
    const answer = await askModel(first.model, question, never);
    expect(answer).toMatchObject({ kind: "answered", value: { score: 7 } });
    expect(answer.attempts.map(({ text }) => text)).toEqual(["Lovely!", '{"score": 7}']);
    const { summary } = await first.run.finish();
    const paid = answer.attempts.map(({ usage }) => (usage.inputTokens * 1000 + usage.outputTokens * 5000) / 1e6);
    expect(summary).toMatchObject({ calls: 2, asked: 2, failed: 0 });
    expect(summary.cost).toBeCloseTo(paid[0]! + paid[1]!, 9);
    expect(first.events.map(({ kind }) => kind)).toContain("asked-again");

    const second = await open({ prices });
    expect(await askModel(second.model, question, never)).toMatchObject({ kind: "answered", value: { score: 7 } });
    expect(server.exchanges).toHaveLength(2);
    expect((await second.run.finish()).summary).toMatchObject({ calls: 2, cached: 2, cost: 0 });
  });

  it("stops asking a dead provider, says so, and fails every other call with the reason", async () => {
    const server = await start({ faults: { "server-error": 1 } });
    const { run, model, events } = await open();
    const results = await askMany(run, model, 200);
    expect(results.every((result) => result instanceof ModelError)).toBe(true);
    // The calls that were running used up their six attempts; the other 180 were not sent.
    expect(server.exchanges.length).toBeLessThanOrEqual(20 * 6);
    expect(events.filter(({ kind }) => kind === "provider-down")).toHaveLength(1);
    expect(await run.finish()).toMatchObject({ status: "stopped", summary: { failed: 200, asked: 0 } });
  });

  it("asks once when the key is wrong, not once per call", async () => {
    await start({ key: "the-right-one" });
    const { run, model } = await open({ connections: {}, concurrency: 1 });
    const results = await askMany(run, model, 50);
    expect(results[0]).toMatchObject({ failure: "authentication" });
    expect(results.at(-1)).toMatchObject({ failure: "provider-down" });
  });

  it("slows down when asked to, and waits as long as asked", async () => {
    await start({ faults: { "rate-limit": 0.2 }, retryAfterSeconds: 0.4, latency: 5 });
    const { run, model, events } = await open();
    const replies = await askMany(run, model, 60);
    expect(replies.every((reply) => typeof reply === "string")).toBe(true);
    expect(events.some(({ kind }) => kind === "slowed")).toBe(true);
    const waits = events.flatMap((event) => (event.kind === "retried" ? [event.waitMilliseconds] : []));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(400);
  });

  it("says how much a local model takes once it is loaded", async () => {
    await start();
    const { run, model: other } = await open();
    let contextTokens: number | null = null;
    const local = run.durable({
      id: "llama:model.gguf",
      get contextTokens() {
        return contextTokens;
      },
      complete: other.complete,
    });
    expect(local.contextTokens).toBeNull();
    contextTokens = 4096;
    expect(local.contextTokens).toBe(4096);
  });

  it("gives up on a reply that never comes, and asks again", async () => {
    await start({ faults: { hang: 0.3 } });
    const { run, model } = await open({ timeoutSeconds: 4 });
    const replies = await askMany(run, model, 10);
    expect(replies.filter((reply) => typeof reply === "string").length).toBeGreaterThanOrEqual(9);
  });
});
