import { setTimeout as delay } from "node:timers/promises";

/** Time as an argument: what waits or stamps takes a clock, so that tests and replays need not wait. */
export interface Clock {
  now(): Date;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Node's limit, about 25 days: a timer set for longer fires at once. */
export const LONGEST_TIMER_MILLISECONDS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: async (milliseconds, signal) => {
    await delay(Math.min(milliseconds, LONGEST_TIMER_MILLISECONDS), undefined, signal ? { signal } : undefined);
  },
};
