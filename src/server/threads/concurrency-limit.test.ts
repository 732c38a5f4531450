import { expect, it } from "vitest";
import { ConcurrencyLimit } from "./concurrency-limit.ts";

it("runs no more than allowed at a time, and the next one when another fails", async () => {
  const limit = new ConcurrencyLimit(2);
  const ends: ((failure: Error | null) => void)[] = [];
  let running = 0;
  let most = 0;
  const work = () =>
    limit.run(async () => {
      most = Math.max(most, ++running);
      const failure = await new Promise<Error | null>((resolve) => ends.push(resolve));
      running -= 1;
      if (failure) throw failure;
    });
  const all = Promise.allSettled([work(), work(), work(), work()]);
  for (let ended = 0; ended < 4; ended++) {
    await expect.poll(() => ends.length).toBeGreaterThan(ended);
    expect(ends.length).toBe(Math.min(4, ended + 2));
    ends[ended]!(ended === 0 ? new Error("broken") : null);
  }
  expect((await all).map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled", "fulfilled"]);
  expect(most).toBe(2);
});
