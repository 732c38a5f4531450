/**
 * What the queue costs with many pieces, on a PostgreSQL that writes to disk: claiming and ending a piece, looking at a run's
 * progress, and declaring workers gone, with the pieces in three runs of three owners. Then 2,000 pieces are worked through
 * to the end of their run. With --whole a command queues so many pieces and waits, a worker does some of them, all but the last are
 * then declared done, and the last one ends the run: how long the result takes, and what memory the command, the worker and the server
 * take. It needs the build.
 *
 *   npx tsx benchmarks/queue.ts [--pieces 500,500000,1000000] [--claims 1000] [--whole 500,1000000]
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { writeJsonLines } from "../src/core/json-lines.ts";
import {
  claimPiece,
  countUnfinished,
  endAndClaim,
  endPiece,
  type PieceName,
  recoverPieces,
} from "../src/queue/pieces.ts";
import { progressOf } from "../src/queue/progress.ts";
import { queueVersion } from "../src/queue/queue-version.ts";
import { shareWork } from "../src/queue/share-work.ts";
import { openSharedRun, queuePieces, sharedRunState } from "../src/queue/shared-runs.ts";
import { Database } from "../src/store/postgres/database.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { startWorker } from "../test/support/worker-process.ts";
import { startChild } from "./support/child.ts";
import { parentOf, processorSeconds, serverMegabytes, startServer } from "./support/server-process.ts";

const { values } = parseArgs({
  options: {
    pieces: { type: "string", default: "500,500000,1000000" },
    claims: { type: "string", default: "1000" },
    whole: { type: "string", default: "" },
    // What the benchmark starts itself with, to be the command that waits.
    command: { type: "string" },
  },
});
const claims = Number(values.claims);
/** A piece is at least one call; most have many. */
const SHORTEST_PIECE_MILLISECONDS = 300;
const OWNERS = ["ada", "ben", "chi"];
const job = { kind: "score-items", options: {}, models: [], prices: null, refresh: false, pace: {} };
const common = { version: "1", job, priority: 0, maximumCost: null, spentBefore: 0, limits: [] };
/** How a piece ends. */
const done = { result: null, failedCalls: 0 };
const claimant = { worker: "benchmark", version: "1", judges: null };

/** Seconds that a process has been on a processor, where the system says so. */
function onProcessor(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e9;
  } catch {
    return Number.NaN;
  }
}

interface Timed {
  /** In milliseconds, as "median (95 of 100)", and how long the server's process worked on it, on average. */
  readonly shown: string;
  readonly median: number;
}

async function timed(database: Database, times: number, work: (index: number) => Promise<unknown>): Promise<Timed> {
  const [row] = await database.query("SELECT pg_backend_pid() AS pid");
  const before = onProcessor(Number(row!.pid));
  const spent: number[] = [];
  for (let index = 0; index < times; index++) {
    const started = performance.now();
    await work(index);
    spent.push(performance.now() - started);
  }
  spent.sort((left, right) => left - right);
  const processor = ((onProcessor(Number(row!.pid)) - before) / times) * 1000;
  const [median, most] = [spent[Math.floor(times / 2)]!, spent[Math.floor(times * 0.95)]!];
  return { median, shown: `${median.toFixed(1)} (${most.toFixed(1)}) ms, ${processor.toFixed(2)} ms` };
}

/** How long the worker works while its memory is watched. */
const WORKED_MILLISECONDS = 20_000;
const MEGABYTE = 1024 * 1024;

/** What the command that waits says of itself. */
interface Said {
  readonly stage: "queued" | "fetching" | "fetched" | "closed";
  /** What it holds, and the most it has held. */
  readonly megabytes: number;
  readonly peakMegabytes: number;
  /** Seconds that it has been on a processor: beside other work the time that passes says little. */
  readonly processor: number;
}

/** Queues so many pieces with a question each, waits for them, and writes what they returned to a file. */
async function waitFor(store: string, url: string, pieces: number, file: string): Promise<void> {
  const say = (stage: Said["stage"]) => {
    const [megabytes, peakMegabytes] = [process.memoryUsage().rss / MEGABYTE, process.resourceUsage().maxRSS / 1024];
    const { user, system } = process.cpuUsage();
    process.send?.({ stage, megabytes, peakMegabytes, processor: (user + system) / 1e6 } satisfies Said);
  };
  const model = `m@${url}/v1`;
  function* drafts() {
    for (let index = 0; index < pieces; index++) {
      const qas = [{ question: `Who waits at the harbour in chapter ${index}?`, answers: ["nobody"] }];
      const title = `The Book of Number ${index}`;
      yield { label: title, data: { document: { document_id: `book-${index}`, title, summary: "", qas }, text: null } };
    }
  }
  let isQueued = false;
  await shareWork(
    {
      kind: "answer-questions",
      options: { model, setting: "closed", passageCount: 5 },
      models: [model],
      pieces: drafts(),
    },
    {
      settings: { store, command: [], folder: ".", connections: {}, concurrency: 50 },
      signal: new AbortController().signal,
      ...{ detach: false, owner: "ada", priority: 0, onNote: () => {} },
      onProgress: ({ stage }) => {
        if (stage !== "Pieces" || isQueued) return;
        isQueued = true;
        say("queued");
      },
    },
    async ({ results }) => {
      say("fetching");
      await writeJsonLines(file, results());
      say("fetched");
    },
  );
  say("closed");
  process.disconnect();
}

/** A run of so many pieces from the queue to its end, with a command, a worker and a server of their own. */
async function wholeRun(pieces: number): Promise<void> {
  const postgres = await startPostgres({ durable: true });
  const server = await startServer({ latency: SHORTEST_PIECE_MILLISECONDS });
  const folder = await mkdtemp(join(tmpdir(), "fabula-benchmark-"));
  const store = await postgres.freshDatabase();
  const database = new Database(store, { connections: 1 });
  await database.open();
  const [session] = await database.query("SELECT pg_backend_pid() AS pid");
  const main = parentOf(Number(session!.pid));
  let serverPeak = 0;
  const watching = setInterval(() => {
    serverPeak = Math.max(serverPeak, serverMegabytes(main));
  }, 250);
  const command = startChild(
    "../queue.ts",
    "--command",
    JSON.stringify([store, server.url, pieces, join(folder, "out.jsonl")]),
  );
  const moments = new Map<Said["stage"], Said & { at: number; server: number }>();
  command.on("message", (said: Said) =>
    moments.set(said.stage, { ...said, at: performance.now(), server: processorSeconds(main) }),
  );
  try {
    const started = performance.now();
    const reached = async (stage: Said["stage"]) => {
      while (!moments.has(stage)) {
        if (command.exitCode !== null) throw new Error(`the command ended with ${command.exitCode}`);
        await wait(20);
      }
      return moments.get(stage)!;
    };
    const queued = await reached("queued");
    const queueingServer = serverPeak;
    serverPeak = 0;
    const worker = startWorker(store);
    await wait(WORKED_MILLISECONDS);
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${worker.child.pid}/status`, "utf8"))?.[1];
    worker.child.kill("SIGTERM");
    await worker.ended;
    const workingServer = serverPeak;
    const worked = worker.log.filter(({ event }) => event === "done").length;
    // As if workers had done them: a result as long as an answer of a sentence or two.
    const result = JSON.stringify([{ kind: "answered", prediction: "x".repeat(300) }]);
    await database.transaction(async (client) => {
      await client.query("ALTER TABLE fabula.pieces DISABLE TRIGGER USER");
      await client.query(
        `UPDATE fabula.pieces SET state = 'done', worker = 'benchmark', result = $1
         WHERE state = 'queued' AND position < (SELECT max(position) FROM fabula.pieces)`,
        [result],
      );
      await client.query("UPDATE fabula.run_progress SET done = done + queued - 1, queued = 1");
      await client.query("ALTER TABLE fabula.pieces ENABLE TRIGGER USER");
    });
    await database.query("VACUUM ANALYZE fabula.pieces");
    const able = { ...claimant, version: await queueVersion() };
    const last = (await claimPiece(database, able, []))!;
    serverPeak = 0;
    const ending = performance.now();
    await endPiece(database, last, able.worker, done);
    const ended = performance.now();
    const state = await sharedRunState(database, last.run);
    const [fetching, fetched, closed] = [await reached("fetching"), await reached("fetched"), await reached("closed")];
    const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(1)} s`;
    const memory = (one: Said) => `${one.megabytes.toFixed(0)} MB, at most ${one.peakMegabytes.toFixed(0)} MB`;
    const begun = { at: started, processor: 0, server: 0 };
    const took = (from: typeof begun, to: typeof begun) =>
      `${seconds(from.at, to.at)}, on a processor ${(to.processor - from.processor).toFixed(1)} s, the server ${(to.server - from.server).toFixed(1)} s`;
    console.log(
      `${pieces.toLocaleString("en-GB")} pieces of one run, from the command that queues them to its result:`,
    );
    console.log(`  queued in                     ${took(begun, queued)}; the command holds ${memory(queued)}`);
    console.log(`  a worker, after ${worked} pieces      at most ${(Number(peak) / 1024).toFixed(0)} MB`);
    console.log(`  the last piece ends in        ${(ended - ending).toFixed(1)} ms; the run is then ${state}`);
    console.log(`  …until the command knows      ${seconds(ended, fetching.at)}`);
    console.log(`  the result is written in      ${took(fetching, fetched)}; the command holds ${memory(fetched)}`);
    console.log(`  the run's inputs are gone in  ${took(fetched, closed)}`);
    console.log(
      `  the server, at most           ${[queueingServer, workingServer, serverPeak].map((one) => one.toFixed(0)).join(", ")} MB while it is queued, worked on, and fetched`,
    );
    if (command.exitCode === null) await once(command, "exit");
  } finally {
    clearInterval(watching);
    command.kill();
    server.close();
    await database.close();
    await postgres.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureQueue(): Promise<void> {
  const postgres = await startPostgres({ durable: true });
  try {
    console.log("median (95 of 100), and processor time of the server; one connection, one piece at a time");
    for (const pieces of values.pieces.split(",").map(Number)) {
      const database = new Database(await postgres.freshDatabase(), { connections: 1 });
      await database.open();
      await database.query("INSERT INTO fabula.inputs VALUES ('input', '{}')");
      const queueing = performance.now();
      for (const owner of OWNERS) {
        await openSharedRun(database, { ...common, run: owner, owner });
        await database.query(
          `INSERT INTO fabula.pieces (run_id, position, input, label, state)
           SELECT $1, place, 'input', 'piece ' || place, 'queued' FROM generate_series(0, $2::int - 1) AS place`,
          [owner, Math.ceil(pieces / OWNERS.length)],
        );
      }
      await database.query("ANALYZE fabula.pieces");
      const queued = (performance.now() - queueing) / 1000;
      const times = Math.min(claims, Math.floor(pieces / 6));
      const apart = await timed(database, times, async () => {
        const piece = (await claimPiece(database, claimant, []))!;
        await endPiece(database, piece, claimant.worker, done);
      });
      // As a worker does it.
      let piece = (await claimPiece(database, claimant, []))!;
      const atOnce = await timed(database, times, async () => {
        piece = (await endAndClaim(database, piece, done, claimant, []))!;
      });
      const held: PieceName[] = [piece];
      const pure = await timed(database, Math.min(times, 200), async () => {
        held.push((await claimPiece(database, claimant, held))!);
      });
      const look = await timed(database, 200, () => progressOf(database, "ada"));
      const unfinished = await timed(database, 200, () => countUnfinished(database, claimant));
      const recovering = await timed(database, 50, () => recoverPieces(database));
      console.log(`${pieces.toLocaleString("en-GB")} pieces, queued in ${queued.toFixed(1)} s:`);
      console.log(`  claim                         ${pure.shown}`);
      console.log(`  claim, then end               ${apart.shown}`);
      console.log(`  end and claim the next at once ${atOnce.shown}`);
      const share = atOnce.median / (atOnce.median + SHORTEST_PIECE_MILLISECONDS);
      console.log(
        `  …of the time of one piece after the other, each a single call of 300 ms: ${(share * 100).toFixed(1)} %`,
      );
      console.log(`  progress of a run             ${look.shown}`);
      console.log(`  what is left, for a worker    ${unfinished.shown}`);
      console.log(`  look for workers that are gone ${recovering.shown}`);
      await database.close();
    }
    const database = new Database(await postgres.freshDatabase(), { connections: 8 });
    await database.open();
    await openSharedRun(database, { ...common, run: "whole", owner: "ada" });
    const drafts = Array.from({ length: 2000 }, (_, index) => ({ label: `piece ${index}`, data: { index } }));
    await queuePieces(database, { id: "whole", version: "1" }, drafts, () => {});
    const started = performance.now();
    await Promise.all(
      Array.from({ length: 4 }, async (_, index) => {
        const worker = `worker ${index}`;
        for (;;) {
          let piece = await claimPiece(database, { ...claimant, worker }, []);
          if (!piece) return;
          while (piece) piece = await endAndClaim(database, piece, done, { ...claimant, worker }, []);
        }
      }),
    );
    const seconds = (performance.now() - started) / 1000;
    console.log(
      `2,000 pieces of one run by four workers at once: ${(2000 / seconds).toFixed(0)} claimed and ended a second; the run is then ${await sharedRunState(database, "whole")}`,
    );
    await database.close();
  } finally {
    await postgres.close();
  }
}

if (values.command !== undefined) {
  await waitFor(...(JSON.parse(values.command) as Parameters<typeof waitFor>));
} else {
  if (values.pieces !== "") await measureQueue();
  for (const pieces of values.whole.split(",").filter((one) => one !== "")) await wholeRun(Number(pieces));
}
