import { FabulaError } from "../../core/errors.ts";
import { isPostgres } from "../../store/postgres/address.ts";
import { setSharedRunState, sharedRunState } from "./shared-runs.ts";

/** The workers finish the calls they have sent and leave the rest until the run is unpaused. */
export function pauseRun(location: string, run: string): Promise<void> {
  return changeState(location, run, "paused");
}

export function unpauseRun(location: string, run: string): Promise<void> {
  return changeState(location, run, "open");
}

async function changeState(location: string, run: string, state: "open" | "paused"): Promise<void> {
  if (!isPostgres(location)) {
    throw new FabulaError(
      "E_RUN_NOT_SHARED",
      "Only runs on a shared store can be paused: give it with --store postgres://….",
    );
  }
  const { Database } = await import("../../store/postgres/database.ts");
  const database = new Database(location, { connections: 2 });
  await database.open();
  try {
    const current = await sharedRunState(database, run);
    if (current === null)
      throw new FabulaError(
        "E_RUN_NOT_SHARED",
        `The run "${run}" was not queued for workers: see \`fabula runs list\`.`,
      );
    if (current === "closed") throw new FabulaError("E_RUN_OVER", `The run ${run} has already ended.`);
    await setSharedRunState(database, run, state);
  } finally {
    await database.close();
  }
}
