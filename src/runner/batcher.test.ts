import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hurriedClock } from "../../test/support/hurried-clock.ts";
import { openStore } from "../store/open-store.ts";
import { createSimulatedServer, type SimulatedServer } from "../testing/index.ts";
import { mapBounded } from "./map-bounded.ts";
import { openRun, type RunSettings } from "./open-run.ts";
import type { RunnerEvent } from "./runner-event.ts";

let folder: string;
let server: SimulatedServer;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-batch-"));
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const never = new AbortController().signal;

interface OpenServices {
  readonly signal?: AbortSignal;
  readonly transport?: typeof fetch;
  readonly onSubmitted?: () => void;
}

async function open(
  settings: Partial<RunSettings> = {},
  { signal = never, transport = fetch, onSubmitted = () => {} }: OpenServices = {},
) {
  const events: RunnerEvent[] = [];
  const run = await openRun(
    { store: join(folder, "s.db"), command: [], folder, connections: server.connections, batch: true, ...settings },
    {
      signal,
      clock: hurriedClock,
      fetch: transport,
      onEvent: (event) => {
        events.push(event);
        if (event.kind === "batch-submitted") onSubmitted();
      },
    },
  );
  return { run, events };
}
const askAll = async (run: Awaited<ReturnType<typeof open>>["run"], judge: string, count: number) => {
  const model = await run.model(judge);
  return mapBounded(Array.from({ length: count }).keys(), run.concurrency, (position) =>
    model
      .complete(
        { purpose: "judge", sample: 0, maximumTokens: 50, messages: [{ role: "user", content: `text ${position}` }] },
        never,
      )
      .then(({ text }) => text),
  );
};
const billed = () => server.exchanges.filter(({ outcome }) => outcome === "answered").length;

describe.each(["openai:gpt-4o", "anthropic:claude-sonnet-4-5"])("a batch with %s", (judge) => {
  it("answers every call in one batch, at half the price, as if each had been asked alone", async () => {
    server = await createSimulatedServer({ batchMilliseconds: 100 });
    const batch = await open();
    const replies = await askAll(batch.run, judge, 30);
    const { summary } = await batch.run.finish();
    expect(summary).toMatchObject({ asked: 30, failed: 0 });
    expect(batch.events.filter(({ kind }) => kind === "batch-submitted")).toEqual([
      { kind: "batch-submitted", model: judge, calls: 30 },
    ]);
    expect(server.exchanges.every(({ path }) => path.startsWith("batch:"))).toBe(true);

    const one = await open({ batch: false, store: join(folder, "other.db") });
    expect(await askAll(one.run, judge, 30)).toEqual(replies);
    const single = await one.run.finish();
    expect(summary.cost).toBeCloseTo(single.summary.cost! / 2, 8);
    expect(summary.cost).toBeGreaterThan(0);
  });

  it("is found again after an interruption, and not paid twice", async () => {
    server = await createSimulatedServer({ batchMilliseconds: 1500 });
    const abort = new AbortController();
    const first = await open({}, { signal: abort.signal, onSubmitted: () => abort.abort(new Error("Ctrl-C")) });
    await expect(askAll(first.run, judge, 10)).rejects.toMatchObject({ failure: "interrupted" });
    const { id, status } = await first.run.finish();
    expect(status).toBe("interrupted");

    const second = await open({ resume: id! });
    expect(await askAll(second.run, judge, 10)).toHaveLength(10);
    expect((await second.run.finish()).summary).toMatchObject({ asked: 10, failed: 0 });
    expect(second.events.some(({ kind }) => kind === "batch-submitted")).toBe(false);
    expect(billed()).toBe(10);
    const store = await openStore(join(folder, "s.db"));
    expect(await store.openBatches(judge)).toEqual([]);
    await store.close();
  });

  it("is found again even when the process died before it learnt the batch's name", async () => {
    server = await createSimulatedServer({ batchMilliseconds: 1200 });
    const abort = new AbortController();
    const first = await open({}, { signal: abort.signal, onSubmitted: () => abort.abort(new Error("Ctrl-C")) });
    await askAll(first.run, judge, 10).catch(() => {});
    const { id } = await first.run.finish();
    const store = await openStore(join(folder, "s.db"));
    const [batch] = await store.openBatches(judge);
    await store.saveBatch({ ...batch!, providerId: null });
    await store.close();

    const second = await open({ resume: id! });
    await askAll(second.run, judge, 10);
    await second.run.finish();
    expect(billed()).toBe(10);
  });

  it("is waited for however long its status cannot be read, and not submitted again", async () => {
    let polls = 0;
    server = await createSimulatedServer({ batchesDown: () => ++polls <= 6 });
    const { run, events } = await open();
    expect(await askAll(run, judge, 50)).toHaveLength(50);
    expect((await run.finish()).summary).toMatchObject({ asked: 50, failed: 0 });
    expect(polls).toBeGreaterThan(6);
    expect(billed()).toBe(50);
    expect(events.filter(({ kind }) => kind === "batch-submitted")).toHaveLength(1);
    expect(events.filter(({ kind }) => kind === "retried")).toHaveLength(6);
  });

  it("is waited for by a resumed run too, while its name cannot be looked up", async () => {
    let polls = 0;
    let down = true;
    server = await createSimulatedServer({ batchesDown: () => down || ++polls <= 6 });
    const abort = new AbortController();
    const first = await open({}, { signal: abort.signal });
    const asked = askAll(first.run, judge, 10);
    await expect.poll(billed).toBe(10);
    abort.abort(new Error("Ctrl-C"));
    await expect(asked).rejects.toMatchObject({ failure: "interrupted" });
    const { id } = await first.run.finish();
    const store = await openStore(join(folder, "s.db"));
    const [batch] = await store.openBatches(judge);
    await store.saveBatch({ ...batch!, providerId: null });
    await store.close();

    down = false;
    const second = await open({ resume: id! });
    expect(await askAll(second.run, judge, 10)).toHaveLength(10);
    expect((await second.run.finish()).summary).toMatchObject({ asked: 10, failed: 0 });
    expect(polls).toBeGreaterThan(6);
    expect(billed()).toBe(10);
  });

  it("is looked for, not submitted again, when the connection breaks before the provider has named it", async () => {
    server = await createSimulatedServer();
    let broken = false;
    const breaksOnce: typeof fetch = async (address, init) => {
      const response = await fetch(address, init);
      if (broken || init?.method !== "POST" || !String(address).endsWith("/batches")) return response;
      broken = true;
      throw new TypeError("fetch failed");
    };
    const { run } = await open({}, { transport: breaksOnce });
    expect(await askAll(run, judge, 10)).toHaveLength(10);
    expect((await run.finish()).summary).toMatchObject({ asked: 10, failed: 0 });
    expect(broken).toBe(true);
    expect(billed()).toBe(10);
  });

  it("that the provider no longer shows us fails with the reason, and later calls do not wait for it", async () => {
    server = await createSimulatedServer();
    let state = 401;
    const refuses: typeof fetch = async (address, init) =>
      state !== 200 && init?.method === "GET" ? new Response("{}", { status: state }) : fetch(address, init);
    const first = await open({}, { transport: refuses });
    await expect(askAll(first.run, judge, 3)).rejects.toMatchObject({ failure: "authentication" });
    await expect(askAll(first.run, judge, 3)).rejects.toMatchObject({ failure: "authentication" });
    const { id } = await first.run.finish();
    state = 200;
    const second = await open({ resume: id! }, { transport: refuses });
    expect(await askAll(second.run, judge, 3)).toHaveLength(3);
    await second.run.finish();
    expect(billed()).toBe(3);
  });

  it("asks again, in another batch, what failed in the first", async () => {
    server = await createSimulatedServer({ faults: { "server-error": 0.1 } });
    const { run, events } = await open();
    expect(await askAll(run, judge, 40)).toHaveLength(40);
    expect((await run.finish()).summary).toMatchObject({ asked: 40, failed: 0 });
    expect(events.filter(({ kind }) => kind === "batch-submitted").length).toBeGreaterThan(1);
  });
});

it("keeps the cap in a batch too, and says which judges have no batches", async () => {
  server = await createSimulatedServer();
  const prices = join(folder, "prices.yaml");
  await writeFile(prices, 'date: 2026-01-01\nmodels:\n  "openai:m": { input: 1000, output: 1000, batch: 0.5 }\n');
  const { run } = await open({ prices, maximumCost: 0.2 });
  await expect(askAll(run, "openai:m", 40)).rejects.toMatchObject({ failure: "cost-limit" });
  const { summary, status } = await run.finish();
  expect(status).toBe("stopped");
  expect(summary.cost).toBeLessThanOrEqual(0.2);
  const other = await open();
  await expect(askAll(other.run, server.judge("m"), 1)).rejects.toMatchObject({ code: "E_NO_BATCH" });
  await other.run.finish();
});
