import { z } from "zod";
import type { Database } from "../../store/postgres/database.ts";
import { aloneOn, type Entrance, openEntrance } from "./engine.ts";

const AT_A_TIME = 500;
const HOUR_MILLISECONDS = 3_600_000;
const LOCK = 722_064_112;

/**
 * What the queue remembers of pieces that ended. Nobody needs it but whoever looks into the queue itself: results are with the
 * pieces, answers in the store. Without this its tables would grow for ever.
 */
export class History {
  readonly #database: Database;
  readonly #entrance: Entrance;
  readonly #hours: number;

  constructor(database: Database, entrance: Entrance, hours: number) {
    this.#database = database;
    this.#entrance = entrance;
    this.#hours = hours;
  }

  /** How many pieces were forgotten; 0 when another worker is at it. */
  forget(now: Date): Promise<number> {
    const before = new Date(now.getTime() - this.#hours * HOUR_MILLISECONDS);
    // Two that delete the same rows in another order would wait for each other.
    return this.#database.transaction(async (client) => {
      const { rows } = await client.query("SELECT pg_try_advisory_xact_lock($1) AS is_ours", [LOCK]);
      if (!z.object({ is_ours: z.boolean() }).parse(rows[0]).is_ours) return 0;
      for (let forgotten = 0; ; ) {
        const ids = await this.#entrance.ended(before, AT_A_TIME);
        if (ids.length === 0) return forgotten;
        await this.#entrance.forget(ids);
        forgotten += ids.length;
      }
    });
  }
}

/**
 * Takes out of the queue what is left there of a run that is over: pieces that were queued anew while an earlier round waited
 * for a version that never came. Most runs have none.
 */
export async function forgetWaiting(database: Database, location: string, run: string): Promise<void> {
  const queuedAnew = await database.query("SELECT 1 FROM fabula.pieces WHERE run_id = $1 AND round > 1 LIMIT 1", [run]);
  if (queuedAnew.length === 0) return;
  const entrance = await openEntrance(location, aloneOn(database), () => {});
  try {
    for (;;) {
      const ids = await entrance.waiting(run, AT_A_TIME);
      if (ids.length === 0) return;
      await entrance.forget(ids);
    }
  } finally {
    await entrance.close();
  }
}
