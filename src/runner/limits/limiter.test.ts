import { describe, expect, it } from "vitest";
import { ManualClock } from "../../testing/index.ts";
import { Interruption } from "../interruption.ts";
import {
  Limiter,
  type Limits,
  type Permit,
  type PermitOutcome,
  PrefixCache,
  type RateLimits,
  unsharedAllotment,
} from "./limiter.ts";

const ANSWERED: PermitOutcome = { outcome: "answered" };
const THROTTLED: PermitOutcome = { outcome: "throttled" };

function start({ requestsPerMinute, tokensPerMinute, ...limits }: Partial<Limits> & RateLimits = {}) {
  const clock = new ManualClock();
  const abort = new AbortController();
  const slowdowns: number[] = [];
  const limiter = new Limiter(
    { initialConcurrency: 4, maximumConcurrency: 8, ...limits },
    unsharedAllotment(
      { ...(requestsPerMinute && { requestsPerMinute }), ...(tokensPerMinute && { tokensPerMinute }) },
      clock,
    ),
    clock,
    new Interruption(abort.signal),
    { slowed: (concurrency) => slowdowns.push(concurrency), paused() {} },
  );
  const held: Permit[] = [];
  let turnedAway = 0;
  const ask = (count: number, tokens = 0) => {
    for (let at = 0; at < count; at++) {
      limiter.acquire(tokens).then((permit) => {
        if (permit) held.push(permit);
        else turnedAway += 1;
      });
    }
    return clock.advance(0);
  };
  return { clock, abort, slowdowns, limiter, held, ask, turnedAway: () => turnedAway };
}

describe("a limiter", () => {
  it("lets so many through at a time, and the next when one is back", async () => {
    const { held, ask, clock } = start();
    await ask(10);
    expect(held).toHaveLength(4);
    held[0]!({ outcome: "failed" });
    held[0]!({ outcome: "failed" });
    await clock.advance(0);
    expect(held).toHaveLength(5);
  });

  it("gives one more for every round that goes well, up to the maximum", async () => {
    const { limiter, held, ask } = start();
    for (let round = 0; round < 12; round++) {
      await ask(limiter.concurrency);
      for (const permit of held.splice(0)) permit(ANSWERED);
    }
    expect(limiter.concurrency).toBe(8);
  });

  it("slows down once for a burst of refusals, and again after a second", async () => {
    const { limiter, held, ask, clock, slowdowns } = start({ initialConcurrency: 8 });
    await ask(8);
    for (const permit of held.splice(0)) permit(THROTTLED);
    expect(limiter.concurrency).toBe(5);
    await clock.advance(1500);
    await ask(1);
    held[0]!(THROTTLED);
    expect(limiter.concurrency).toBe(3);
    expect(slowdowns).toEqual([5, 3]);
  });

  it("waits as long as the provider asks, or as its headers imply", async () => {
    const { held, ask, clock } = start();
    await ask(1);
    held[0]!({ ...THROTTLED, pauseMilliseconds: 3000 });
    await ask(1);
    await clock.advance(2900);
    expect(held).toHaveLength(1);
    await clock.advance(200);
    expect(held).toHaveLength(2);
    held[1]!({ ...ANSWERED, allowance: { remainingRequests: 0, remainingTokens: null, resetMilliseconds: 5000 } });
    await ask(1);
    await clock.advance(4900);
    expect(held).toHaveLength(2);
    await clock.advance(200);
    expect(held).toHaveLength(3);
  });

  it("keeps to requests per minute, spread over the minute", async () => {
    const { held, ask, clock } = start({ requestsPerMinute: 60, initialConcurrency: 500, maximumConcurrency: 500 });
    await ask(200);
    expect(held).toHaveLength(10);
    await clock.advance(60_000);
    expect(held.length).toBeGreaterThanOrEqual(69);
    expect(held.length).toBeLessThanOrEqual(71);
  });

  it("keeps to tokens per minute, and lets through one request that is larger than a burst", async () => {
    const { held, ask, clock } = start({ tokensPerMinute: 6000, initialConcurrency: 500, maximumConcurrency: 500 });
    await ask(2, 3000);
    expect(held).toHaveLength(1);
    await clock.advance(29_000);
    expect(held).toHaveLength(1);
    await clock.advance(2000);
    expect(held).toHaveLength(2);
  });

  it("turns everyone away who waits when interrupted", async () => {
    const { held, ask, abort, turnedAway, clock } = start();
    await ask(10);
    abort.abort();
    await clock.advance(0);
    expect([held.length, turnedAway()]).toEqual([4, 6]);
  });
});

const request = (content: string) => ({ messages: [{ role: "user" as const, content }] });

describe("a foreseen prefix cache", () => {
  const story = "the river kept its own counsel ".repeat(1000);

  it("knows the beginning that two requests share", () => {
    const cache = new PrefixCache();
    expect(cache.admit(request(`${story}one`))).toBe(0);
    expect(cache.admit(request(`${story}two`))).toBeGreaterThan(0.97);
    expect(cache.admit(request(`another ${story}`))).toBe(0);
  });

  it("ignores beginnings too short for any provider", () => {
    const cache = new PrefixCache();
    cache.admit(request("the river kept its own counsel ".repeat(60)));
    expect(cache.admit(request("the river kept its own counsel ".repeat(60)))).toBe(0);
  });
});
