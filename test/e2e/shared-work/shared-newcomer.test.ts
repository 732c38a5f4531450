import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { answering, madeQuestions } from "../../../benchmarks/support/made-library.ts";
import type { Paged } from "../../../src/api/answers.ts";
import type { RunRow } from "../../../src/api/runs.ts";
import { createSimulatedServer, type SimulatedServer } from "../../../src/testing/index.ts";
import { startPostgres, type TestPostgres } from "../../support/postgres.ts";
import { startWorker } from "../../support/worker-process.ts";
import { runFabula, spawnFabula } from "../run-fabula.ts";
import { serveFabula } from "../serve-fabula.ts";

/** Each starts several processes, and a busy machine takes its time. */
vi.setConfig({ testTimeout: 240_000 });

let postgres: TestPostgres;
let server: SimulatedServer;
let folder: string;
beforeAll(async () => {
  postgres = await startPostgres();
  server = await createSimulatedServer();
  folder = await mkdtemp(join(tmpdir(), "fabula-newcomer-"));
  await writeFile(join(folder, "questions.jsonl"), madeQuestions(5));
});
afterAll(async () => {
  await server.close();
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
});

const fabula = (...words: string[]) => runFabula(words, { folder, environment: { FABULA_STORE: "" } });

async function inDatabase(location: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: location });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

describe("work that is queued before there is a worker", () => {
  it("says what to start, outlives Ctrl-C, is never called killed, and is fetched when it is done", async () => {
    const store = await postgres.freshDatabase();
    const child = spawn(
      process.execPath,
      [join(process.cwd(), "dist", "cli", "main.js"), ...answering("out.jsonl", server.judge("m")), "--store", store],
      { cwd: folder, env: { ...process.env, NO_COLOR: "1" }, stdio: ["ignore", "ignore", "pipe"] },
    );
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    await expect
      .poll(() => said)
      .toContain("No worker is connected: start some with `fabula worker --store …`, here or on any machine");
    const ended = once(child, "close");
    child.kill("SIGINT");
    expect((await ended)[0]).toBe(1);
    const run = /Run (\S+) is queued for the workers/.exec(said)![1]!;
    expect(said).toContain(
      `Run ${run} stays queued, and workers continue with it: \`fabula runs resume ${run} --store …\` waits for them again, \`fabula runs pause ${run} --store …\` stops them.`,
    );
    // Libraries warn of what they will have to change one day: nothing for whoever evaluates a book.
    expect(said).not.toContain("Warning");

    // Long silent, from here or from another machine: whoever queued it is gone, and the work is not.
    await inDatabase(store, "UPDATE fabula.runs SET seen_at = '2026-01-01T00:00:00.000Z', worker = 'elsewhere:1'");
    const listed = await fabula("runs", "list", "--json", "--store", store);
    expect(JSON.parse(listed.stdout).runs).toMatchObject([{ id: run, status: "running" }]);
    const page = await serveFabula(folder, ["--store", store]);
    try {
      expect(await page.json(`/api/runs/${run}`)).toMatchObject({ status: "running", pieces: { done: 0, total: 1 } });
      const counted = async (status: string) =>
        (await page.json<Paged<RunRow>>(`/api/runs?status=${status}`)).items.map(({ id }) => id);
      expect(await counted("killed")).toEqual([]);
      expect(await counted("running")).toEqual([run]);
    } finally {
      await page.stop("SIGINT");
    }

    const worker = startWorker(store, ["--drain"]);
    expect(await worker.ended).toBe(0);
    const shown = await fabula("runs", "show", run, "--store", store);
    expect(shown.stdout).toContain(`The work is done: \`fabula runs resume ${run} --store …\` fetches the result.`);
    const fetched = await fabula("runs", "resume", run, "--store", store);
    expect(fetched.code, fetched.stderr).toBe(0);
    expect((await fabula("runs", "show", run, "--store", store)).stdout).toContain(`${run}  done`);
  });

  it("is told apart from work that the workers may not do", async () => {
    const store = await postgres.freshDatabase();
    const worker = startWorker(store, ["--judges", "openai:gpt-4.1"]);
    try {
      await worker.said("ready");
      const queued = await fabula(...answering("o.jsonl", server.judge("m")), "--detach", "--store", store);
      expect(queued.stderr).toContain("The only worker that is connected is limited with --judges to other models");
    } finally {
      worker.child.kill("SIGTERM");
      expect(await worker.ended).toBe(0);
    }
  });

  it("that cannot be cut into pieces has failed, and does not run for ever", async () => {
    const store = await postgres.freshDatabase();
    const words = ["qa", "answer", "--in", "nowhere.jsonl", "--setting", "closed", "--out", "o.jsonl"];
    const { code, stderr } = await fabula(...words, "--model", server.judge("m"), "--store", store);
    expect(code).toBe(1);
    expect(stderr).toContain("nowhere.jsonl");
    const { stdout } = await fabula("runs", "list", "--json", "--store", store);
    expect(JSON.parse(stdout).runs.map(({ status }: { status: string }) => status)).not.toContain("running");
  });
});

describe("a store that cannot be used", () => {
  /** One sentence and an end with 1, from whoever lists, queues or works. */
  async function refusals(store: string, ...commands: string[][]): Promise<string[]> {
    const sentences: string[] = [];
    for (const words of commands) {
      // A worker writes its log to the process's own output.
      const { code, stderr } = await spawnFabula([...words, "--store", store], { folder });
      expect(code, `${words.join(" ")}: ${stderr}`).toBe(1);
      const last = stderr.trim().split("\n").at(-1)!;
      const isLog = last.startsWith("{");
      const lines = stderr.split("\n").filter((line) => line.includes('"cannot-go-on"'));
      sentences.push(isLog ? JSON.parse(lines[0]!).detail : stderr.trim().replace(/^fabula: /, ""));
    }
    return sentences;
  }
  const queueing = () => answering("o.jsonl", server.judge("m"));

  it("for a wrong password", async () => {
    const wrong = (await postgres.freshDatabase()).replace(postgres.password, "wrong");
    for (const sentence of await refusals(wrong, ["runs", "list"], queueing(), ["worker"]))
      expect(sentence).toMatch(
        /^The PostgreSQL server \S+ does not let the user "fabula" in .+: check .+ PGPASSWORD\.$/,
      );
  });

  it("for a server that is not there", async () => {
    const nowhere = "postgres://fabula@127.0.0.1:9/fabula";
    for (const sentence of await refusals(nowhere, ["runs", "list"], queueing(), ["worker"]))
      expect(sentence).toMatch(
        /^The store \S+ cannot be reached .+: check the address, and that PostgreSQL runs there\.$/,
      );
  });

  it("for a database whose schema of that name is another program's", async () => {
    const store = await postgres.freshDatabase();
    await inDatabase(store, "CREATE SCHEMA fabula", "CREATE TABLE fabula.runs (theirs INTEGER)");
    for (const sentence of await refusals(store, ["runs", "list"], queueing(), ["worker"]))
      expect(sentence).toMatch(/^The database of \S+ has a schema "fabula" that Fabula did not make .+: give another/);
  });

  it("for a user who may only read", async () => {
    const store = await postgres.freshDatabase();
    await fabula("runs", "list", "--store", store);
    await inDatabase(
      store,
      "CREATE ROLE guest LOGIN PASSWORD 'guest'",
      "GRANT USAGE ON SCHEMA fabula TO guest",
      "GRANT SELECT ON ALL TABLES IN SCHEMA fabula TO guest",
    );
    const guest = store.replace(`fabula:${postgres.password}`, "guest:guest");
    for (const sentence of await refusals(guest, queueing(), [...queueing(), "--local"], ["worker"]))
      expect(sentence).toMatch(
        /^The user "guest" may not do this in \S+ .+: let the owner grant it the rights to read/,
      );
    // Looking needs no more than that.
    expect((await fabula("runs", "list", "--store", guest)).code).toBe(0);
  });

  it("for a replica, which takes no writes", async () => {
    const store = await postgres.freshDatabase();
    await fabula("runs", "list", "--store", store);
    await inDatabase(
      store,
      `ALTER DATABASE ${new URL(store).pathname.slice(1)} SET default_transaction_read_only = on`,
    );
    for (const sentence of await refusals(store, queueing(), ["worker"]))
      expect(sentence).toMatch(
        /^The store \S+ takes no writes, as a replica does: give the address of the server that/,
      );
    expect((await fabula("runs", "list", "--store", store)).code).toBe(0);
  });
});

it("a user who may read and write the store may also queue work and do it", async () => {
  const store = await postgres.freshDatabase();
  await fabula("runs", "list", "--store", store);
  const page = await readFile("docs/operations.md", "utf8");
  const documented = [...page.matchAll(/"(GRANT .+ TO helper)"/g)].map(([, grant]) => grant!);
  const forSequence = documented.filter((grant) => grant.includes("SEQUENCE"));
  expect(forSequence).toHaveLength(1);
  const others = documented.filter((grant) => !forSequence.includes(grant));
  await inDatabase(store, "CREATE ROLE helper LOGIN PASSWORD 'helper'", ...others);
  const helper = store.replace(`fabula:${postgres.password}`, "helper:helper");
  const queued = await fabula(...answering("out.jsonl", server.judge("m")), "--detach", "--store", helper);
  expect(queued.code, queued.stderr).toBe(0);
  const worker = startWorker(helper, ["--drain"]);
  try {
    expect((await worker.said("cannot-go-on")).detail).toMatch(
      /sequence pieces_begun.+ grant it .+ to use its sequence\.$/,
    );
    expect(await worker.ended).toBe(1);
  } finally {
    worker.child.kill("SIGKILL");
  }
  await inDatabase(store, ...forSequence);
  expect(await startWorker(helper, ["--drain"]).ended).toBe(0);
});
