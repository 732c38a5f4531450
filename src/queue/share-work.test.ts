import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startPostgres, type TestPostgres } from "../../test/support/postgres.ts";
import { inRun, type RunSettings } from "../runner/open-run.ts";
import { registerWorker } from "../runner/shared/membership.ts";
import { Database } from "../store/postgres/database.ts";
import { claimPiece, endPiece } from "./pieces.ts";
import { queueVersion } from "./queue-version.ts";
import { type SharedResult, shareWork } from "./share-work.ts";
import { openSharedRun } from "./shared-runs.ts";

let postgres: TestPostgres;
let database: Database;
let location: string;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());
beforeEach(async () => {
  location = await postgres.freshDatabase();
  database = new Database(location, { connections: 2 });
  await database.open();
  return () => database.close();
});

const { signal } = new AbortController();

function share(settings: Partial<RunSettings>, detach: boolean, assemble: (shared: SharedResult) => Promise<unknown>) {
  return shareWork(
    { kind: "any", options: {}, models: [], pieces: [{ label: "piece", data: 0 }] },
    {
      settings: { store: location, connections: {}, ...settings },
      ...{ signal, detach, owner: "", priority: 0, onProgress: () => {}, onNote: () => {} },
    },
    assemble,
  );
}

/** Does the only piece, with a call that got no answer: it is queued again when its run is resumed. */
async function doWithGap(): Promise<void> {
  const worker = "w";
  const claimant = { worker, version: await queueVersion(), judges: null };
  await registerWorker(database, { id: worker, version: claimant.version, judges: null });
  await expect
    .poll(
      async () => {
        const piece = await claimPiece(database, claimant, []);
        if (piece) await endPiece(database, piece, worker, { result: 0, failedCalls: 1 });
        return piece !== null;
      },
      { timeout: 20_000 },
    )
    .toBe(true);
}

async function recordOf(run: string): Promise<unknown> {
  const [record] = await database.query("SELECT status, note, finished_at FROM fabula.runs WHERE id = $1", [run]);
  return record;
}

/** As another command does it; the workers continue with the run. */
const resume = (run: string) => share({ resume: run }, true, async () => null);

const UNDER_WAY = { status: "running", note: null, finished_at: null };

it("a command that reads the result of a run does not record its end if another resumed it meanwhile", async () => {
  let run = "";
  const waiting = share({}, false, (shared) => {
    run = shared.run;
    return inRun(shared.settings, { signal }, async () => {
      await resume(run);
      for await (const _ of shared.results());
    });
  });
  await Promise.all([expect(waiting).rejects.toMatchObject({ code: "E_RUN_BUSY" }), doWithGap()]);
  expect(await recordOf(run)).toEqual(UNDER_WAY);
});

it("a reader that ends just after another command resumed the run records no end of it", async () => {
  let run = "";
  const waiting = share({}, false, async (shared) => {
    run = shared.run;
    const { run: finished } = await inRun(shared.settings, { signal }, async () => {
      for await (const _ of shared.results());
      await resume(run);
    });
    expect(finished.status).toBe("done");
    expect(await recordOf(run)).toEqual(UNDER_WAY);
  });
  await Promise.all([waiting, doWithGap()]);
  expect(await recordOf(run)).toEqual(UNDER_WAY);
});

it("a run is under way again as soon as it is open to the workers, whatever was recorded since its resumption began", async () => {
  let run = "";
  const ended = { status: "done", note: null, finishedAt: "2026-01-01T00:00:00.000Z" } as const;
  const waiting = share({}, false, async (shared) => {
    run = shared.run;
    await shared.settings.part?.recordEnd?.(ended);
    expect(await recordOf(run)).toMatchObject({ status: "done" });
    await openSharedRun(database, {
      run,
      version: await queueVersion(),
      ...{ owner: "", priority: 0, maximumCost: null, spentBefore: 0, limits: [] },
      job: { kind: "any", options: {}, models: [], prices: null, refresh: false, pace: {} },
    });
    expect(await recordOf(run)).toEqual(UNDER_WAY);
  });
  await Promise.all([waiting, doWithGap()]);
  expect(await recordOf(run)).toEqual(UNDER_WAY);
});

it("a run without models that another command resumed after its result was read is not recorded as done", async () => {
  let run = "";
  const waiting = share({}, false, async (shared) => {
    run = shared.run;
    for await (const _ of shared.results());
    await resume(run);
  });
  await Promise.all([waiting, doWithGap()]);
  expect(await recordOf(run)).toEqual(UNDER_WAY);
});
