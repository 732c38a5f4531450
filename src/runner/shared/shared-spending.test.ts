import { expect, it } from "vitest";
import type { Clock } from "../../core/clock.ts";
import { Database } from "../../store/postgres/database.ts";
import { Interruption } from "../interruption.ts";
import type { Reservation } from "../limits/budget.ts";
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
  const shared = new SharedSpending({
    database,
    run: "run",
    worker: "worker",
    maximum: 10,
    clock,
    mostReserved: () => 4,
  });
  const interruption = new Interruption(new AbortController().signal);
  const reserved = shared.spending(interruption).reserve(1);
  interruption.begin();
  await expect(reserved).rejects.toMatchObject({ failure: "interrupted" });
  await shared.settled();
  expect(clock.now().getTime()).toBeGreaterThanOrEqual(60_000);
  await database.close();
});

it("sets money aside for no more calls than could soon be sent, and for the others as these end", async () => {
  const clock = leapingClock();
  // A server that grants whatever is asked.
  const database = Object.assign(new Database("postgres://somebody:secret@127.0.0.1:4/gone", { clock }), {
    query: async (_text: string, values: readonly unknown[] = []) => [
      { granted: (values[4] as number[]).length, reserved_elsewhere: 0, spent_in_all: 0 },
    ],
  });
  const shared = new SharedSpending({ database, run: "r", worker: "w", maximum: 10, clock, mostReserved: () => 6 });
  const spending = shared.spending(new Interruption(new AbortController().signal));
  const open: Reservation[] = [];
  const all = Promise.all(
    Array.from({ length: 50 }, async () => {
      open.push((await spending.reserve(0.1))!);
    }),
  );
  let most = 0;
  for (let ended = 0; ended < 50; ) {
    await new Promise(setImmediate);
    most = Math.max(most, open.length);
    const next = open.shift();
    next?.settle(0.01);
    if (next) ended += 1;
  }
  await all;
  expect(most).toBe(6);
  await shared.settled();
  await database.close();
});
