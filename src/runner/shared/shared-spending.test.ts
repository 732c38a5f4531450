import { expect, it } from "vitest";
import { type Clock, systemClock } from "../../core/clock.ts";
import { Database } from "../../store/postgres/database.ts";
import { Interruption } from "../interruption.ts";
import type { Reservation } from "../limits/budget.ts";
import { SharedSpending } from "./shared-spending.ts";

/** A clock on which time passes only when somebody waits, and then at once. */
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
    clock,
    mostReserved: () => 4,
  });
  const interruption = new Interruption(new AbortController().signal);
  const reserved = shared.spending(interruption, 10).reserve(1);
  interruption.begin();
  await expect(reserved).rejects.toMatchObject({ failure: "interrupted" });
  await shared.settled();
  expect(clock.now().getTime()).toBeGreaterThanOrEqual(60_000);
  await database.close();
});

it("sets money aside for no more calls than could soon be sent, and for the others as these end", async () => {
  const clock = leapingClock();
  // A server that grants every reservation.
  const database = Object.assign(new Database("postgres://somebody:secret@127.0.0.1:4/gone", { clock }), {
    query: async (_text: string, values: readonly unknown[] = []) => [
      { granted: (values[4] as number[]).length, reserved_elsewhere: 0, spent_in_all: 0 },
    ],
  });
  const shared = new SharedSpending({ database, run: "r", worker: "w", clock, mostReserved: () => 6 });
  const spending = shared.spending(new Interruption(new AbortController().signal), 10);
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

it("refuses no call while money that was set aside is on its way back", async () => {
  const clock = leapingClock();
  let last: Reservation | null = null;
  // A server with room for one call at a time, whose answer to the second is on its way when the first call ends.
  const database = Object.assign(new Database("postgres://somebody:secret@127.0.0.1:4/gone", { clock }), {
    query: async (_text: string, [, , reserved, spent, wanted]: readonly unknown[] = []) => {
      const granted = (wanted as number[]).length > 0 && (reserved as number) + (spent as number) + 0.6 <= 1 ? 1 : 0;
      if (granted === 0) last?.settle(0.1);
      return [{ granted, reserved_elsewhere: 0, spent_in_all: spent }];
    },
  });
  const shared = new SharedSpending({ database, run: "r", worker: "w", clock, mostReserved: () => 4 });
  const spending = shared.spending(new Interruption(new AbortController().signal), 1);
  last = await spending.reserve(0.6);
  const second = await spending.reserve(0.6);
  expect(second).not.toBeNull();
  second?.settle(0.1);
  await shared.settled();
  await database.close();
});

it("answers those behind a call that was interrupted while its message was on its way", async () => {
  const clock = leapingClock();
  const gone = new Interruption(new AbortController().signal);
  const database = Object.assign(new Database("postgres://somebody:secret@127.0.0.1:4/gone", { clock }), {
    query: async (_text: string, [, , , , wanted]: readonly unknown[] = []) => {
      gone.begin();
      return [{ granted: (wanted as number[])[0] === 1 ? 1 : 0, reserved_elsewhere: 0, spent_in_all: 0 }];
    },
  });
  const shared = new SharedSpending({ database, run: "r", worker: "w", clock, mostReserved: () => 1 });
  const large = shared.spending(gone, 1).reserve(5);
  const small = shared.spending(new Interruption(new AbortController().signal), 1).reserve(1);
  await expect(large).rejects.toMatchObject({ failure: "interrupted" });
  const answer = await Promise.race([small, systemClock.sleep(1000).then(() => "nothing")]);
  expect(answer).toMatchObject({ settle: expect.any(Function) });
  await shared.settled();
  await database.close();
});
