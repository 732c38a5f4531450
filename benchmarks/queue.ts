/**
 * What the queue costs with many pieces, on a PostgreSQL that writes to disk: claiming and ending a piece, looking at a run's
 * progress, and declaring workers gone, with the pieces in three runs of three owners. Then 2,000 pieces are worked through
 * to the end of their run.
 *
 *   npx tsx benchmarks/queue.ts [--pieces 500,500000,1000000] [--claims 1000]
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import {
  claimPiece,
  countUnfinished,
  endAndClaim,
  endPiece,
  type PieceName,
  recoverPieces,
} from "../src/queue/pieces.ts";
import { progressOf } from "../src/queue/progress.ts";
import { openSharedRun, queuePieces, sharedRunState } from "../src/queue/shared-runs.ts";
import { Database } from "../src/store/postgres/database.ts";
import { startPostgres } from "../test/support/postgres.ts";

const { values } = parseArgs({
  options: {
    pieces: { type: "string", default: "500,500000,1000000" },
    claims: { type: "string", default: "1000" },
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
