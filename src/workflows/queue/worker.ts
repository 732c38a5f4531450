import { systemClock } from "../../core/clock.ts";
import { FabulaError } from "../../core/errors.ts";
import type { ModelConnections } from "../../models/create-chat-model.ts";
import { redact } from "../../models/redact.ts";
import { Membership } from "../../runner/shared/membership.ts";
import { SharedCoordination } from "../../runner/shared/shared-coordination.ts";
import { Database } from "../../store/postgres/database.ts";
import { postgresStore } from "../../store/postgres/postgres-store.ts";
import { Desk } from "./desk.ts";
import { aloneOn, openEntrance, queueFor, startEngine } from "./engine.ts";
import { History } from "./history.ts";
import { countUnfinished } from "./pieces.ts";
import { queueVersion } from "./queue-version.ts";
import { Recovery } from "./recovery.ts";
import type { WorkerListener } from "./worker-events.ts";
import { WorkerMetrics } from "./worker-metrics.ts";

export interface WorkerOptions {
  readonly location: string;
  readonly connections: ModelConnections;
  /** Work that needs other models is left to others; null: any work. */
  readonly judges: readonly string[] | null;
  /** Calls at a time of this worker, to each provider. */
  readonly concurrency: number | null;
  /** How long the queue remembers pieces that ended. */
  readonly historyHours: number;
  /** End when there is nothing left to do. */
  readonly untilEmpty: boolean;
  readonly signal: AbortSignal;
  readonly log: WorkerListener;
  /** Told when the worker is ready, with what it can be watched by. */
  readonly onReady?: (worker: WatchedWorker) => Promise<void>;
}

export interface WatchedWorker {
  readonly id: string;
  readonly version: string;
  metrics(): Promise<string>;
  isHealthy(): boolean;
}

const LOOK_EVERY_MILLISECONDS = 1000;
const RECOVER_EVERY_LOOKS = 3;
const FORGET_EVERY_LOOKS = 600;
const CONNECTIONS = 6;
const MOST_JUDGES = 8;

/** Joins the queue and works until told to stop, until there is nothing left when asked so, or until it cannot go on. */
export async function work(options: WorkerOptions): Promise<void> {
  const { location, log, signal } = options;
  const queues = queuesFor(options.judges);
  const version = await queueVersion();
  const ending = new AbortController();
  const endBecause = (error: FabulaError) => ending.abort(error);
  // What was opened is closed the other way round, however far it went: whatever stays open keeps the process alive.
  const atEnd: (() => Promise<void>)[] = [];
  const database = new Database(location, { connections: CONNECTIONS });
  await database.open();
  atEnd.unshift(() => database.close());
  try {
    const store = postgresStore(database);
    const member = await Membership.join({
      database,
      version,
      judges: options.judges,
      clock: systemClock,
      onGivenUp: () =>
        endBecause(new FabulaError("E_WORKER_SILENT", "The other workers have given this one up: start it again.")),
    });
    atEnd.unshift(() => member.leave().catch(() => {}));
    const shared = new SharedCoordination({ database, member, clock: systemClock, concurrency: options.concurrency });
    atEnd.unshift(() => shared.close());
    const entrance = await openEntrance(location, aloneOn(database), () => {});
    atEnd.unshift(() => entrance.close());
    const metrics = new WorkerMetrics();
    const desk = new Desk({
      location,
      connections: options.connections,
      log,
      database,
      store,
      entrance,
      shared,
      metrics,
      worker: member.id,
      endBecause,
    });
    const engine = await startEngine({
      location,
      worker: member.id,
      version,
      queues,
      perform: (piece) => desk.perform(piece),
      alone: aloneOn(database),
      log: (level, detail) => log({ level, event: "queue", detail }),
    });
    atEnd.unshift(async () => {
      log({ level: "info", event: "draining", detail: `${desk.underWay.size} pieces under way` });
      await member.drain().catch(() => {});
      const stopped = engine.stop();
      desk.stop();
      await stopped;
    });
    log({ level: "info", event: "ready", detail: `${member.id}, version ${version}` });
    await options.onReady?.({
      id: member.id,
      version,
      isHealthy: () => member.counts,
      metrics: async () =>
        metrics.text([
          { name: "fabula_pieces_under_way", labels: {}, value: desk.underWay.size },
          { name: "fabula_pieces_unfinished", labels: {}, value: await countUnfinished(database, version) },
          ...shared.load().flatMap(({ provider, underWay, waits }) => [
            { name: "fabula_calls_under_way", labels: { provider }, value: underWay },
            { name: "fabula_rate_waits", labels: { provider }, value: waits },
          ]),
        ]),
    });
    const recovery = new Recovery(database, engine, member.id);
    const history = new History(database, entrance, options.historyHours);
    await watch({ desk, database, recovery, history, version, options, ending: ending.signal });
  } finally {
    for (const close of atEnd) await close();
    log({ level: "info", event: "ended" });
  }
  if (!signal.aborted && ending.signal.aborted) throw ending.signal.reason;
}

/** Looks after the work of others and of this worker until it is time to end. */
async function watch(context: {
  desk: Desk;
  database: Database;
  recovery: Recovery;
  history: History;
  version: string;
  options: WorkerOptions;
  ending: AbortSignal;
}): Promise<void> {
  const { desk, database, recovery, history, version, options, ending } = context;
  const end = AbortSignal.any([options.signal, ending]);
  let idle = 0;
  for (let look = 1; !end.aborted; look++) {
    await systemClock.sleep(LOOK_EVERY_MILLISECONDS, end).catch(() => {});
    if (end.aborted) return;
    try {
      await desk.leaveClosedRuns();
      if (look % RECOVER_EVERY_LOOKS === 0) {
        for (const dead of await recovery.look(desk.underWay)) {
          options.log({ level: "warning", event: "recovered", detail: `the pieces of ${dead}, which is gone` });
        }
      }
      if (look % FORGET_EVERY_LOOKS === 1) {
        const forgotten = await history.forget(systemClock.now());
        if (forgotten > 0) options.log({ level: "info", event: "forgotten", detail: `${forgotten} pieces that ended` });
      }
      if (!options.untilEmpty) continue;
      idle = desk.underWay.size === 0 && (await countUnfinished(database, version)) === 0 ? idle + 1 : 0;
      if (idle >= 2) return;
    } catch (error) {
      // The store may come back; pieces under way notice by themselves when it does not.
      options.log({
        level: "warning",
        event: "watch",
        detail: redact(error instanceof Error ? error.message : String(error)),
      });
    }
  }
}

/** Every set of these models that work may need. */
function queuesFor(judges: readonly string[] | null): string[] | null {
  if (!judges) return null;
  if (judges.length > MOST_JUDGES) {
    throw new FabulaError("E_USAGE", `--judges takes up to ${MOST_JUDGES} models: leave it out to take any work.`);
  }
  const sets: string[][] = [[]];
  for (const judge of judges) sets.push(...sets.map((set) => [...set, judge]));
  return sets.map((set) => queueFor(set.filter((judge) => judge !== "pocket")));
}
