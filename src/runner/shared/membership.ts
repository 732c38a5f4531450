import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../store/postgres/database.ts";

export interface MembershipOptions {
  readonly database: Database;
  readonly version: string;
  /** The judges that this worker can serve; null for all. */
  readonly judges: readonly string[] | null;
  /**
   * False for a process that only does its own work: it shares the limits with the others, and may rejoin under its
   * name.
   */
  readonly takesPieces?: boolean;
  readonly clock: Clock;
  /** Where heartbeats are sent: on a connection of their own they do not wait behind other statements. */
  readonly heartbeats?: Pick<Database, "query">;
  /** Called if the heartbeat timed out: the others have taken over, and this worker must stop. */
  readonly onGivenUp: () => void;
  /** Called if a heartbeat arrived again after several had not: earlier connections may be dead. */
  readonly onBack?: () => void;
}

/** How long after its last heartbeat a worker still counts as alive and keeps its permits, reservations and pieces. */
export const HEARTBEAT_TIMEOUT_SECONDS = 15;
const HEARTBEAT_MILLISECONDS = 2000;
/** Allows for clocks of two machines that differ a little, and for the time a message takes. */
const MARGIN_MILLISECONDS = 3000;
/** Longer than one lost heartbeat: the network or the server was unavailable. */
const AWAY_MILLISECONDS = 8000;

export async function registerWorker(
  database: Database,
  {
    id,
    version,
    judges,
    takesPieces = true,
  }: Pick<MembershipOptions, "version" | "judges" | "takesPieces"> & { readonly id: string },
): Promise<void> {
  await database.query(
    `INSERT INTO fabula.workers AS w (id, version, judges, state, seen_at, expires_at)
     VALUES ($1, $2, $3, $5, fabula.now(), fabula.now() + make_interval(secs => $4))
     ON CONFLICT (id) DO UPDATE SET state = 'alone', seen_at = excluded.seen_at, expires_at = excluded.expires_at
       WHERE w.state = 'gone' AND excluded.state = 'alone'`,
    [id, version, judges && JSON.stringify(judges), HEARTBEAT_TIMEOUT_SECONDS, takesPieces ? "working" : "alone"],
  );
}

/**
 * Sends a heartbeat. Returns whether the others still count the worker as alive; once they do not, they never will
 * again.
 */
export async function renewWorker(database: Pick<Database, "query">, id: string): Promise<boolean> {
  const known = await database.query(
    `UPDATE fabula.workers SET seen_at = fabula.now(), expires_at = fabula.now() + make_interval(secs => $2)
     WHERE id = $1 AND state <> 'gone' RETURNING id`,
    [id, HEARTBEAT_TIMEOUT_SECONDS],
  );
  return known.length > 0;
}

/**
 * One of the processes that share work, which the others see by its heartbeats. A name is never used twice: a process
 * that rejoins is a new one.
 */
export class Membership {
  readonly id = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
  readonly #options: MembershipOptions;
  readonly #timer: NodeJS.Timeout;
  #countsUntil = 0;
  /** The same by a monotonic clock. It is not enough alone, because it stands still while the machine sleeps. */
  #countsUntilSteadily = 0;
  #lastHeartbeatAt = 0;
  #steadySince = 0;
  /** The current heartbeat, if any: others that would queue behind it add nothing. */
  #sending: Promise<void> | null = null;

  private constructor(options: MembershipOptions) {
    this.#options = options;
    this.#timer = setInterval(() => {
      this.#sending ??= this.#sendHeartbeat()
        .catch(() => {})
        .finally(() => {
          this.#sending = null;
        });
    }, HEARTBEAT_MILLISECONDS);
  }

  static async join(options: MembershipOptions): Promise<Membership> {
    const member = new Membership(options);
    const [asked, steadily] = [options.clock.now().getTime(), performance.now()];
    try {
      await registerWorker(options.database, { ...options, id: member.id });
    } catch (error) {
      clearInterval(member.#timer);
      throw error;
    }
    member.#count(asked, steadily);
    return member;
  }

  /**
   * Whether this worker may declare silent workers dead: not right after it was silent itself, since whatever kept it
   * from the database may have kept the others from it too.
   */
  get mayGiveUpOthers(): boolean {
    const now = this.#options.clock.now().getTime();
    return this.counts && (this.#steadySince === 0 || now - this.#steadySince >= HEARTBEAT_TIMEOUT_SECONDS * 1000);
  }

  /** Whether the others still count this worker as alive; otherwise they may have taken over what it held. */
  get counts(): boolean {
    return this.#options.clock.now().getTime() < this.#countsUntil && performance.now() < this.#countsUntilSteadily;
  }

  async drain(): Promise<void> {
    await this.#options.database.query(
      "UPDATE fabula.workers SET state = 'draining' WHERE id = $1 AND state = 'working'",
      [this.id],
    );
  }

  /** Returns at once what the others would otherwise wait for. */
  async leave(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sending;
    await this.#options.database.query("SELECT fabula.leave_work($1)", [this.id]);
  }

  async #sendHeartbeat(): Promise<void> {
    const [asked, steadily] = [this.#options.clock.now().getTime(), performance.now()];
    const isKnown = await renewWorker(this.#options.heartbeats ?? this.#options.database, this.id);
    if (!isKnown) return this.#options.onGivenUp();
    const wasAway = asked - this.#lastHeartbeatAt > AWAY_MILLISECONDS;
    this.#count(asked, steadily);
    if (!wasAway) return;
    this.#steadySince = asked;
    this.#options.onBack?.();
  }

  #count(asked: number, steadily: number): void {
    this.#lastHeartbeatAt = asked;
    const counted = HEARTBEAT_TIMEOUT_SECONDS * 1000 - MARGIN_MILLISECONDS;
    this.#countsUntil = asked + counted;
    this.#countsUntilSteadily = steadily + counted;
  }
}
