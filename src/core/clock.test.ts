import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { systemClock } from "./clock.ts";

it.each([2 ** 31, Number.POSITIVE_INFINITY])("a wait of %d milliseconds is not over at once", async (milliseconds) => {
  const abort = new AbortController();
  let isOver = false;
  const waiting = systemClock.sleep(milliseconds, abort.signal).then(() => {
    isOver = true;
  });
  await delay(20);
  expect(isOver).toBe(false);
  abort.abort();
  await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
});
