import { expect, it } from "vitest";
import type { Clock } from "../../core/clock.ts";
import { Database } from "../../store/postgres/database.ts";
import { Interruption } from "../interruption.ts";
import { SharedSpending } from "./shared-spending.ts";

/** Time passes only where somebody waits, and then at once. */
function leapingClock(): Clock {
  let now = 0;
  return {
    now: () => new Date(now),
    sleep: (milliseconds) =>
      new Promise((resolve) => {
        now += milliseconds;
        setImmediate(resolve);
      }),
  };
}

it("a worker with a capped run ends when its database is gone, and asks it no more", async () => {
  const clock = leapingClock();
  // A reserved port, where nothing listens.
  const database = new Database("postgres://somebody:secret@127.0.0.1:4/gone", { clock });
  const shared = new SharedSpending({ database, run: "run", worker: "worker", maximum: 10, clock });
  const interruption = new Interruption(new AbortController().signal);
  const reserved = shared.spending(interruption).reserve(1);
  interruption.begin();
  await expect(reserved).rejects.toMatchObject({ failure: "interrupted" });
  await shared.settled();
  expect(clock.now().getTime()).toBeGreaterThanOrEqual(60_000);
  await database.close();
});
