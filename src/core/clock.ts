import { setTimeout as delay } from "node:timers/promises";

/** Time as an argument: what waits or stamps takes a clock, so that tests and replays need not wait. */
export interface Clock {
  now(): Date;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: async (milliseconds, signal) => {
    await delay(milliseconds, undefined, signal ? { signal } : undefined);
  },
};
