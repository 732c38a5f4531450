import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { compareContents, copyContents } from "../../src/store/copy-contents.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { startPostgres, type TestPostgres } from "../support/postgres.ts";
import { call, run, use } from "../support/stored.ts";

let postgres: TestPostgres;
let folder: string;
let stores: Store[];
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-copy-"));
  stores = [];
});
afterEach(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await rm(folder, { recursive: true, force: true });
});

type Kind = "SQLite" | "PostgreSQL";

async function open(kind: Kind): Promise<Store> {
  const store = await openStore(
    kind === "SQLite" ? join(folder, `store-${stores.length}.db`) : await postgres.freshDatabase(),
  );
  stores.push(store);
  return store;
}

const services = { signal: new AbortController().signal };
const CALLS = 450;
const AWKWARD = [
  "a\0b",
  "\ud800",
  "\\N",
  "\\.\n",
  "tab\there\r\n",
  '"quoted", {braces}',
  "红楼梦 😀",
  "",
  "\u{10ffff}0000",
];

/** Something of everything, with several samples of one request and text that formats trip over. */
async function fill(store: Store, calls = CALLS): Promise<void> {
  for (const id of ["first", "second"]) {
    await store.createRun(run(id, { command: ["evaluate", ...AWKWARD], note: "\ud800", folder: "C:\\books" }));
  }
  await Promise.all(
    Array.from({ length: calls }, (_, at) => {
      const text = AWKWARD[at % AWKWARD.length]!;
      return store.recordAnswer(
        call(`k${at}`, { text, reasoning: at % 2 ? text : null, cost: at / 7, requestHash: `h${at >> 1}` }),
        `${text} asked ${at >> 1}`,
        use(at % 3 ? "first" : "second", `k${at}`, { cost: at / 7 }),
      );
    }),
  );
  await store.recordUses([
    use("second", "k1", { outcome: "cached", cost: 0 }),
    use("first", "never", { outcome: "failed", cost: null, reason: "\0" }),
  ]);
  const event = (runId: string, detail: string) => ({ runId, at: "2026", kind: "retried", detail });
  await store.recordEvents([event("first", "same"), event("first", "same"), event("second", "\ud800")]);
  await store.recordEvents([event("first", "same"), event("odd \0 name", "x")]);
  await store.saveMetadata({ runId: "first", name: "drafts", body: "{\t\\}\0", at: "2026" });
  await store.saveMetadata({ runId: "second", name: "drafts", body: "[]", at: "2026" });
  await store.saveBatch({
    token: "t",
    runId: "first",
    model: "m",
    providerId: null,
    submittedAt: "2026",
    collected: false,
    keys: ["k1", "\ud800"],
  });
}

async function callsOf(store: Store, runId: string) {
  return (await store.runCalls(runId, { limit: 1000, after: null })).map(({ position: _position, ...rest }) => rest);
}

describe.each([
  ["SQLite", "PostgreSQL"],
  ["PostgreSQL", "SQLite"],
  ["SQLite", "SQLite"],
  ["PostgreSQL", "PostgreSQL"],
] as const)("copying a store from %s to %s", (from, to) => {
  let source: Store;
  let target: Store;
  beforeEach(async () => {
    source = await open(from);
    target = await open(to);
    await fill(source);
  });

  it("takes everything along, in order, and a second time adds nothing", async () => {
    const counts = await copyContents(source, target, services);
    expect(counts).toEqual({
      requests: { rows: CALLS / 2, added: CALLS / 2 },
      calls: { rows: CALLS, added: CALLS },
      runs: { rows: 2, added: 2 },
      uses: { rows: CALLS + 2, added: CALLS + 2 },
      run_metadata: { rows: 2, added: 2 },
      batches: { rows: 1, added: 1 },
      events: { rows: 5, added: 5 },
    });
    for (const id of ["first", "second"]) {
      expect(await callsOf(target, id)).toEqual(await callsOf(source, id));
      expect(await target.findRun(id)).toEqual(await source.findRun(id));
      expect(await target.events(id)).toEqual(await source.events(id));
      expect(await target.totals(id)).toEqual(await source.totals(id));
    }
    expect(await target.findRequest("h3")).toBe(await source.findRequest("h3"));
    expect(await target.findMetadata("first", "drafts")).toEqual(await source.findMetadata("first", "drafts"));
    expect(await target.openBatches("m")).toEqual(await source.openBatches("m"));
    const { digests, later, differences } = await compareContents(source, target, services);
    expect(digests[0]).toBe(digests[1]);
    expect({ later, differences }).toEqual({ later: 0, differences: 0 });

    const again = await copyContents(source, target, services);
    expect(Object.values(again).map(({ added }) => added)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    const back = await compareContents(target, source, services);
    expect(back.digests).toEqual(digests);
  });

  it("replaces what is older there, keeps what is newer, and leaves the rest alone", async () => {
    await target.recordAnswer(
      call("k1", { text: "newer", answeredAt: "2027" }),
      "q",
      use("first", "k1", { at: "2027" }),
    );
    await target.recordAnswer(
      call("k2", { text: "older", answeredAt: "2025" }),
      "q",
      use("first", "k2", { at: "2025" }),
    );
    await target.recordAnswer(call("own"), "its own", use("other", "own"));
    await target.createRun(run("first", { status: "done", seenAt: "2027", finishedAt: "2027" }));
    await target.recordEvents([{ runId: "first", at: "2026", kind: "retried", detail: "same" }]);
    await copyContents(source, target, services);
    expect(await target.findCall("k1")).toMatchObject({ text: "newer" });
    expect(await target.findCall("k2")).toEqual(await source.findCall("k2"));
    expect(await target.findUse("first", "k2")).toEqual(await source.findUse("first", "k2"));
    expect(await target.findCall("own")).toEqual(call("own"));
    expect(await target.findRun("first")).toMatchObject({ status: "done" });
    expect(await target.events("first")).toHaveLength(3);
    const { digests, later, differences } = await compareContents(source, target, services);
    expect(digests[0]).toBe(digests[1]);
    expect({ later, differences }).toEqual({ later: 3, differences: 0 });
  });

  it("goes on where it was interrupted", async () => {
    const stop = new AbortController();
    const interrupted = copyContents(source, target, {
      signal: stop.signal,
      onProgress: ({ stage, done }) => {
        if (stage === "Copying calls" && done >= 200) stop.abort(new Error("enough"));
      },
    });
    await expect(interrupted).rejects.toThrow("enough");
    const half = await target.countCalls();
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(CALLS);
    const { calls, requests } = await copyContents(source, target, services);
    expect(requests).toEqual({ rows: CALLS / 2, added: 0 });
    expect(calls).toEqual({ rows: CALLS, added: CALLS - half });
    const { differences } = await compareContents(source, target, services);
    expect(differences).toBe(0);
  });

  it("notices what is missing or other in the copy", async () => {
    await copyContents(source, target, services);
    await source.recordAnswer(call("late"), "q", use("first", "late"));
    await target.recordAnswer(call("k5", { text: "tampered with" }), "q", use("elsewhere", "k5"));
    const { digests, differences, different } = await compareContents(source, target, services);
    expect(digests[0]).not.toBe(digests[1]);
    expect(differences).toBe(4);
    expect(different).toContain('calls ["k5"]');
  });
});

it("survives restarts of the server while it copies", async () => {
  const source = await open("SQLite");
  const target = await open("PostgreSQL");
  await fill(source, 3000);
  let restarts = 0;
  let restarting: Promise<void> = Promise.resolve();
  await copyContents(source, target, {
    ...services,
    onProgress: ({ stage, done }) => {
      if (stage === `Copying ${["requests", "calls", "uses"][restarts]}` && done >= 200) {
        restarts += 1;
        restarting = postgres.restart("crash");
      }
    },
  });
  await restarting;
  expect(restarts).toBe(3);
  const { digests, differences } = await compareContents(source, target, services);
  expect(differences).toBe(0);
  expect(digests[0]).toBe(digests[1]);
});
