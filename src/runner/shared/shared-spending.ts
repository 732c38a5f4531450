import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../store/postgres/database.ts";
import type { Interruption } from "../interruption.ts";
import type { Reservation, Spending } from "../limits/budget.ts";
import { interrupted } from "../limits/provider-gate.ts";

export interface SpendingOptions {
  readonly database: Database;
  readonly run: string;
  readonly worker: string;
  /**
   * How many calls may have money reserved at a time, at least one. What a worker that dies had reserved is lost to
   * its run.
   */
  readonly mostReserved: () => number;
  readonly clock: Clock;
}

interface Waiting {
  readonly amount: number;
  readonly resolve: (reservation: Reservation | null) => void;
  readonly reject: (reason: unknown) => void;
}

const budgetRow = z.object({
  granted: z.number().int(),
  reserved_elsewhere: z.number(),
  spent_in_all: z.number(),
});

/** When to ask again if the remaining money is reserved by other workers. */
const ASK_AGAIN_MILLISECONDS = 300;
const LOST_MILLISECONDS = 1000;
/** A database that is only restarting answers within this time. */
const SETTLE_MILLISECONDS = 90_000;

/**
 * The budget of a run over all its workers. It follows the same rule as the one in a process: the maximum cost of a
 * call is reserved before it is sent; a call that does not fit waits while any worker has money reserved, and is
 * rejected if none has. Reservations of the same moment go to the database together. The worker reports its total
 * reservations and spending, so that a repeated message changes nothing.
 */
export class SharedSpending {
  readonly #options: SpendingOptions;
  readonly #waiting: Waiting[] = [];
  readonly #open = new Set<{ readonly amount: number }>();
  #spentHere = 0;
  #spentInAll = 0;
  #agreeing = false;
  #hasUnreported = false;
  #isAbandoned = false;

  constructor(options: SpendingOptions) {
    this.#options = options;
  }

  /**
   * The budget as one piece sees it. The cap is the one its run had when the piece was begun; a later one is in the
   * database.
   */
  spending(interruption: Interruption, maximum: number): Spending {
    const shared = this;
    return {
      maximum,
      get spent() {
        return shared.#spentInAll;
      },
      reserve: (amount) => this.#reserve(amount, interruption),
    };
  }

  /**
   * Resolves when all spending has been reported, or when the database does not answer for too long. Call it at the
   * end: nothing is reported after it.
   */
  async settled(): Promise<void> {
    const { clock } = this.#options;
    const end = clock.now().getTime() + SETTLE_MILLISECONDS;
    while ((this.#hasUnreported || this.#agreeing) && clock.now().getTime() < end) await clock.sleep(5);
    this.#isAbandoned = true;
  }

  #reserve(amount: number, interruption: Interruption): Promise<Reservation | null> {
    if (interruption.happened) return Promise.reject(interrupted("the model"));
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { amount, resolve: settle(resolve), reject: settle(reject) };
      const stopListening = interruption.listen(() => {
        const at = this.#waiting.indexOf(waiting);
        if (at >= 0) this.#waiting.splice(at, 1);
        waiting.reject(interrupted("the model"));
      });
      function settle<T>(end: (value: T) => void) {
        return (value: T) => {
          stopListening();
          end(value);
        };
      }
      this.#waiting.push(waiting);
      this.#report();
    });
  }

  #report(): void {
    this.#hasUnreported = true;
    if (!this.#agreeing) {
      this.#agreeing = true;
      setImmediate(() => void this.#agree());
    }
  }

  async #agree(): Promise<void> {
    const { database, run, worker, mostReserved, clock } = this.#options;
    while (this.#hasUnreported && !this.#isAbandoned) {
      this.#hasUnreported = false;
      const asking = this.#waiting.slice(0, Math.max(0, Math.max(1, mostReserved()) - this.#open.size));
      const reserved = this.#reserved;
      try {
        const [row] = await database.query("SELECT * FROM fabula.share_budget($1, $2, $3, $4, $5)", [
          run,
          worker,
          reserved,
          this.#spentHere,
          asking.map(({ amount }) => amount),
        ]);
        const { granted, reserved_elsewhere, spent_in_all } = budgetRow.parse(row);
        this.#spentInAll = spent_in_all;
        for (const one of asking.slice(0, granted)) this.#grant(one);
        const next = asking[granted];
        if (!next) continue;
        // It was interrupted while this message was on its way, and those behind it still wait for an answer.
        if (!this.#waiting.includes(next)) {
          this.#hasUnreported ||= this.#waiting.length > 0;
          continue;
        }
        // A reservation in this message may have been returned while it was on its way; the next message says so.
        if (granted === 0 && reserved === 0 && reserved_elsewhere === 0) {
          this.#waiting.splice(this.#waiting.indexOf(next), 1);
          next.resolve(null);
          this.#hasUnreported ||= this.#waiting.length > 0;
        } else if (reserved_elsewhere > 0) {
          await clock.sleep(ASK_AGAIN_MILLISECONDS);
          this.#hasUnreported = true;
        }
      } catch {
        await clock.sleep(LOST_MILLISECONDS);
        this.#hasUnreported = true;
      }
    }
    this.#agreeing = false;
  }

  #grant(waiting: Waiting): void {
    const at = this.#waiting.indexOf(waiting);
    // Interrupted while the answer was on its way: the next message withdraws the reservation.
    if (at < 0) {
      this.#hasUnreported = true;
      return;
    }
    this.#waiting.splice(at, 1);
    const reserved = { amount: waiting.amount };
    this.#open.add(reserved);
    waiting.resolve({
      settle: (spent) => {
        if (!this.#open.delete(reserved)) return;
        this.#spentHere += spent;
        this.#report();
      },
    });
  }

  /** Computed from scratch each time, so that rounding errors do not add up. */
  get #reserved(): number {
    let sum = 0;
    for (const { amount } of this.#open) sum += amount;
    return sum;
  }
}
