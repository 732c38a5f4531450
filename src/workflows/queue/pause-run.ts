import { FabulaError } from "../../core/errors.ts";
import { isPostgres } from "../../store/postgres/address.ts";
import type { Database } from "../../store/postgres/database.ts";
import { aloneOn, openEntrance } from "./engine.ts";
import { findSharedRun, pauseSharedRun, queueAgain } from "./shared-runs.ts";

/** The workers finish the calls they have sent and leave the rest until the run is unpaused. */
export function pauseRun(location: string, run: string): Promise<void> {
  return withSharedRun(location, run, (database) => pauseSharedRun(database, run));
}

export function unpauseRun(location: string, run: string): Promise<void> {
  return withSharedRun(location, run, async (database, { version, job }) => {
    const entrance = await openEntrance(location, aloneOn(database), () => {});
    try {
      await queueAgain(database, entrance, { id: run, version, models: job.models.map(({ id }) => id) });
    } finally {
      await entrance.close();
    }
  });
}

type SharedRun = NonNullable<Awaited<ReturnType<typeof findSharedRun>>>;

async function withSharedRun(
  location: string,
  run: string,
  work: (database: Database, shared: SharedRun) => Promise<void>,
): Promise<void> {
  if (!isPostgres(location)) {
    throw new FabulaError(
      "E_RUN_NOT_SHARED",
      "Only runs on a shared store are paused: give it with --store postgres://….",
    );
  }
  const { Database: Connections } = await import("../../store/postgres/database.ts");
  const database = new Connections(location, { connections: 2 });
  await database.open();
  try {
    const shared = await findSharedRun(database, run);
    if (!shared)
      throw new FabulaError(
        "E_RUN_NOT_SHARED",
        `The run "${run}" was not queued for workers: see \`fabula runs list\`.`,
      );
    if (shared.state === "closed") throw new FabulaError("E_RUN_OVER", `The run ${run} is over.`);
    await work(database, shared);
  } finally {
    await database.close();
  }
}
