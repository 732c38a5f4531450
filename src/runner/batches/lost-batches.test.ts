import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { batchRuns } from "../../../test/support/batch-runs.ts";
import { hurriedClock } from "../../../test/support/hurried-clock.ts";
import { FabulaError } from "../../core/errors.ts";
import type { Store } from "../../store/store.ts";

const { serve, open, askAll, openBatches, withStore, forgetNames, billed } = batchRuns();
const ANTHROPIC = "anthropic:claude-sonnet-4-5";
const JUDGES = ["openai:gpt-4o", ANTHROPIC];

const isSubmission = (address: unknown, init?: RequestInit) =>
  init?.method === "POST" && String(address).endsWith("/batches");
const isList = (address: unknown) => new URL(String(address)).pathname.endsWith("/batches");

/** The batch arrives, but the reply with its id is lost. */
function losesFirstReply(): typeof fetch {
  let lost = false;
  return async (address, init) => {
    const response = await fetch(address, init);
    if (lost || !isSubmission(address, init)) return response;
    lost = true;
    throw new TypeError("fetch failed");
  };
}

/** A run that is interrupted when its batches of three calls are submitted, and killed before it learns their ids. */
async function dieAfterSubmitting(judge: string, subjects: readonly string[], transport = fetch): Promise<string> {
  const abort = new AbortController();
  let submitted = 0;
  const onSubmitted = () => {
    if (++submitted === subjects.length) abort.abort(new Error("Ctrl-C"));
  };
  const { run } = await open({}, { signal: abort.signal, fetch: transport, onSubmitted });
  const asked: Promise<unknown>[] = [];
  for (const subject of subjects) {
    const before = submitted;
    asked.push(askAll(run, judge, 3, subject).catch(() => {}));
    await expect.poll(() => submitted).toBe(before + 1);
  }
  await Promise.all(asked);
  const { id } = await run.finish();
  await forgetNames(judge);
  return id!;
}

describe.each(JUDGES)("a batch with %s whose name was lost", (judge) => {
  it("is not paid twice when its upload took longer than two minutes", async () => {
    const late = { ...hurriedClock, now: () => new Date(Date.now() + 130_000) };
    await serve({ clock: late });
    const { run, events } = await open({}, { fetch: losesFirstReply() });
    expect(await askAll(run, judge, 10)).toHaveLength(10);
    expect((await run.finish()).summary).toMatchObject({ asked: 10, failed: 0 });
    expect(events.filter(({ kind }) => kind === "batch-submitted")).toHaveLength(1);
    expect(billed()).toBe(10);
  });

  it("is found behind more than a hundred newer batches", async () => {
    await serve({ batchMilliseconds: 500 });
    const crowded: typeof fetch = async (address, init) => {
      const response = await fetch(address, init);
      if (!isSubmission(address, init)) return response;
      const body = String(init?.body).replaceAll(/("custom_id":"|"fabula":").{5}/g, "$1other");
      for (let count = 0; count < 120; count++) await fetch(address, { ...init!, body });
      return response;
    };
    const id = await dieAfterSubmitting(judge, ["text"], crowded);
    await expect.poll(billed).toBe(3 * 121);
    const second = await open({ resume: id });
    expect(await askAll(second.run, judge, 3)).toHaveLength(3);
    await second.run.finish();
    expect(second.events.some(({ kind }) => kind === "batch-submitted")).toBe(false);
    expect(billed()).toBe(3 * 121);
  });

  it("is told from another of the same size", async () => {
    await serve({ batchMilliseconds: 500 });
    const id = await dieAfterSubmitting(judge, ["text", "story"]);
    const second = await open({ resume: id });
    await Promise.all([askAll(second.run, judge, 3, "text"), askAll(second.run, judge, 3, "story")]);
    expect((await second.run.finish()).summary).toMatchObject({ asked: 6, failed: 0 });
    expect(second.events.some(({ kind }) => kind === "batch-submitted")).toBe(false);
    expect(billed()).toBe(6);
    expect(await openBatches(judge)).toEqual([]);
  });

  it("is not taken for one of the same size that never arrived", async () => {
    await serve({ batchMilliseconds: 500 });
    const id = await dieAfterSubmitting(judge, ["text"]);
    await withStore(async (store) => {
      const [batch] = await store.openBatches(judge);
      const earlier = new Date(Date.parse(batch!.submittedAt) - 1000).toISOString();
      await store.saveBatch({ ...batch!, token: "never arrived", submittedAt: earlier, keys: ["a", "b", "c"] });
    });
    const second = await open({ resume: id });
    expect(await askAll(second.run, judge, 3)).toHaveLength(3);
    await second.run.finish();
    expect(billed()).toBe(3);
  });

  it("is not submitted again by a run that may not look for it", async () => {
    await serve();
    const loses = losesFirstReply();
    const refuses: typeof fetch = async (address, init) =>
      init?.method === "GET" && isList(address) ? new Response("{}", { status: 403 }) : loses(address, init);
    const { run } = await open({}, { fetch: refuses });
    await expect(askAll(run, judge, 3)).rejects.toMatchObject({ failure: "authentication" });
    await expect(askAll(run, judge, 3)).rejects.toMatchObject({ failure: "authentication" });
    const { id } = await run.finish();
    const second = await open({ resume: id! });
    expect(await askAll(second.run, judge, 3)).toHaveLength(3);
    await second.run.finish();
    expect(billed()).toBe(3);
  });

  it("that cannot be looked up stops its own calls and no others", async () => {
    await serve();
    const id = await dieAfterSubmitting(judge, ["text"]);
    const refuses: typeof fetch = async (address, init) =>
      init?.method === "GET" && isList(address) ? new Response("{}", { status: 403 }) : fetch(address, init);
    const second = await open({ resume: id }, { fetch: refuses });
    expect(await askAll(second.run, judge, 2, "another book")).toHaveLength(2);
    await expect(askAll(second.run, judge, 3)).rejects.toMatchObject({ failure: "authentication" });
    await second.run.finish();
    expect(billed()).toBe(5);
  });
});

describe.each(JUDGES)("a batch with %s", (judge) => {
  it("keeps its name when Ctrl-C comes during the upload", async () => {
    await serve({ batchMilliseconds: 60_000 });
    const abort = new AbortController();
    let endUpload = () => {};
    const uploaded = new Promise<void>((resolve) => {
      endUpload = resolve;
    });
    const slow: typeof fetch = async (address, init) => {
      if (!isSubmission(address, init)) return fetch(address, init);
      abort.abort(new Error("Ctrl-C"));
      await uploaded;
      return fetch(address, init);
    };
    const { run } = await open({}, { fetch: slow, signal: abort.signal });
    await expect(askAll(run, judge, 3)).rejects.toMatchObject({ failure: "interrupted" });
    const finished = run.finish();
    // By then, a run that does not wait for the upload has ended.
    await Promise.race([finished, delay(100)]);
    endUpload();
    await finished;
    expect(await openBatches(judge)).toMatchObject([{ providerId: expect.stringMatching(/batch_/) }]);
  });

  it("does not hold up Ctrl-C when its upload does not end", async () => {
    await serve();
    const abort = new AbortController();
    const stuck: typeof fetch = async (address, init) => {
      if (!isSubmission(address, init)) return fetch(address, init);
      abort.abort(new Error("Ctrl-C"));
      return new Promise((_resolve, reject) => {
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      });
    };
    const { run } = await open({}, { fetch: stuck, signal: abort.signal });
    await expect(askAll(run, judge, 3)).rejects.toMatchObject({ failure: "interrupted" });
    expect(await run.finish()).toMatchObject({ status: "interrupted" });
    expect(await openBatches(judge)).toMatchObject([{ providerId: null }]);
  });

  it("is waited for, and not submitted again, when its name cannot be stored", async () => {
    await serve();
    await withStore(async (store) => {
      let failed = false;
      const busy: Store = {
        ...store,
        saveBatch: (batch) => {
          if (failed || batch.providerId === null) return store.saveBatch(batch);
          failed = true;
          return Promise.reject(new FabulaError("E_STORE_BUSY", "The store is busy."));
        },
      };
      const { run } = await open({}, { store: busy });
      expect(await askAll(run, judge, 3)).toHaveLength(3);
      await run.finish();
      expect(failed).toBe(true);
      expect(await store.openBatches(judge)).toEqual([]);
    });
    expect(billed()).toBe(3);
  });
});

it("a store that is busy for a moment fails the calls of that moment only", async () => {
  await serve();
  await withStore(async (store) => {
    let reads = 0;
    const busy: Store = {
      ...store,
      openBatches: (model) =>
        ++reads === 1
          ? Promise.reject(new FabulaError("E_STORE_BUSY", "The store is busy."))
          : store.openBatches(model),
    };
    const { run } = await open({}, { store: busy });
    await expect(askAll(run, ANTHROPIC, 3)).rejects.toMatchObject({ code: "E_STORE_BUSY" });
    expect(await askAll(run, ANTHROPIC, 3)).toHaveLength(3);
    await run.finish();
  });
  expect(billed()).toBe(3);
});

it("a finished run does not go on waiting for the batch of an earlier one", async () => {
  await serve({ batchMilliseconds: 60_000 });
  await dieAfterSubmitting(ANTHROPIC, ["text"]);
  let waiting = 0;
  const clock = {
    ...hurriedClock,
    sleep: async (milliseconds: number, signal?: AbortSignal) => {
      waiting += 1;
      try {
        await hurriedClock.sleep(milliseconds < 5000 ? milliseconds : 1e9, signal);
      } finally {
        waiting -= 1;
      }
    },
  };
  const ended: typeof fetch = async (address, init) => {
    const response = await fetch(address, init);
    if (!String(address).endsWith("/messages/batches/msgbatch_2")) return response;
    return Response.json({ ...JSON.parse(await response.text()), processing_status: "ended" });
  };
  const { run } = await open({}, { clock, fetch: ended });
  expect(await askAll(run, ANTHROPIC, 1, "another book")).toHaveLength(1);
  await expect.poll(() => waiting).toBe(1);
  await run.finish();
  await expect.poll(() => waiting).toBe(0);
});
