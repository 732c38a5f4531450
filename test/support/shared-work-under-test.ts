import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { createSimulatedServer, type SimulatedServer, type SimulatedServerOptions } from "../../src/testing/index.ts";
import { runFabula } from "../e2e/run-fabula.ts";
import { startPostgres, type TestPostgres } from "./postgres.ts";
import { startWorker, type WorkerProcess } from "./worker-process.ts";

/** One PostgreSQL for a file of tests; for each test a database, a folder, workers and a provider of its own, gone after it. */
export function sharedWorkUnderTest() {
  let postgres: TestPostgres;
  let store: string;
  let folder: string;
  const workers: WorkerProcess[] = [];
  const servers: SimulatedServer[] = [];
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.close());
  beforeEach(async () => {
    store = await postgres.freshDatabase();
    folder = await mkdtemp(join(tmpdir(), "fabula-shared-work-"));
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) {
      worker.child.kill("SIGKILL");
      await worker.ended;
    }
    for (const server of servers.splice(0)) await server.close();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    get postgres() {
      return postgres;
    },
    get store() {
      return store;
    },
    /** Workers and commands from here on reach the store another way, for example over a line that can be cut. */
    set store(location: string) {
      store = location;
    },
    get folder() {
      return folder;
    },
    /** Those that were started and not taken out of here; they are killed at the end. */
    workers,
    worker(...words: string[]): WorkerProcess {
      const started = startWorker(store, words);
      workers.push(started);
      return started;
    },
    /** The others need not wait for the fifteen seconds after which a silent worker is given up. */
    async giveUp(gone: readonly WorkerProcess[]): Promise<void> {
      const client = new pg.Client({ connectionString: store });
      await client.connect();
      for (const { child, ended } of gone) {
        await ended;
        await client.query(
          "UPDATE fabula.workers SET seen_at = fabula.now(), expires_at = fabula.now() WHERE split_part(id, ':', 2) = $1",
          [String(child.pid)],
        );
      }
      await client.end();
    },
    async serve(options?: SimulatedServerOptions): Promise<SimulatedServer> {
      const server = await createSimulatedServer(options);
      servers.push(server);
      return server;
    },
    fabula: (words: readonly string[], owner = "ada") =>
      runFabula(words, { folder, environment: { FABULA_STORE: store, FABULA_OWNER: owner } }),
    /** The run that a command said it has queued. */
    runOf: ({ stderr }: { readonly stderr: string }) => /Run (\S+) is queued/.exec(stderr)![1]!,
  };
}
