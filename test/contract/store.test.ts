import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import Database from "libsql";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import { MIGRATIONS as POSTGRES_MIGRATIONS } from "../../src/store/postgres/migrations.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { MIGRATIONS } from "../../src/store/sqlite/migrations.ts";
import type { RunFilter, Store, StoredBatch, StoredRun } from "../../src/store/store.ts";
import { startPostgres, type TestPostgres } from "../support/postgres.ts";
import { call, run, use } from "../support/stored.ts";

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-store-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** What every store must do, whichever database is under it. */
describe.each([
  ["SQLite", async () => join(folder, "sub", "store.db")],
  ["PostgreSQL", () => postgres.freshDatabase()],
] as const)("a store on %s", (name, newLocation) => {
  let location: string;
  let store: Store;
  const open = () => openStore(location);
  beforeEach(async () => {
    location = await newLocation();
    store = await open();
  });
  afterEach(async () => {
    await store.close();
  });

  it("gives back an answer as it was kept, also after it was closed", async () => {
    await store.recordAnswer(call("k"), "what was asked", use("r", "k"));
    await store.close();
    store = await open();
    expect(await store.findCall("k")).toEqual(call("k"));
    expect(await store.findRequest("request of k")).toBe("what was asked");
    expect(await store.findCall("other")).toBeNull();
    expect(await store.findRequest("other")).toBeNull();
  });

  it("replaces an answer that was asked for again, and counts it once", async () => {
    await store.recordAnswer(call("k"), "q", use("r", "k"));
    await store.recordAnswer(call("k", { text: "new" }), "q", use("s", "k"));
    expect(await store.findCall("k")).toMatchObject({ text: "new" });
    expect(await store.countCalls()).toBe(1);
  });

  it("keeps nothing of an answer that cannot be kept whole", async () => {
    // @ts-expect-error a stop reason may not be missing
    await expect(store.recordAnswer(call("k", { stop: null }), "q", use("r", "k"))).rejects.toThrow();
    expect(await store.findCall("k")).toBeNull();
    expect(await store.findUse("r", "k")).toBeNull();
    expect(await store.findRequest("request of k")).toBeNull();
  });

  it("adds up what a run asked, found and failed to get", async () => {
    await store.recordAnswer(call("a"), "q", use("r", "a"));
    await store.recordAnswer(call("b", { cost: 0.5 }), "q", use("r", "b", { cost: 0.5, purpose: "summariser" }));
    await store.recordAnswer(call("c"), "q", use("elsewhere", "c"));
    await store.recordUses([
      use("r", "c", { outcome: "cached", cost: 0 }),
      use("r", "d", { outcome: "failed", cost: null, inputTokens: 0, outputTokens: 0, reason: "refused" }),
    ]);
    const totals = await store.totals("r");
    expect(totals).toHaveLength(4);
    expect(totals.reduce((sum, { cost }) => sum + cost, 0)).toBeCloseTo(0.75);
    expect(totals.find(({ outcome }) => outcome === "failed")).toMatchObject({ calls: 1, inputTokens: 0 });
    expect(totals.find(({ outcome }) => outcome === "cached")).toMatchObject({ calls: 1, inputTokens: 100 });
  });

  it("remembers that a run paid for a call even when the resumed run finds it in the store", async () => {
    await store.recordAnswer(call("a"), "q", use("r", "a"));
    await store.recordUses([use("r", "a", { outcome: "cached", cost: 0 })]);
    expect(await store.findUse("r", "a")).toMatchObject({ outcome: "asked", cost: 0.25 });
  });

  it("adds the cost of a failed attempt to the answer that came later", async () => {
    await store.recordUses([use("r", "a", { outcome: "failed", cost: 0.1, reason: "malformed" })]);
    await store.recordAnswer(call("a"), "q", use("r", "a"));
    expect((await store.findUse("r", "a"))?.cost).toBeCloseTo(0.35);
  });

  it("pages through the calls of a run in the order they came", async () => {
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

  it("lists runs newest first, page by page, and changes them", async () => {
    for (let day = 1; day <= 9; day++) {
      await store.createRun(run(`r${day}`, { startedAt: `2026-01-0${day}T00:00:00.000Z` }));
    }
    const first = await store.listRuns({}, { limit: 4, after: null });
    expect(first.map(({ id }) => id)).toEqual(["r9", "r8", "r7", "r6"]);
    const second = await store.listRuns({}, { limit: 4, after: first.at(-1)! });
    expect(second.map(({ id }) => id)).toEqual(["r5", "r4", "r3", "r2"]);
    await store.updateRun("r5", { status: "stopped", note: "cost limit", finishedAt: "2026-02-01T00:00:00.000Z" });
    expect(await store.findRun("r5")).toEqual(
      run("r5", {
        startedAt: "2026-01-05T00:00:00.000Z",
        status: "stopped",
        note: "cost limit",
        finishedAt: "2026-02-01T00:00:00.000Z",
      }),
    );
    expect(await store.findRun("nobody")).toBeNull();
  });

  it("pages through runs that started at the same moment", async () => {
    for (const id of ["b", "d", "a", "c", "e"]) await store.createRun(run(id));
    const seen: string[] = [];
    for (let after: StoredRun | null = null; ; ) {
      const [next]: StoredRun[] = await store.listRuns({}, { limit: 1, after });
      if (!next) break;
      seen.push(next.id);
      after = next;
    }
    expect(seen).toEqual(["e", "d", "c", "b", "a"]);
  });

  it("finds runs by what they were asked, their note, their status and their last sign of life", async () => {
    const later = "2026-01-02T00:00:00.000Z";
    await store.createRun(
      run("first", { command: ["evaluate", "C:\\books\\红楼梦.epub", "--judge", "openai:gpt-4.1"] }),
    );
    await store.createRun(run("second", { command: ["score", "--in", "100%_sure.jsonl"], startedAt: later }));
    await store.createRun(run("third", { status: "failed", note: "The Key was refused", seenAt: later }));
    const ids = async (filter: RunFilter) => {
      const found = await store.listRuns(filter, { limit: 10, after: null });
      expect(await store.countRuns(filter)).toBe(found.length);
      return found.map(({ id }) => id).sort();
    };
    expect(await ids({})).toEqual(["first", "second", "third"]);
    expect(await ids({ search: "books\\红楼" })).toEqual(["first"]);
    expect(await ids({ search: "EVALUATE c:" })).toEqual(["first"]);
    expect(await ids({ search: "%_s" })).toEqual(["second"]);
    expect(await ids({ search: "_" })).toEqual(["second"]);
    expect(await ids({ search: "key was" })).toEqual(["third"]);
    expect(await ids({ search: "sEcoNd" })).toEqual(["second"]);
    expect(await ids({ search: "' OR 1=1 --" })).toEqual([]);
    expect(await ids({ status: "failed" })).toEqual(["third"]);
    expect(await ids({ status: "failed", search: "evaluate c:" })).toEqual([]);
    expect(await ids({ seenBefore: later })).toEqual(["first", "second"]);
    expect(await ids({ seenSince: later })).toEqual(["third"]);
    expect(await ids({ seenSince: "2026-01-03T00:00:00.000Z" })).toEqual([]);
  });

  it("counts why calls got no answer, most frequent first", async () => {
    const failed = (key: string, reason: string | null) => use("r", key, { outcome: "failed", cost: null, reason });
    await store.recordUses([failed("a", "refused"), failed("b", "cut off"), failed("c", "cut off"), failed("d", null)]);
    await store.recordUses([{ ...failed("e", "refused"), runId: "other" }, use("r", "f", { outcome: "cached" })]);
    expect(await store.failures("r")).toEqual([
      { reason: "cut off", calls: 2 },
      { reason: "refused", calls: 1 },
      { reason: "unknown", calls: 1 },
    ]);
  });

  it("keeps events in order", async () => {
    const event = (kind: string) => ({ runId: "r", at: "2026-01-01T00:00:00.000Z", kind, detail: "{}" });
    await store.recordEvents([event("one"), event("two")]);
    await store.recordEvents([event("three")]);
    expect((await store.events("r")).map(({ kind }) => kind)).toEqual(["one", "two", "three"]);
    expect(await store.events("s")).toEqual([]);
  });

  it("keeps what runs leave behind, by name, in its latest form", async () => {
    const paper = { runId: "r", name: "drafts", body: "half \ud83d, \0", at: "2026" };
    await store.savePaper({ ...paper, body: "earlier" });
    await store.savePaper(paper);
    await store.savePaper({ ...paper, runId: "s", body: "of another run" });
    expect(await store.findPaper("r", "drafts")).toEqual(paper);
    expect(await store.findPaper("r", "other")).toBeNull();
  });

  it("remembers open batches until they are collected", async () => {
    const batch: StoredBatch = {
      token: "t",
      runId: "r",
      model: "openai:gpt-4o",
      providerId: null,
      submittedAt: "2026-01-01T00:00:00.000Z",
      collected: false,
      keys: ["a", "b"],
    };
    await store.saveBatch(batch);
    await store.saveBatch({ ...batch, providerId: "batch_1" });
    expect(await store.openBatches("openai:gpt-4o")).toEqual([{ ...batch, providerId: "batch_1" }]);
    expect(await store.openBatches("openai:gpt-4.1")).toEqual([]);
    await store.saveBatch({ ...batch, providerId: "batch_1", collected: true });
    expect(await store.openBatches("openai:gpt-4o")).toEqual([]);
  });

  it("can be used by two at once", async () => {
    const other = await open();
    await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        (at % 2 ? store : other).recordAnswer(call(`k${at}`), "q", use("r", `k${at}`)),
      ),
    );
    expect(await store.countCalls()).toBe(40);
    expect(await other.runCalls("r", { limit: 100, after: null })).toHaveLength(40);
    await other.close();
  });

  it("is made by the first of many that open it at once", async () => {
    const fresh = name === "SQLite" ? join(folder, "many.db") : await postgres.freshDatabase();
    const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(fresh)));
    await Promise.all(stores.map((one, at) => one.createRun(run(`r${at}`))));
    expect(await stores[0]!.listRuns({}, { limit: 10, after: null })).toHaveLength(6);
    await Promise.all(stores.map((one) => one.close()));
  });

  it("keeps any text to the letter, also what UTF-8 cannot hold", async () => {
    for (const text of [
      "a\0b",
      "half \ud83d of a pair",
      "\udc00\ud800",
      "\u{10ffff}0000",
      "",
      "\\N\t\\.\n{,}\"'",
      "😀",
    ]) {
      await store.recordAnswer(
        call("k", { text, reasoning: text }),
        text,
        use("r", "k", { reason: text, purpose: text }),
      );
      expect(await store.findCall("k")).toEqual(call("k", { text, reasoning: text }));
      expect(await store.findUse("r", "k")).toMatchObject({ reason: text });
      await store.recordAnswer(call(text), text, use("s", text));
      expect(await store.findCall(text)).toEqual(call(text));
      expect(await store.findRequest(`request of ${text}`)).toBe(text);
    }
    await store.createRun(run("r", { command: ["a\ud800b"], folder: "/\ud800", note: "\0" }));
    expect(await store.findRun("r")).toEqual(run("r", { command: ["a\ud800b"], folder: "/\ud800", note: "\0" }));
    await store.updateRun("r", { note: "\ud800" });
    expect(await store.findRun("r")).toMatchObject({ note: "\ud800" });
    await store.recordEvents([{ runId: "r\0", at: "2026", kind: "\ud800", detail: "\0" }]);
    expect(await store.events("r\0")).toEqual([{ runId: "r\0", at: "2026", kind: "\ud800", detail: "\0" }]);
  });

  it("takes uses of one call twice in one go as if they had come one after the other", async () => {
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
    await store.recordUses(Array.from({ length: 1000 }, (_, at) => use("r", `k${at}`, { cost: 0.01 })));
    expect(await store.totals("r")).toMatchObject([{ calls: 1000, cost: 10 }]);
  });

  it("writes many answers of one moment, and fails alone the one that cannot be kept", async () => {
    const kept = await Promise.allSettled(
      Array.from({ length: 600 }, (_, at) =>
        // @ts-expect-error a stop reason may not be missing
        store.recordAnswer(call(`k${at}`, at === 77 ? { stop: null } : {}), "q", use("r", `k${at}`)),
      ),
    );
    expect(kept.flatMap(({ status }, at) => (status === "rejected" ? [at] : []))).toEqual([77]);
    expect(await store.findCall("k77")).toBeNull();
    expect(await store.totals("r")).toMatchObject([{ calls: 599 }]);
  });

  it("says what it is and how large", async () => {
    const { kind, version, bytes } = await store.describe();
    expect(kind).toBe(name);
    expect(version).toMatch(/^\d+\.\d+/);
    expect(bytes).toBeGreaterThan(1000);
  });
});

describe("a store in a file", () => {
  it("may be read by its owner alone", async () => {
    const path = join(folder, "mine.db");
    await (await openStore(path)).close();
    if (process.platform !== "win32") expect((await stat(path)).mode & 0o077).toBe(0);
  });

  it("says in one sentence what is wrong with a file that is no store", async () => {
    const path = join(folder, "letter.txt");
    await writeFile(path, "Dear reader, this is no database. ".repeat(100));
    await expect(openStore(path)).rejects.toMatchObject({
      code: "E_STORE_OPEN",
      message: expect.stringContaining("--store"),
    });
    await expect(openStore(folder)).rejects.toMatchObject({ code: "E_STORE_OPEN" });
    await expect(openStore("redis://nowhere")).rejects.toMatchObject({ code: "E_STORE_UNKNOWN" });
  });

  it("opens a store written by the first version, with the totals it had", async () => {
    const path = join(folder, "first.db");
    const database = new Database(path);
    database.exec(MIGRATIONS[0]!);
    database.exec("PRAGMA user_version = 1");
    database.exec(
      `INSERT INTO calls VALUES ('k', 'm', 'judge', 0, 'h', 'stop', 'm', 120, 30, 0, 0, 0.5, 10, 1, '2026', 'text', NULL);
       INSERT INTO uses (run_id, key, outcome, model, purpose, cost, at) VALUES ('r', 'k', 'asked', 'm', 'judge', 0.5, '2026')`,
    );
    database.close();
    const store = await openStore(path);
    expect(await store.totals("r")).toMatchObject([{ calls: 1, cost: 0.5, inputTokens: 120, outputTokens: 30 }]);
    expect(await store.findCall("k")).toMatchObject({ text: "text" });
    await store.close();
  });

  it("does not touch a store written by a newer version", async () => {
    const path = join(folder, "newer.db");
    await (await openStore(path)).close();
    const database = new Database(path);
    database.exec("PRAGMA user_version = 999");
    database.close();
    await expect(openStore(path)).rejects.toMatchObject({ code: "E_STORE_NEWER" });
  });
});

describe("a store on a server", () => {
  const sql = async (location: string, text: string) => {
    const client = new pg.Client({ connectionString: location });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };

  it("shows its address without the password", async () => {
    const store = await openStore(await postgres.freshDatabase());
    expect(store.location).toMatch(/^postgres:\/\/fabula:\*\*\*@127\.0\.0\.1:\d+\/fresh_\d+$/);
    await store.close();
  });

  it.each([
    ["wrong password", (url: string) => url.replace("correct-horse", "wr%40ng"), "E_STORE_PASSWORD", /check the name/],
    ["no password", (url: string) => url.replace(":correct-horse", ""), "E_STORE_PASSWORD", /PGPASSWORD/],
    ["no such database", (url: string) => url.replace(/fresh_\d+/, "novels"), "E_STORE_DATABASE", /createdb novels/],
    ["nobody there", (url: string) => url.replace(/:\d+\//, ":9/"), "E_STORE_UNREACHABLE", /ECONNREFUSED.*runs there/],
    ["no address", () => "postgres://me:correct-horse@host:port/x", "E_STORE_UNKNOWN", /looks like/],
  ])("says in one sentence what is wrong: %s", async (_what, change, code, sentence) => {
    const location = change(await postgres.freshDatabase());
    const error = await openStore(location).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code, message: expect.stringMatching(sentence) });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/correct-horse|wr%40ng|wr@ng/);
  });

  it("asks for a database that can hold every letter", async () => {
    await sql(
      postgres.url("postgres"),
      "CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0",
    );
    await expect(openStore(postgres.url("latin"))).rejects.toThrow("LATIN1, which cannot hold every book");
  });

  it("keeps out of the way of other tables, and of a user who may not make any", async () => {
    const location = await postgres.freshDatabase();
    await sql(location, "CREATE TABLE calls (mine int); CREATE ROLE guest LOGIN PASSWORD 'guest-word'");
    await expect(openStore(location.replace("fabula:correct-horse", "guest:guest-word"))).rejects.toMatchObject({
      code: "E_STORE_OPEN",
      message: expect.stringContaining("grant CREATE"),
    });
    await (await openStore(location)).close();
    expect(await sql(location, "SELECT * FROM calls")).toEqual([]);
  });

  it("can be looked at where nothing may be written, as on a read replica", async () => {
    const location = await postgres.freshDatabase();
    const primary = await openStore(location);
    await primary.createRun(run("r"));
    await primary.recordAnswer(call("k"), "q", use("r", "k"));
    await primary.close();
    await sql(location, `ALTER DATABASE ${new URL(location).pathname.slice(1)} SET default_transaction_read_only = on`);
    const replica = await openStore(location);
    expect(await replica.findRun("r")).toEqual(run("r"));
    expect(await replica.runCalls("r", { limit: 10, after: null })).toHaveLength(1);
    await expect(replica.createRun(run("s"))).rejects.toMatchObject({
      code: "E_STORE_WRITE",
      message: expect.stringContaining("read-only"),
    });
    await replica.close();
  });

  it("still knows its answers when what was asked is thrown away", async () => {
    const location = await postgres.freshDatabase();
    const store = await openStore(location);
    await store.recordAnswer(call("k"), "a whole manuscript", use("r", "k"));
    await sql(location, "DELETE FROM fabula.requests");
    expect(await store.findCall("k")).toEqual(call("k"));
    expect(await store.findRequest(call("k").requestHash)).toBeNull();
    expect(await store.runCalls("r", { limit: 10, after: null })).toMatchObject([{ answer: call("k") }]);
    await store.close();
  });

  it("does not touch a store written by a newer version", async () => {
    const location = await postgres.freshDatabase();
    await (await openStore(location)).close();
    expect(await sql(location, "SELECT version FROM fabula.schema_version")).toEqual([
      { version: POSTGRES_MIGRATIONS.length },
    ]);
    await sql(location, "UPDATE fabula.schema_version SET version = 999");
    await expect(openStore(location)).rejects.toMatchObject({ code: "E_STORE_NEWER" });
  });

  it.each(["fast", "crash"] as const)("goes on over a %s restart, and writes nothing twice", async (mode) => {
    const store = await openStore(await postgres.freshDatabase());
    await store.createRun(run("r"));
    const work = Array.from({ length: 400 }, async (_, at) => {
      await new Promise((resolve) => setTimeout(resolve, at * 4));
      await store.recordAnswer(call(`k${at}`), "q", use("r", `k${at}`, { cost: 1 }));
      await store.recordUses([use("r", `failed ${at}`, { outcome: "failed", cost: 1 })]);
      await store.recordEvents([{ runId: "r", at: "2026", kind: "k", detail: String(at) }]);
      await store.findCall(`k${at}`);
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await postgres.restart(mode);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await postgres.restart(mode);
    await Promise.all(work);
    expect(await store.totals("r")).toMatchObject([
      { outcome: "asked", calls: 400, cost: 400 },
      { outcome: "failed", calls: 400, cost: 400 },
    ]);
    const details = (await store.events("r")).map(({ detail }) => Number(detail));
    expect(details.sort((left, right) => left - right)).toEqual(Array.from({ length: 400 }, (_, at) => at));
    await store.close();
  });

  it("gives up on a server that stays away, with what to do next", async () => {
    const other = await startPostgres();
    const hurried = { now: () => new Date(0), sleep: async () => {} };
    const store = await openPostgresStore(await other.freshDatabase(), { clock: hurried });
    await other.close();
    const failures = await Promise.allSettled([
      store.findCall("k"),
      ...Array.from({ length: 5 }, (_, at) => store.recordAnswer(call(`k${at}`), "q", use("r", `k${at}`))),
    ]);
    for (const failure of failures) {
      expect(failure).toMatchObject({
        status: "rejected",
        reason: { code: "E_STORE_LOST", message: expect.stringContaining("fabula runs resume") },
      });
    }
    await store.close();
  });
});
