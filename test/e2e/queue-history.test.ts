import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { answering, madeQuestions } from "../../benchmarks/support/made-questions.ts";
import { createSimulatedServer, type SimulatedServer } from "../../src/testing/index.ts";
import { startPostgres, type TestPostgres } from "../support/postgres.ts";
import { startWorker, type WorkerProcess } from "../support/worker-process.ts";
import { runFabula } from "./run-fabula.ts";

/** Each starts several processes, and a busy machine takes its time. */
vi.setConfig({ testTimeout: 240_000 });

let postgres: TestPostgres;
let server: SimulatedServer;
let store: string;
let folder: string;
const workers: WorkerProcess[] = [];
beforeAll(async () => {
  postgres = await startPostgres();
  server = await createSimulatedServer();
});
afterAll(async () => {
  await server.close();
  await postgres.close();
});
beforeEach(async () => {
  store = await postgres.freshDatabase();
  folder = await mkdtemp(join(tmpdir(), "fabula-history-"));
  await writeFile(join(folder, "questions.jsonl"), madeQuestions(60));
});
afterEach(async () => {
  for (const worker of workers.splice(0)) {
    worker.child.kill("SIGKILL");
    await worker.ended;
  }
  await rm(folder, { recursive: true, force: true });
});

function worker(...words: string[]): WorkerProcess {
  const started = startWorker(store, words);
  workers.push(started);
  return started;
}

const fabula = (...words: string[]) => runFabula(words, { folder, environment: { FABULA_STORE: store } });
const answer = (...more: string[]) => fabula(...answering("out.jsonl", server.judge("m")), ...more);
const runOf = ({ stderr }: { stderr: string }) => /Run (\S+) is queued/.exec(stderr)![1]!;

async function query(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: store });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Rows in every table of the queue that holds something of a piece. */
async function remembered(): Promise<number[]> {
  const counts: number[] = [];
  for (const table of ["workflow_status", "workflow_input", "workflow_output", "operation_outputs"]) {
    const [row] = await query(`SELECT count(*)::int AS count FROM fabula_dbos.${table}`);
    counts.push(Number(row?.count));
  }
  return counts;
}

it("the queue forgets pieces that ended as long ago as it is told, and nothing that anybody needs", async () => {
  const run = runOf(await answer("--detach"));
  expect(await worker("--drain").ended).toBe(0);
  const done = await fabula("runs", "resume", run);
  expect(done.code, done.stderr).toBe(0);
  expect((await remembered())[0]).toBe(3);
  const answered = await readFile(join(folder, "out.jsonl"), "utf8");
  const asked = server.exchanges.length;

  // A day is the default, and these ended just now.
  expect(await worker("--drain").ended).toBe(0);
  expect((await remembered())[0]).toBe(3);

  const eager = worker("--drain", "--history", "0");
  expect(String((await eager.said("forgotten")).detail)).toBe("3 pieces that ended");
  expect(await eager.ended).toBe(0);
  expect(await remembered()).toEqual([0, 0, 0, 0]);

  expect((await fabula("runs", "show", run)).stdout).toContain("3 of 3 pieces done");
  const again = await fabula("runs", "resume", run);
  expect(again.code, again.stderr).toBe(0);
  expect(await readFile(join(folder, "out.jsonl"), "utf8")).toBe(answered);
  expect(server.exchanges).toHaveLength(asked);
});

it("what waits for nobody is forgotten when its run is over", async () => {
  const run = runOf(await answer("--detach"));
  await fabula("runs", "pause", run);
  await fabula("runs", "unpause", run);
  // The first round waits for a version that will never come; the second is done.
  await query("UPDATE fabula_dbos.workflow_status SET application_version = 'gone' WHERE workflow_uuid LIKE '%/1'");
  worker();
  const fetched = await fabula("runs", "resume", run);
  expect(fetched.code, fetched.stderr).toBe(0);
  expect(await query("SELECT workflow_uuid FROM fabula_dbos.workflow_status WHERE status = 'ENQUEUED'")).toEqual([]);
});

it("a run whose queue was lost is queued anew when it is resumed", async () => {
  const run = runOf(await answer("--detach"));
  await query("DROP SCHEMA fabula_dbos CASCADE");
  const one = worker();
  await one.said("ready");
  const fetched = await fabula("runs", "resume", run);
  expect(fetched.code, fetched.stderr).toBe(0);
  expect(one.log.filter(({ event }) => event === "done")).toHaveLength(3);
});
