import type { Clock } from "../core/clock.ts";
import type { ErrorCode } from "../core/error-codes.ts";
import { FabulaError } from "../core/errors.ts";
import { retry } from "../core/retry.ts";

/** Another program lets go of the store, or somebody frees some space. */
const PASSING: ReadonlySet<ErrorCode> = new Set(["E_STORE_BUSY", "E_STORE_FULL"]);

/** About a minute, as long as a store on a server is waited for. */
export const FOR_PAID_ANSWERS = [500, 1500, 3000, 5000, 10_000, 15_000, 25_000] as const;
/** The work is done, and its result waits to be shown. */
export const FOR_LAST_STEPS = [1000, 2000, 5000] as const;

/** Tries again what a store may refuse for a while only. All that is tried with the same patience shares its pauses. */
export class Patience {
  readonly #clock: Clock;
  readonly #pauses: number[];
  readonly #onPause: (error: FabulaError) => void;

  constructor(clock: Clock, pausesMilliseconds: readonly number[], onPause: (error: FabulaError) => void = () => {}) {
    this.#clock = clock;
    this.#pauses = [...pausesMilliseconds];
    this.#onPause = onPause;
  }

  async try<T>(work: () => Promise<T>): Promise<T> {
    return retry(work, async (error) => {
      if (!isPassing(error)) throw error;
      const pause = this.#pauses.shift();
      if (pause === undefined) throw error;
      this.#onPause(error);
      await this.#clock.sleep(pause);
    });
  }
}

function isPassing(error: unknown): error is FabulaError {
  return error instanceof FabulaError && PASSING.has(error.code);
}
