/**
 * The queue beside two engines on PostgreSQL that others use, with the same work and the same faults: pg-boss and DBOS. Decision 011
 * rests on the table it prints. Each engine has a database of its own on one server that writes to disk.
 *
 *   npx tsx benchmarks/queue-engines.ts [--engine fabula,pg-boss,dbos] [--pieces 1000000] [--claims 20] [--away 18] [--workers 20] [--runs 50]
 *     [--only claim,turn,stale,lost,away,idle]
 *
 * - claim: with priorities, in three runs of equal length; the median.
 * - turn: one piece of a second owner is queued after forty of the first; as the how-manieth it is claimed.
 * - a stale worker's result: the piece was given to another worker since, and the first reports its end.
 * - the claim's answer lost: a worker claims a piece, does not learn of it, and claims again.
 * - database away: eight pieces of 30 s are under way while the server is stopped; how many were begun a second time.
 * - idle: workers that wait for work in so many runs, for the engines a queue each, as their own documents advise.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { DBOSExecutor } from "@dbos-inc/dbos-sdk/internal/dbos-executor";
import pg from "pg";
import { PgBoss } from "pg-boss";
import { systemClock } from "../src/core/clock.ts";
import { claimPiece, endPiece, recoverPieces } from "../src/queue/pieces.ts";
import { openSharedRun } from "../src/queue/shared-runs.ts";
import { work } from "../src/queue/worker.ts";
import { Membership } from "../src/runner/shared/membership.ts";
import { Database } from "../src/store/postgres/database.ts";
import { DirectConnection } from "../src/store/postgres/direct-connection.ts";
import { performPiece } from "../src/tasks/jobs/registry.ts";
import { startPostgres, type TestPostgres } from "../test/support/postgres.ts";
import { serverLoad } from "./support/server-process.ts";

const { values } = parseArgs({
  options: {
    engine: { type: "string", default: "fabula,pg-boss,dbos" },
    pieces: { type: "string", default: "1000000" },
    claims: { type: "string", default: "20" },
    away: { type: "string", default: "18" },
    workers: { type: "string", default: "20" },
    runs: { type: "string", default: "50" },
    /** Which questions, by the first word of their row. */
    only: { type: "string", default: "claim,turn,stale,lost,away,idle" },
    "dbos-worker": { type: "string" },
  },
});
const pieces = Number(values.pieces);
const OWNERS = ["ada", "ben", "chi"];
const PIECE_SECONDS = 30;
const UNDER_WAY = 8;

/** What is asked of each engine. Every question has a database of its own. */
interface Engine {
  readonly name: string;
  /** Fills a queue and returns how to claim the next of its pieces. */
  claims(location: string): Promise<{ claim(): Promise<unknown>; close(): Promise<void> }>;
  turn(location: string): Promise<number>;
  staleResult(location: string): Promise<string>;
  lostAnswer(location: string): Promise<string>;
  /** How many pieces were begun again, with the server away in between. */
  away(location: string, takeAway: () => Promise<void>): Promise<string>;
  idle(location: string): Promise<{ ready: Promise<void>; close(): Promise<void> }>;
}

async function sql(location: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: location });
  await client.connect();
  try {
    return (await client.query(text)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

// ---------------------------------------------------------------------------------------------------------------- this queue

const job = { kind: "score-items", options: {}, models: [], prices: null, refresh: false, pace: {} };
const common = { version: "1", job, maximumCost: null, spentBefore: 0, limits: [], priority: 0 };
const claimant = { version: "1", judges: null };

async function opened(location: string, runs: Readonly<Record<string, number>>): Promise<Database> {
  const database = new Database(location, { connections: 4 });
  await database.open();
  await database.query("INSERT INTO fabula.inputs VALUES ('input', '{}')");
  for (const [owner, count] of Object.entries(runs)) {
    await openSharedRun(database, { ...common, run: owner, owner });
    await database.query(
      `INSERT INTO fabula.pieces (run_id, position, input, label, state)
       SELECT $1, place, 'input', 'piece ' || place, 'queued' FROM generate_series(0, $2::int - 1) AS place`,
      [owner, count],
    );
  }
  return database;
}

const fabula: Engine = {
  name: "fabula",
  async claims(location) {
    const each = Math.ceil(pieces / OWNERS.length);
    const database = await opened(location, Object.fromEntries(OWNERS.map((owner) => [owner, each])));
    await database.query("ANALYZE fabula.pieces");
    return {
      claim: () => claimPiece(database, { ...claimant, worker: "worker" }, []),
      close: () => database.close(),
    };
  },
  async turn(location) {
    const database = await opened(location, { ada: 40, ben: 1 });
    try {
      for (let place = 1; ; place++) {
        const claimed = await claimPiece(database, { ...claimant, worker: `worker ${place}` }, []);
        if (claimed?.run === "ben") return place;
      }
    } finally {
      await database.close();
    }
  },
  async staleResult(location) {
    const database = await opened(location, { ada: 1 });
    const stale = (await claimPiece(database, { ...claimant, worker: "stale" }, []))!;
    await database.query("UPDATE fabula.pieces SET state = 'queued', worker = NULL");
    await claimPiece(database, { ...claimant, worker: "other" }, []);
    await endPiece(database, stale, "stale", { result: "stale", failedCalls: 0 });
    const [row] = await database.query("SELECT state FROM fabula.pieces");
    await database.close();
    return row!.state === "done" ? "counts" : "refused";
  },
  async lostAnswer(location) {
    const database = await opened(location, { ada: 1 });
    await claimPiece(database, { ...claimant, worker: "worker" }, []);
    const again = await claimPiece(database, { ...claimant, worker: "worker" }, []);
    await database.close();
    return again ? `given again, attempt ${again.attempts}` : "not given again";
  },
  async away(location, takeAway) {
    const database = await opened(location, { ada: UNDER_WAY });
    let begun = 0;
    let ended = 0;
    const end = new AbortController();
    // Two processes would each have their own; here two members of one process stand for them.
    const members = await Promise.all(
      [1, 2].map(async () => {
        const direct = new DirectConnection(location);
        const member = await Membership.join({
          ...{ database, heartbeats: direct, version: "1", judges: null, clock: systemClock },
          onGivenUp: () => {},
        });
        const held: { run: string; position: number }[] = [];
        const loop = (async () => {
          while (!end.signal.aborted) {
            try {
              if (member.mayGiveUpOthers) await recoverPieces(database);
              const piece =
                held.length < UNDER_WAY / 2 && (await claimPiece(database, { ...claimant, worker: member.id }, held));
              if (piece) {
                begun += 1;
                held.push(piece);
                void wait(PIECE_SECONDS * 1000)
                  .then(() => endPiece(database, piece, member.id, { result: null, failedCalls: 0 }))
                  .then(() => {
                    ended += 1;
                    held.splice(held.indexOf(piece), 1);
                  });
                continue;
              }
            } catch {
              // The server is away.
            }
            await wait(500);
          }
        })();
        return { direct, member, loop };
      }),
    );
    while (begun < UNDER_WAY) await wait(100);
    await takeAway();
    while (ended < UNDER_WAY) await wait(500);
    end.abort();
    for (const { direct, member, loop } of members) {
      await loop;
      await member.leave();
      await direct.close();
    }
    await database.close();
    return `${begun - UNDER_WAY} of ${UNDER_WAY}`;
  },
  async idle(location) {
    const database = await opened(location, {});
    // Runs of another version: these workers look at them and may not take their pieces.
    for (let number = 0; number < Number(values.runs); number++)
      await openSharedRun(database, { ...common, run: `run ${number}`, owner: "ada" });
    const end = new AbortController();
    let readied = 0;
    const everyone = Array.from({ length: Number(values.workers) }, () =>
      work({
        perform: performPiece,
        ...{ location, connections: {}, judges: null, concurrency: null, untilEmpty: false, signal: end.signal },
        log: () => {},
        onReady: async () => {
          readied += 1;
        },
      }),
    );
    return {
      ready: (async () => {
        while (readied < everyone.length) await wait(100);
      })(),
      close: async () => {
        end.abort(new Error("over"));
        await Promise.all(everyone);
        await database.close();
      },
    };
  },
};

// ------------------------------------------------------------------------------------------------------------------- pg-boss

/** As often as this queue looks for workers that are gone, and as long as it waits for them. */
const HEARTBEAT_SECONDS = 15;

async function boss(location: string, isSupervisor = true): Promise<PgBoss> {
  const started = new PgBoss({
    connectionString: location,
    max: 4,
    schedule: false,
    supervise: isSupervisor,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
  });
  started.on("error", () => {});
  await started.start();
  return started;
}

const bossQueue = { heartbeatSeconds: HEARTBEAT_SECONDS, retryLimit: 2 };

const pgBoss: Engine = {
  name: "pg-boss",
  async claims(location) {
    const queue = await boss(location, false);
    await queue.createQueue("work", bossQueue);
    const [{ table }] = (await sql(location, "SELECT table_name AS table FROM pgboss.queue WHERE name = 'work'")) as [
      { table: string },
    ];
    await sql(
      location,
      `INSERT INTO pgboss.${table} (name, data, priority)
       SELECT 'work', '{}', place % ${OWNERS.length} FROM generate_series(1, ${pieces}) AS place; ANALYZE pgboss.${table}`,
    );
    return {
      claim: () => queue.fetch("work", { priority: true }),
      close: () => queue.stop({ graceful: false }),
    };
  },
  async turn(location) {
    const queue = await boss(location, false);
    await queue.createQueue("work", bossQueue);
    for (let place = 0; place < 40; place++) await queue.send("work", { owner: "ada" }, { group: { id: "ada" } });
    await queue.send("work", { owner: "ben" }, { group: { id: "ben" } });
    for (let place = 1; ; place++) {
      const [claimed] = await queue.fetch<{ owner: string }>("work");
      if (claimed?.data.owner !== "ben") continue;
      await queue.stop({ graceful: false });
      return place;
    }
  },
  async staleResult(location) {
    const queue = await boss(location);
    await queue.createQueue("work", { ...bossQueue, heartbeatSeconds: 10 });
    const id = (await queue.send("work", {}))!;
    await queue.fetch("work");
    let second: unknown[] = [];
    while (second.length === 0) {
      await wait(1000);
      second = await queue.fetch("work");
    }
    await queue.complete("work", id, { from: "stale" });
    const [found] = await queue.findJobs("work", { id });
    await queue.stop({ graceful: false });
    return found?.state === "completed" ? "counts" : "refused";
  },
  async lostAnswer(location) {
    const queue = await boss(location);
    await queue.createQueue("work", { ...bossQueue, heartbeatSeconds: 10 });
    await queue.send("work", {});
    await queue.fetch("work");
    const began = performance.now();
    for (;;) {
      const [again] = await queue.fetch("work", { includeMetadata: true });
      if (again) {
        await queue.stop({ graceful: false });
        return `given again after ${((performance.now() - began) / 1000).toFixed(0)} s (heartbeat of 10 s), attempt ${again.retryCount + 1}`;
      }
      await wait(500);
    }
  },
  async away(location, takeAway) {
    const workers = await Promise.all([boss(location), boss(location)]);
    await workers[0].createQueue("work", bossQueue);
    for (let place = 0; place < UNDER_WAY; place++) await workers[0].send("work", {});
    let begun = 0;
    for (const worker of workers)
      await worker.work("work", { localConcurrency: UNDER_WAY / 2, pollingIntervalSeconds: 0.5 }, async () => {
        begun += 1;
        await wait(PIECE_SECONDS * 1000);
      });
    while (begun < UNDER_WAY) await wait(100);
    await takeAway();
    // Until nothing is left to do, or what was lost has had its time again.
    for (let left = 1; left > 0; ) {
      await wait(1000);
      const [row] = await sql(
        location,
        "SELECT count(*)::int AS left FROM pgboss.job WHERE name = 'work' AND state IN ('created', 'retry', 'active')",
      );
      left = Number(row!.left);
    }
    for (const worker of workers) await worker.stop({ graceful: false });
    return `${begun - UNDER_WAY} of ${UNDER_WAY}`;
  },
  async idle(location) {
    const names = Array.from({ length: Number(values.runs) }, (_, number) => `run-${number}`);
    const first = await boss(location);
    for (const name of names) await first.createQueue(name, bossQueue);
    const workers = [first];
    for (let number = 1; number < Number(values.workers); number++) workers.push(await boss(location));
    for (const worker of workers) for (const name of names) await worker.work(name, async () => {});
    return {
      ready: wait(3000),
      close: async () => {
        for (const worker of workers) await worker.stop({ graceful: false });
      },
    };
  },
};

// ---------------------------------------------------------------------------------------------------------------------- DBOS

let dbosBegun = 0;
const dbosPiece = DBOS.registerWorkflow(
  async () => {
    await DBOS.runStep(
      async () => {
        dbosBegun += 1;
        await wait(PIECE_SECONDS * 1000);
      },
      { name: "work" },
    );
  },
  { name: "piece" },
);

/** It is one for each process. With `listens`, it works; otherwise only its functions are called. */
async function dbos(location: string, listens: boolean): Promise<DBOSExecutor["systemDatabase"]> {
  DBOS.setConfig({
    name: "engines",
    systemDatabaseUrl: location,
    applicationVersion: "1",
    logLevel: "error",
    ...(!listens && { listenQueues: ["nothing"] }),
  });
  await DBOS.launch();
  return DBOSExecutor.globalInstance!.systemDatabase;
}

async function dbosQueue(parameters = {}) {
  return DBOS.registerQueue("work", { workerConcurrency: 1, ...parameters });
}

type ClaimedBy = { executor: string; owner: string };
/** What its dispatcher calls: one piece for a worker that has none. */
async function dbosClaim(system: DBOSExecutor["systemDatabase"], { executor, owner }: ClaimedBy): Promise<string[]> {
  const queue = await DBOS.retrieveQueue("work");
  return system.findAndMarkStartableWorkflows(queue!, executor, "1", undefined, 0, 0, owner);
}

const dbosEngine: Engine = {
  name: "DBOS",
  async claims(location) {
    const system = await dbos(location, false);
    await dbosQueue();
    await DBOS.startWorkflow(dbosPiece, { queueName: "work" })();
    // As many copies of a row that it has written itself.
    const [row] = await sql(
      location,
      "SELECT string_agg(quote_ident(column_name), ', ') AS columns FROM information_schema.columns WHERE table_schema = 'dbos' AND table_name = 'workflow_status' AND column_name NOT IN ('workflow_uuid', 'priority') AND is_generated = 'NEVER'",
    );
    await sql(
      location,
      `INSERT INTO dbos.workflow_status (workflow_uuid, priority, ${row!.columns as string})
       SELECT 'piece ' || place, place % ${OWNERS.length}, ${row!.columns as string} FROM dbos.workflow_status, generate_series(2, ${pieces}) AS place;
       ANALYZE dbos.workflow_status`,
    );
    return { claim: () => dbosClaim(system, { executor: "worker", owner: "1" }), close: () => DBOS.shutdown() };
  },
  async turn(location) {
    const system = await dbos(location, false);
    await dbosQueue();
    for (let place = 0; place < 40; place++)
      await DBOS.startWorkflow(dbosPiece, { queueName: "work", workflowID: `ada ${place}` })();
    await DBOS.startWorkflow(dbosPiece, { queueName: "work", workflowID: "ben" })();
    for (let place = 1; ; place++) {
      if (!(await dbosClaim(system, { executor: `worker ${place}`, owner: `${place}` })).includes("ben")) continue;
      await DBOS.shutdown();
      return place;
    }
  },
  async staleResult(location) {
    const system = await dbos(location, false);
    await dbosQueue();
    await DBOS.startWorkflow(dbosPiece, { queueName: "work", workflowID: "piece" })();
    await dbosClaim(system, { executor: "stale", owner: "1" });
    await system.reenqueueWorkflowsForRecovery("stale", "1", "work");
    await dbosClaim(system, { executor: "other", owner: "2" });
    const counts = await system.recordWorkflowOutput("piece", { output: "{}" } as never, "1");
    await DBOS.shutdown();
    return counts ? "counts" : "refused";
  },
  async lostAnswer(location) {
    const system = await dbos(location, false);
    await dbosQueue();
    await DBOS.startWorkflow(dbosPiece, { queueName: "work", workflowID: "piece" })();
    await dbosClaim(system, { executor: "worker", owner: "1" });
    let again: string[] = [];
    for (let second = 0; second < 30 && again.length === 0; second++) {
      await wait(1000);
      again = await dbosClaim(system, { executor: "worker", owner: "2" });
    }
    await DBOS.shutdown();
    return again.length > 0 ? "given again" : "not given again within 30 s, the worker alive";
  },
  async away(location, takeAway) {
    await dbos(location, true);
    await dbosQueue({ workerConcurrency: UNDER_WAY, minPollingIntervalMs: 500 });
    dbosBegun = 0;
    const handles = [];
    for (let place = 0; place < UNDER_WAY; place++)
      handles.push(await DBOS.startWorkflow(dbosPiece, { queueName: "work" })());
    while (dbosBegun < UNDER_WAY) await wait(100);
    await takeAway();
    for (;;) {
      await wait(1000);
      const [row] = await sql(
        location,
        "SELECT count(*)::int AS left FROM dbos.workflow_status WHERE status IN ('ENQUEUED', 'PENDING')",
      );
      if (Number(row!.left) === 0) break;
    }
    const [row] = await sql(
      location,
      "SELECT count(*)::int AS failed FROM dbos.workflow_status WHERE status <> 'SUCCESS'",
    );
    await DBOS.shutdown();
    return `${dbosBegun - UNDER_WAY} of ${UNDER_WAY}, ${row!.failed as number} failed (it declares no worker gone: that would be ours)`;
  },
  async idle(location) {
    await dbos(location, false);
    for (let number = 0; number < Number(values.runs); number++) await DBOS.registerQueue(`run-${number}`, {});
    await DBOS.shutdown();
    const children: ChildProcess[] = [];
    const ready: Promise<unknown>[] = [];
    for (let number = 0; number < Number(values.workers); number++) {
      const child = spawn(
        process.execPath,
        [...process.execArgv, fileURLToPath(import.meta.url), "--dbos-worker", location],
        { stdio: ["ignore", "pipe", "inherit"] },
      );
      children.push(child);
      ready.push(once(child.stdout!, "data"));
    }
    return {
      ready: Promise.all(ready).then(() => wait(3000)),
      close: async () => {
        const gone = children.map((child) => once(child, "close"));
        for (const child of children) child.kill("SIGKILL");
        await Promise.all(gone);
      },
    };
  },
};

// --------------------------------------------------------------------------------------------------------------------- table

async function compare(engine: Engine, postgres: TestPostgres): Promise<void> {
  const only = values.only.split(",");
  const show = async (name: string, what: string, answer: (location: string) => Promise<string>) => {
    if (!only.includes(name)) return;
    console.log(`${engine.name.padEnd(8)} ${what.padEnd(40)} ${await answer(await postgres.freshDatabase())}`);
  };
  await show("claim", `claim at ${pieces.toLocaleString("en-GB")} pieces, with priority`, async (location) => {
    const filled = await engine.claims(location);
    const spent: number[] = [];
    for (let number = 0; number < Number(values.claims); number++) {
      const began = performance.now();
      await filled.claim();
      spent.push(performance.now() - began);
    }
    await filled.close();
    spent.sort((left, right) => left - right);
    return `${spent[Math.floor(spent.length / 2)]!.toFixed(1)} ms`;
  });
  await show(
    "turn",
    "turn of a second owner's only piece",
    async (location) => `number ${await engine.turn(location)}`,
  );
  await show("stale", "a stale worker's result", engine.staleResult);
  await show("lost", "the claim's answer lost", engine.lostAnswer);
  await show("away", `PostgreSQL away for ${values.away} s, begun again`, (location) =>
    engine.away(location, async () => {
      await wait(3000);
      await postgres.stop();
      await wait(Number(values.away) * 1000);
      await postgres.start();
    }),
  );
  await show("idle", `idle, ${values.workers} workers, ${values.runs} runs`, async (location) => {
    const idle = await engine.idle(location);
    await idle.ready;
    const { transactionsPerSecond, processorShare } = await serverLoad(location, 15);
    await idle.close();
    return `${transactionsPerSecond.toFixed(0)} transactions a second, ${(processorShare * 100).toFixed(0)} % of a core`;
  });
}

if (values["dbos-worker"]) {
  await dbos(values["dbos-worker"], true);
  console.log("ready");
} else {
  const wanted = values.engine.split(",").map((name) => name.toLowerCase());
  const postgres = await startPostgres({ durable: true });
  try {
    for (const engine of [fabula, pgBoss, dbosEngine])
      if (wanted.includes(engine.name.toLowerCase())) await compare(engine, postgres);
  } finally {
    await postgres.close();
  }
}
