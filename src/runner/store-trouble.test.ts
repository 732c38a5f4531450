import { expect, it } from "vitest";
import { ask, askMany, runsUnderTest } from "../../test/support/runs-under-test.ts";
import { FabulaError } from "../core/errors.ts";
import type { ChatModel } from "../models/chat-model.ts";
import { ModelError } from "../models/model-error.ts";
import { openStore } from "../store/open-store.ts";
import { connect } from "../store/sqlite/connection.ts";
import type { Store } from "../store/store.ts";
import { ManualClock, seededReply } from "../testing/index.ts";

const { billed, open, path, start } = runsUnderTest();

/** The store of this test, where another program holds the lock for a given number of attempts at a method. */
async function lockedStore(method: "recordAnswer" | "updateRun", isLocked: () => boolean): Promise<Store> {
  const store = await openStore(path("store.db"));
  return new Proxy(store, {
    get(target, name: keyof Store) {
      if (name !== method || !isLocked()) return target[name];
      return () => Promise.reject(new FabulaError("E_STORE_BUSY", "Another program keeps the store locked."));
    },
  });
}

async function statusOf(id: string) {
  const store = await openStore(path("store.db"));
  const run = await store.findRun(id);
  await store.close();
  return run?.status;
}

it("stores every paid answer once a program that locked the store lets go of it", async () => {
  await start();
  let tries = 0;
  const store = await lockedStore("recordAnswer", () => ++tries <= 40);
  const { run, model, events } = await open({}, undefined, { store });
  expect((await askMany(run, model, 10)).every((reply) => typeof reply === "string")).toBe(true);
  expect(events.filter(({ kind }) => kind === "waits-for-store")).toEqual([
    { kind: "waits-for-store", problem: "locked" },
  ]);
  expect(await run.finish()).toMatchObject({ status: "done", summary: { asked: 10, failed: 0 } });
  const again = await open({}, undefined, { store });
  await askMany(again.run, again.model, 10);
  expect(billed()).toBe(10);
  await again.run.finish();
  await store.close();
});

it("fails when the store stays locked for more than a minute", async () => {
  await start();
  const store = await lockedStore("recordAnswer", () => true);
  const { run, model } = await open({}, undefined, { store });
  await expect(ask(model, "a")).rejects.toMatchObject({ code: "E_STORE_BUSY" });
  await run.finish();
  await store.close();
});

it("sends nothing more while the disk is full, and goes on with what it held when there is space", async () => {
  const server = await start({ latency: 5 });
  const file = await openStore(path("store.db"));
  const disk = { room: 15, refusals: 0 };
  const store = new Proxy(file, {
    get(target, name: keyof Store) {
      if (name !== "recordAnswer") return target[name];
      return (...values: Parameters<Store["recordAnswer"]>) => {
        if (disk.room-- > 0) return target.recordAnswer(...values);
        disk.refusals += 1;
        return Promise.reject(new FabulaError("E_STORE_FULL", "The disk of the store is full."));
      };
    },
  });
  const clock = new ManualClock();
  const { run, model } = await open({ concurrency: undefined as never }, undefined, { store, clock });
  const asked = askMany(run, model, 60);
  await expect.poll(() => disk.refusals).toBeGreaterThan(0);
  // A request that has left the program and not reached the server is counted nowhere; so nothing is running only if
  // several checks agree.
  let looks = 0;
  await expect
    .poll(() => {
      const isPending = server.exchanges.some(({ outcome }) => outcome === "pending");
      looks = !isPending && disk.refusals === server.exchanges.length - 15 ? looks + 1 : 0;
      return looks;
    })
    .toBeGreaterThan(5);
  const sent = server.exchanges.length;
  // Of the 32 that were ready, those that may run at the same time by then.
  expect(sent).toBeLessThanOrEqual(15 + 10);
  const held = sent - 15;
  await clock.advance(12_000);
  expect(disk.refusals).toBe(5 * held);
  expect(server.exchanges).toHaveLength(sent);

  disk.room = Number.POSITIVE_INFINITY;
  let isAnswered = false;
  const answered = asked.then((replies) => {
    isAnswered = true;
    return replies;
  });
  // Answers are written meanwhile to a slow disk, and what is sent after them waits for this clock too.
  await expect
    .poll(async () => {
      await clock.advance(1000);
      return isAnswered;
    })
    .toBe(true);
  expect((await answered).every((reply) => typeof reply === "string")).toBe(true);
  expect(await run.finish()).toMatchObject({ status: "done", summary: { asked: 60, failed: 0 } });
  expect(billed()).toBe(60);
  await store.close();
});

it("buys nothing more once an answer could not be stored", async () => {
  const server = await start({ latency: 5 });
  const { run, model } = await open({ concurrency: 4 });
  const database = await connect(path("store.db"));
  database.exec(`CREATE TRIGGER refuse BEFORE INSERT ON calls WHEN (SELECT count(*) FROM calls) >= 15
    BEGIN SELECT RAISE(ABORT, 'refused'); END`);
  database.close();
  const asked = Array.from({ length: 60 }, (_, at) => ask(model, `text number ${at}`));
  const ended = await Promise.allSettled(asked);
  expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(15);
  expect(server.exchanges.length).toBeLessThanOrEqual(15 + 4);
  await expect(ask(model, "one more")).rejects.toThrow("refused");
  expect(server.exchanges.length).toBeLessThanOrEqual(15 + 4);
  await run.finish();
});

it("marks a run as done once a program that locked the store lets go of it", async () => {
  await start();
  let isEnding = false;
  let tries = 0;
  const store = await lockedStore("updateRun", () => isEnding && ++tries <= 2);
  const { run, model } = await open({}, undefined, { store });
  await ask(model, "a");
  isEnding = true;
  expect(await run.finish()).toMatchObject({ status: "done", note: null, summary: { asked: 1 } });
  await store.close();
  expect(await statusOf(run.id!)).toBe("done");
});

it("gives back the result of a run that cannot be marked as finished and says so", async () => {
  await start();
  const { run, model } = await open();
  await ask(model, "a");
  const database = await connect(path("store.db"));
  database.exec(`CREATE TRIGGER refuse BEFORE UPDATE ON runs BEGIN SELECT RAISE(ABORT, 'refused'); END`);
  database.close();
  const finished = await run.finish();
  expect(finished).toMatchObject({ status: "done", summary: { calls: 1, asked: 1 } });
  expect(finished.note).toContain("the run could not be marked as finished: refused");
  expect(await statusOf(run.id!)).toBe("running");
});

it("counts the calls itself when the store cannot be read at the end of a run", async () => {
  await start();
  const { run, model } = await open();
  await askMany(run, model, 3);
  await ask(model, "text number 0");
  const database = await connect(path("store.db"));
  database.exec("ALTER TABLE uses RENAME TO gone");
  database.close();
  const { status, note, summary } = await run.finish();
  expect({ status, summary }).toMatchObject({
    status: "done",
    summary: { asked: 3, cached: 1, byPurpose: { judge: { calls: 4 } } },
  });
  expect(note).toContain("its calls and their cost are those this process counted");
});

it("a worker that tries a piece again does not ask what the worker before it stores while the call waits for its turn", async () => {
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await start({
    reply: async (asked, random) => {
      if (JSON.stringify(asked.messages).includes("the first")) await held;
      return seededReply(asked, random);
    },
  });
  const { run } = await open();
  const worker = (isRetried: boolean) => open({ concurrency: 1, part: { run: run.id!, role: "worker", isRetried } });
  const again = await worker(true);
  const asked = [ask(again.model, "the first"), ask(again.model, "the second")];
  const before = await worker(false);
  const stored = await ask(before.model, "the second");
  goOn();
  const replies = await Promise.all(asked);
  expect(replies[1]!.text).toBe(stored.text);
  expect(billed()).toBe(2);
});

it("keeps the cost of a broken reply with the answer that another worker stored meanwhile, and counts no failure", async () => {
  await start();
  const { run } = await open();
  const worker = (isRetried: boolean) => open({ concurrency: 1, part: { run: run.id!, role: "worker", isRetried } });
  const again = await worker(true);
  const before = await worker(false);
  const answer = { ...(await ask(before.model, "something else")), text: "the answer" };
  const named = (complete: ChatModel["complete"]): ChatModel => ({ id: "own:model", contextTokens: null, complete });
  const first = await before.run.model(named(async () => answer));
  const second = await again.run.model(
    named(async () => {
      await ask(first, "one question");
      throw new ModelError("cut-off", "own:model", "The reply broke off.");
    }),
  );
  expect((await ask(second, "one question")).text).toBe("the answer");
  expect(again.events.map(({ kind }) => kind)).not.toContain("failed");
  expect(again.events.map(({ kind }) => kind)).toContain("cached");
  await again.run.finish();
  await before.run.finish();
  expect((await run.finish()).summary).toMatchObject({ asked: 2, cached: 0, failed: 0, cost: null, unpricedCalls: 1 });
});
