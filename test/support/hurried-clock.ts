import type { Clock } from "../../src/core/clock.ts";

/** Waits are real but fifty times shorter: backoff, limits and the hours of a batch stay in proportion. */
export const hurriedClock: Clock = {
  now: () => new Date(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, milliseconds / 50);
      signal?.addEventListener("abort", () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    }),
};
