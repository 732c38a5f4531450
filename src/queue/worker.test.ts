import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startPostgres, type TestPostgres } from "../../test/support/postgres.ts";
import { openRun } from "../runner/open-run.ts";
import { Database } from "../store/postgres/database.ts";
import { createSimulatedServer, type SimulatedServer } from "../testing/index.ts";
import { adviceOn, commandsFor } from "./advice.ts";
import type { PerformPiece } from "./job.ts";
import { progressOf } from "./progress.ts";
import { queueVersion } from "./queue-version.ts";
import { openSharedRun, queuePieces } from "./shared-runs.ts";
import { work } from "./worker.ts";
import type { WorkerEvent } from "./worker-events.ts";

let postgres: TestPostgres;
let server: SimulatedServer;
let location: string;
let database: Database;
beforeAll(async () => {
  [postgres, server] = await Promise.all([startPostgres(), createSimulatedServer()]);
});
afterAll(async () => {
  await server.close();
  await postgres.close();
});
beforeEach(async () => {
  location = await postgres.freshDatabase();
  database = new Database(location, { connections: 3 });
  await database.open();
  return () => database.close();
});

async function queued(run: string, models: readonly string[], pieces = 2): Promise<void> {
  await database.query(
    `INSERT INTO fabula.runs (id, command, folder, status, started_at, worker, seen_at)
     VALUES ($1, '[]', '', 'running', '2026-01-01', 'w', '2026-01-01')`,
    [run],
  );
  const version = await queueVersion();
  const asked = models.map((id) => ({ id, origin: null }));
  const job = { kind: "any", options: {}, models: asked, prices: null, refresh: false, pace: {} };
  await openSharedRun(database, {
    run,
    version,
    owner: "",
    priority: 0,
    job,
    maximumCost: null,
    spentBefore: 0,
    limits: [],
  });
  const drafts = Array.from({ length: pieces }, (_, at) => ({ label: `piece ${at}`, data: at }));
  await queuePieces(database, { id: run, version }, drafts, () => {});
}

async function drained(perform: PerformPiece, judges: readonly string[] | null = null): Promise<WorkerEvent[]> {
  const events: WorkerEvent[] = [];
  const { signal } = new AbortController();
  const { connections } = server;
  await work({
    ...{ perform, location, connections, judges, signal },
    concurrency: null,
    untilEmpty: true,
    log: (event) => events.push(event),
  });
  return events;
}

it("leaves a run that this worker cannot do, with the reason, and continues with the others", async () => {
  await queued("elsewhere", ["openai:gpt-4.1"]);
  await queued("fine", []);
  const events = await drained(async () => "done");
  expect((await progressOf(database, "fine"))!.pieces).toMatchObject({ done: 2, queued: 0 });
  const refused = events.filter(({ event }) => event === "refused");
  expect(refused).not.toEqual([]);
  for (const event of refused) {
    expect(event).toMatchObject({ run: "elsewhere", detail: expect.stringContaining("usual address") });
  }
  const progress = (await progressOf(database, "elsewhere"))!;
  expect(progress).toMatchObject({ pieces: { queued: 2, done: 0, failed: 0 }, refusals: [{ isPresent: false }] });
  expect(progress.refusals[0]!.reason).toBe(refused[0]!.detail);
  // While the worker is connected, whoever waits for the run sees this.
  await database.query("UPDATE fabula.workers SET state = 'working'");
  const advice = adviceOn(commandsFor("elsewhere", {}), (await progressOf(database, "elsewhere"))!);
  expect(advice).toContain("unable to do this");
  expect(advice).toContain("usual address");
});

it("asks only models that its run was queued for and that the worker may ask, whatever a piece names", async () => {
  const [named, other] = [server.judge("named"), server.judge("other")];
  await queued("run", [named], 1);
  const perform =
    (name: string): PerformPiece =>
    async (_job, _data, { settings, services }) => {
      const run = await openRun(settings, services);
      try {
        const model = await run.model(name);
        await model.complete(
          { purpose: "judge", sample: 0, maximumTokens: 9, messages: [{ role: "user", content: "Well?" }] },
          services.signal,
        );
      } finally {
        await run.finish();
      }
    };
  await drained(perform(other), [named]);
  const { pieces, failures } = (await progressOf(database, "run"))!;
  expect(pieces.failed).toBe(1);
  expect(failures[0]!.reason).toContain("not among the models");
  expect(server.exchanges).toHaveLength(0);
  await queued("again", [named], 1);
  await drained(perform(named), [named]);
  expect((await progressOf(database, "again"))!.pieces.done).toBe(1);
});

it("leaves a run in which the provider refused the key of one piece, and judges each piece by its own calls", async () => {
  await queued("run", [], 3);
  const pieces = async () => (await progressOf(database, "run"))!.pieces;
  let refuse = () => {};
  const refused = new Promise<void>((resolve) => {
    refuse = resolve;
  });
  const perform: PerformPiece = async (_job, data, { services }) => {
    const emit = services.onEvent!;
    if (data === 1) {
      emit({ kind: "provider-down", provider: "p", reason: "p refused the key.", refusesKey: true });
      refuse();
      await expect.poll(async () => (await pieces()).done).toBe(1);
      throw new Error("No more calls go to p.");
    }
    await refused;
    // The first had all its answers before the key was refused; the last has one unusable answer, of which no key is the reason.
    if (data === 2) {
      await expect.poll(async () => (await pieces()).queued).toBe(1);
      emit({ kind: "failed", model: "m", reason: "no usable answer" });
    }
    return data;
  };
  const events = await drained(perform);
  expect(await pieces()).toMatchObject({ done: 2, withGaps: 1, failed: 0, queued: 1 });
  expect(events.filter(({ event }) => event === "refused")).toMatchObject([{ piece: 1, detail: "p refused the key." }]);
});
