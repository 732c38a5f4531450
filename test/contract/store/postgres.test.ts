import { inspect } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../../../src/store/open-store.ts";
import { Database, MIGRATIONS } from "../../../src/store/postgres/database.ts";
import { openPostgresStore } from "../../../src/store/postgres/postgres-store.ts";
import { startPostgres, type TestPostgres } from "../../support/postgres.ts";
import { call, run, use } from "../../support/stored.ts";

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

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
      code: "E_STORE_READ_ONLY",
      message: expect.stringContaining("takes no writes"),
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

  it("lets one worker keep an answer while another's of the same run is on its way to the disk", async () => {
    const location = await postgres.freshDatabase();
    const store = await openStore(location);
    await store.createRun(run("r"));
    await store.recordAnswer(call("first"), "q", use("r", "first"));
    const keep = `INSERT INTO fabula.uses (run_id, key, outcome, model, purpose, cost, input_tokens, output_tokens, at)
      SELECT 'r', $1, outcome, model, purpose, cost, input_tokens, output_tokens, at FROM fabula.uses WHERE key = 'first'`;
    const clients: pg.Client[] = [];
    try {
      // What a run has used is counted in parts, by connection: two of different parts.
      for (const parts = new Set<number>(); parts.size < 2; ) {
        const client = new pg.Client(location);
        await client.connect();
        const { rows } = await client.query("SELECT pg_backend_pid() % 16 AS part");
        if (parts.has(rows[0].part)) await client.end();
        else clients.push(client);
        parts.add(rows[0].part);
      }
      for (const [index, client] of clients.entries()) {
        await client.query("BEGIN; SET lock_timeout = 1000");
        await client.query(keep, [`another ${index}`]);
      }
      for (const client of clients) await client.query("COMMIT");
      expect(await store.totals("r")).toMatchObject([{ calls: 3, inputTokens: 3 * use("r", "first").inputTokens }]);
      // What was counted on one connection is taken away on another.
      await clients[0]!.query("DELETE FROM fabula.uses WHERE key <> 'another 0'");
      expect(await store.totals("r")).toMatchObject([{ calls: 1, inputTokens: use("r", "first").inputTokens }]);
      await clients[0]!.query("DELETE FROM fabula.uses");
      expect(await store.totals("r")).toEqual([]);
    } finally {
      for (const client of clients) await client.end();
      await store.close();
    }
  });

  it("does not touch a store written by a newer version", async () => {
    const location = await postgres.freshDatabase();
    await (await openStore(location)).close();
    expect(await sql(location, "SELECT version FROM fabula.schema_version")).toEqual([{ version: MIGRATIONS.length }]);
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

it("a store opens although the server drops the connection while it is opened", async () => {
  const location = await postgres.freshDatabase();
  const other = new pg.Client({ connectionString: location });
  await other.connect();
  // Whoever prepares the tables waits for this lock.
  await other.query("SELECT pg_advisory_lock(7220641107)");
  const opening = openStore(location);
  const waiting = "SELECT pid FROM pg_stat_activity WHERE application_name = 'fabula' AND wait_event = 'advisory'";
  await expect.poll(async () => (await other.query(waiting)).rowCount).toBe(1);
  await other.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) AS waiting`);
  await other.query("SELECT pg_advisory_unlock(7220641107)");
  const store = await opening;
  expect(await store.findRun("none")).toBeNull();
  await store.close();
  await other.end();
});

it("a transaction that stands still, as that of a stopped program, is ended by the server, and done again when the program goes on", async () => {
  const database = new Database(await postgres.freshDatabase());
  await database.open();
  await database.query("CREATE TABLE public.counter (value INTEGER)");
  await database.query("INSERT INTO public.counter VALUES (0)");
  let tries = 0;
  await database.transaction(async (client) => {
    tries += 1;
    const [limit] = (await client.query("SHOW idle_in_transaction_session_timeout")).rows;
    expect(limit).toEqual({ idle_in_transaction_session_timeout: "20s" });
    await client.query("UPDATE public.counter SET value = value + 1");
    if (tries > 1) return;
    await client.query("SET LOCAL idle_in_transaction_session_timeout = 50");
    // The program is stopped here. Another gets the lock all the same.
    await database.query("UPDATE public.counter SET value = value + 10");
  });
  expect(tries).toBe(2);
  expect(await database.query("SELECT value FROM public.counter")).toEqual([{ value: 11 }]);
  await database.close();
});
