import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import { seededRandom } from "../core/random.ts";
import { askForJson } from "../models/ask-for-json.ts";
import type { ChatModel, ChatRequest } from "../models/chat-model.ts";
import { ModelError } from "../models/model-error.ts";
import { openStore } from "../store/open-store.ts";
import { createSimulatedServer, type SimulatedServer, type SimulatedServerOptions } from "../testing/index.ts";
import { mapBounded } from "./map-bounded.ts";
import { openRun, type Run, type RunSettings } from "./open-run.ts";
import type { RunnerEvent } from "./runner-event.ts";

let folder: string;
let server: SimulatedServer;
const cleanUp: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-run-"));
});
afterEach(async () => {
  for (const close of cleanUp.splice(0)) await close();
  await rm(folder, { recursive: true, force: true });
});

/** Waits are real but fifty times shorter: backoff and limits stay in proportion. */
const hurried: Clock = {
  now: () => new Date(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, milliseconds / 50);
      signal?.addEventListener("abort", () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    }),
};

async function start(options: SimulatedServerOptions = {}) {
  server = await createSimulatedServer(options);
  cleanUp.push(server.close);
}
async function open(settings: Partial<RunSettings> = {}, signal = new AbortController().signal) {
  const events: RunnerEvent[] = [];
  const run = await openRun(
    {
      store: join(folder, "store.db"),
      command: ["evaluate", "book.txt"],
      folder,
      connections: server.connections,
      concurrency: 20,
      ...settings,
    },
    { signal, clock: hurried, random: seededRandom(7), onEvent: (event) => events.push(event) },
  );
  cleanUp.push(() => run.finish());
  return { run, events, model: await run.model(server.judge("m")) };
}
const request = (text: string, changes: Partial<ChatRequest> = {}): ChatRequest => ({
  purpose: "judge",
  sample: 0,
  maximumTokens: 200,
  messages: [{ role: "user", content: text }],
  ...changes,
});
const never = new AbortController().signal;
const ask = (model: ChatModel, text: string, changes?: Partial<ChatRequest>) =>
  model.complete(request(text, changes), never);
const billed = () => server.exchanges.filter(({ outcome }) => outcome === "answered").length;

async function askMany(run: Run, model: ChatModel, count: number) {
  const texts = Array.from({ length: count }, (_, at) => `text number ${at}`);
  return mapBounded(texts, run.concurrency, (text) =>
    ask(model, text).then(
      ({ text: reply }) => reply,
      (error: unknown) => {
        if (!(error instanceof ModelError)) throw error;
        return error;
      },
    ),
  );
}

describe("a durable model", () => {
  it("asks once, also across runs; another sample, prompt, parameter or basis is another call", async () => {
    await start();
    const first = await open();
    const reply = await ask(first.model, "a");
    expect(await ask(first.model, "a", { purpose: "summariser" })).toEqual(reply);
    await first.run.finish();

    const second = await open();
    expect(await ask(second.model, "a")).toEqual(reply);
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

  it("asks again when told to, once per run even when that run is resumed", async () => {
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

  it("keeps request and reply in the store, but no key", async () => {
    await start({ key: "sk-secret-0123456789abcdef" });
    const { run, model } = await open();
    await ask(model, "the manuscript");
    const { id } = await run.finish();
    const store = await openStore(join(folder, "store.db"));
    const [call] = await store.runCalls(id!, { limit: 10, after: null });
    expect(await store.findRequest(call!.answer!.requestHash)).toContain("the manuscript");
    expect(call).toMatchObject({ outcome: "asked", purpose: "judge", answer: { attempts: 1, servedBy: "m" } });
    await store.close();
    const { readFile } = await import("node:fs/promises");
    expect((await readFile(join(folder, "store.db"))).includes("sk-secret")).toBe(false);
  });

  it("gets through faults: every call is answered, and none is asked more often than its faults demand", async () => {
    await start({
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

  it("asks once more for a reply that cannot be used, and gives back the last one all the same", async () => {
    const verdict = { name: "verdict", schema: z.object({ score: z.number() }) };
    const { unusable: _unusable, ...plain } = request("x", { seed: 1 });
    await start({ reply: ({ seed }) => (seed === 1 ? "Lovely!" : '{"score": 7}') });
    const first = await open();
    const mended = await askForJson(first.model, plain, verdict, never);
    expect(mended.reading).toEqual({ kind: "read", value: { score: 7 } });
    expect(server.exchanges).toHaveLength(2);
    await server.close();

    await start({ reply: () => "Lovely!" });
    const second = await open();
    const hopeless = await askForJson(
      second.model,
      { ...plain, messages: [{ role: "user", content: "y" }] },
      verdict,
      never,
    );
    expect(hopeless).toMatchObject({ reply: { text: "Lovely!" }, reading: { kind: "unreadable", why: "no-json" } });
    expect(server.exchanges).toHaveLength(2);
  });

  it("stops asking a dead provider, says so, and fails every other call with the reason", async () => {
    await start({ faults: { "server-error": 1 } });
    const { run, model, events } = await open();
    const results = await askMany(run, model, 200);
    expect(results.every((result) => result instanceof ModelError)).toBe(true);
    expect(server.exchanges.length).toBeLessThan(60);
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

  it("slows down when told to, and waits as long as asked", async () => {
    await start({ faults: { "rate-limit": 0.2 }, retryAfterSeconds: 0.4, latency: 5 });
    const { run, model, events } = await open();
    const replies = await askMany(run, model, 60);
    expect(replies.every((reply) => typeof reply === "string")).toBe(true);
    expect(events.some(({ kind }) => kind === "slowed")).toBe(true);
    const waits = events.flatMap((event) => (event.kind === "retried" ? [event.waitMilliseconds] : []));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(400);
  });

  it("gives up on a reply that never comes, and asks again", async () => {
    await start({ faults: { hang: 0.3 } });
    const { run, model } = await open({ timeoutSeconds: 1.5 });
    const replies = await askMany(run, model, 10);
    expect(replies.filter((reply) => typeof reply === "string").length).toBeGreaterThanOrEqual(9);
  });
});

describe("money", () => {
  const priced = async () => {
    const path = join(folder, "prices.yaml");
    await writeFile(path, `date: 2026-01-01\nmodels:\n  "${server.judge("m")}": { input: 1000, output: 5000 }\n`);
    return path;
  };

  it("is never spent beyond the cap, whatever is in flight, and the run can go on with a higher one", async () => {
    await start({ latency: 10, faults: { "malformed-body": 0.1 } });
    const prices = await priced();
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
    expect(whole.summary.cost).toBeGreaterThan(ended.summary.cost);
  });

  it("cannot be capped when nobody knows the price", async () => {
    await start();
    const { run } = await open({ maximumCost: 1 });
    await expect(run.model("openai:some-new-model")).rejects.toMatchObject({ code: "E_PRICE_UNKNOWN" });
  });

  it("is planned before anything is sent, less what the store already has", async () => {
    await start();
    const prices = await priced();
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

describe("an interrupted run", () => {
  it("keeps what was already sent, sends nothing more, and goes on when resumed", async () => {
    await start({ latency: 100 });
    const abort = new AbortController();
    const first = await open({ concurrency: 10 }, abort.signal);
    setTimeout(() => abort.abort(new Error("Ctrl-C")), 250);
    const results = await askMany(first.run, first.model, 100);
    const ended = await first.run.finish();
    expect(ended.status).toBe("interrupted");
    const answered = results.filter((result) => typeof result === "string").length;
    expect(answered).toBe(billed());
    expect(answered).toBeGreaterThanOrEqual(10);
    expect(answered).toBeLessThan(60);
    expect(server.exchanges.some(({ outcome }) => outcome === "abandoned")).toBe(false);

    const second = await open({ resume: ended.id! });
    await askMany(second.run, second.model, 100);
    expect(billed()).toBe(100);
    expect(await second.run.finish()).toMatchObject({ status: "done", summary: { asked: 100, failed: 0 } });
  });

  it("cannot be resumed while it is at work, nor when there is none", async () => {
    await start();
    const { run } = await open();
    await expect(open({ resume: run.id! })).rejects.toMatchObject({ code: "E_RUN_BUSY" });
    await expect(open({ resume: "nothing" })).rejects.toMatchObject({ code: "E_RUN_UNKNOWN" });
  });
});

describe("what an answer belongs to", () => {
  it("includes the address: an answer of a test server is not taken for the provider's", async () => {
    await start({ reply: () => "from the first address" });
    const first = await open();
    expect(await ask(await first.run.model("openai:gpt-4o"), "a")).toMatchObject({ text: "from the first address" });
    await first.run.finish();
    await server.close();
    await start({ reply: () => "from the second address" });
    const second = await open();
    expect(await ask(await second.run.model("openai:gpt-4o"), "a")).toMatchObject({ text: "from the second address" });
  });

  it("leaves a model that thinks room to think beyond the limit of the reply", async () => {
    const limits: (number | null)[] = [];
    await start({
      reply: ({ maximumTokens }) => {
        limits.push(maximumTokens);
        return "yes";
      },
    });
    const { run } = await open();
    await ask(await run.model("openai:gpt-5"), "a");
    await ask(await run.model("openai:gpt-4o"), "a");
    expect(limits).toEqual([200 + 8192, 200]);
  });

  it("stays when the work that asked has failed meanwhile", async () => {
    await start({ latency: 100 });
    const first = await open();
    const asked = ask(first.model, "a");
    await expect.poll(() => server.exchanges.length).toBe(1);
    await first.run.finish(new Error("something else went wrong"));
    await asked;
    const second = await open();
    await ask(second.model, "a");
    expect(billed()).toBe(1);
  });
});
