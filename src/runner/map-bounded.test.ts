import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { mapBounded } from "./map-bounded.ts";

it("gives results in order, works on so many at a time, and takes items only when there is room", async () => {
  let taken = 0;
  let running = 0;
  let most = 0;
  let furthestAhead = 0;
  let done = 0;
  function* items() {
    for (let item = 0; item < 100; item++) {
      taken += 1;
      furthestAhead = Math.max(furthestAhead, taken - done);
      yield item;
    }
  }
  const results = await mapBounded(items(), 7, async (item) => {
    most = Math.max(most, ++running);
    await wait((item * 7919) % 5);
    running -= 1;
    done += 1;
    return item * 2;
  });
  expect(results).toEqual(Array.from({ length: 100 }, (_, item) => item * 2));
  expect(most).toBe(7);
  expect(furthestAhead).toBeLessThanOrEqual(8);
});

it("stops taking items when one fails, and says why", async () => {
  let taken = 0;
  let closed = false;
  async function* items() {
    try {
      for (; ; taken++) yield taken;
    } finally {
      closed = true;
    }
  }
  const failing = mapBounded(items(), 3, async (item) => {
    await wait(1);
    if (item === 5) throw new Error("five");
  });
  await expect(failing).rejects.toThrow("five");
  expect(taken).toBeLessThan(12);
  expect(closed).toBe(true);
});

it("has nothing to do for nothing", async () => {
  expect(await mapBounded([], 5, async () => 1)).toEqual([]);
});
