import { FabulaError } from "../core/errors.ts";
import { isPostgres } from "../store/postgres/address.ts";
import type { Database } from "../store/postgres/database.ts";
import { closeSharedRun, setSharedRunState, sharedRunState } from "./shared-runs.ts";

/** The workers finish the calls they have sent and leave the rest until the run is unpaused. */
export function pauseRun(location: string, run: string): Promise<void> {
  return changeState(location, run, "paused");
}

export function unpauseRun(location: string, run: string): Promise<void> {
  return changeState(location, run, "open");
}

/** Ends a run before its last piece: the workers finish the calls they have sent, and what was answered stays in the store. */
export function cancelRun(location: string, run: string): Promise<void> {
  return onSharedRun(location, run, async (database) => {
    const { postgresStore } = await import("../store/postgres/postgres-store.ts");
    const isCancelled = await closeSharedRun(database, run, {
      from: ["open", "paused"],
      record: () =>
        postgresStore(database).updateRun(run, {
          status: "interrupted",
          note: CANCELLED,
          finishedAt: new Date().toISOString(),
        }),
    });
    // The run ended at this very moment.
    if (!isCancelled) throw isOver(run);
  });
}

export const CANCELLED = "cancelled";

function isOver(run: string): FabulaError {
  return new FabulaError("E_RUN_OVER", `The run ${run} has already ended.`);
}

function changeState(location: string, run: string, state: "open" | "paused"): Promise<void> {
  return onSharedRun(location, run, (database) => setSharedRunState(database, run, state));
}

async function onSharedRun(
  location: string,
  run: string,
  change: (database: Database) => Promise<void>,
): Promise<void> {
  if (!isPostgres(location)) {
    throw new FabulaError(
      "E_RUN_NOT_SHARED",
      "Only runs on a shared store can be paused or cancelled: give it with --store postgres://….",
    );
  }
  const { Database: Connections } = await import("../store/postgres/database.ts");
  const database = new Connections(location, { connections: 2 });
  await database.open();
  try {
    const current = await sharedRunState(database, run);
    if (current === null)
      throw new FabulaError(
        "E_RUN_NOT_SHARED",
        `The run "${run}" was not queued for workers: see \`fabula runs list\`.`,
      );
    if (current === "closed" || current === "ended") throw isOver(run);
    await change(database);
  } finally {
    await database.close();
  }
}
