import { type Clock, systemClock } from "../../core/clock.ts";
import { Database } from "../../store/postgres/database.ts";
import { Interruption } from "../interruption.ts";
import { isOfThisMachine, type PaceSettings } from "../limits/gates.ts";
import { type Allotment, unsharedAllotment } from "../limits/limiter.ts";
import { Membership, registerWorker } from "./membership.ts";
import { both, SharedCoordination } from "./shared-coordination.ts";

/** A process that does its own work on a shared store, and sends no more than its share of the common limit. */
export interface OwnWork {
  allotment(provider: string, run: string): Allotment;
  leave(): Promise<void>;
}

/**
 * Joins the workers of a store only for their limits: used by a command with `--local`, and by the server. Its money
 * and its claims remain its own. If it was away for long it loses its permits and continues with new ones; a worker
 * would have lost its pieces too, and ends.
 */
export async function joinForOwnWork(location: string, pace: PaceSettings, clock: Clock): Promise<OwnWork> {
  const database = new Database(location, { connections: 2 });
  try {
    const about = { version: "", judges: null, takesPieces: false };
    const member = await Membership.join({
      ...about,
      database,
      clock: systemClock,
      onGivenUp: () => {
        shared.giveUpPermits();
        void registerWorker(database, { ...about, id: member.id }).catch(() => {});
      },
    });
    const shared = new SharedCoordination({ database, member, clock: systemClock, concurrency: null, pace });
    const interruption = new Interruption(new AbortController().signal);
    return {
      allotment(provider, run) {
        const own = unsharedAllotment(pace, clock);
        if (isOfThisMachine(provider)) return own;
        const common = shared.forRun(run, null)({ interruption, clock }).allotment(provider);
        return both(common, own, async (tokens) => {
          const mine = await own.admit(tokens);
          if (mine.admitted === 0) return mine;
          const granted = await common.admit(tokens.slice(0, mine.admitted));
          return granted.admitted < mine.admitted ? granted : mine;
        });
      },
      async leave() {
        await shared.close();
        await member.leave().catch(() => {});
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
