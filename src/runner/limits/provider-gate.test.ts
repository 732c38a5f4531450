import { afterEach, expect, it } from "vitest";
import { type LoopbackServer, loopbackServer } from "../../../test/support/loopback-server.ts";
import type { Clock } from "../../core/clock.ts";
import { seededRandom } from "../../core/random.ts";
import { createChatModel } from "../../models/create-chat-model.ts";
import type { ModelError } from "../../models/model-error.ts";
import { createSimulatedServer, type SimulatedServer } from "../../testing/index.ts";
import { Interruption } from "../interruption.ts";
import { noticeInWords, type RunnerEvent } from "../runner-event.ts";
import { unsharedAllotment } from "./limiter.ts";
import { mayBeBilled, ProviderGate } from "./provider-gate.ts";

const FIVE_MINUTES = 300_000;
const START = Date.parse("2026-01-01T00:00:00Z");

const open: (LoopbackServer | SimulatedServer)[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** A clock on which time passes only when somebody waits, and then at once. */
function leapingClock(): Clock & { waited(): number } {
  let now = START;
  return {
    now: () => new Date(now),
    sleep: async (milliseconds) => {
      // Like Node's timers, which wait one millisecond if the time does not fit into 31 bits.
      now += milliseconds > 0x7fffffff ? 1 : milliseconds;
    },
    waited: () => now - START,
  };
}

const REQUEST = { purpose: "judge", sample: 0, messages: [{ role: "user", content: "x" }] } as const;

function gateTo(
  clock: Clock,
  interruption: Interruption,
  events: RunnerEvent[],
  timeoutMilliseconds = 60_000,
  allotment = unsharedAllotment({}, clock),
): ProviderGate {
  return new ProviderGate("example", {
    limits: { initialConcurrency: 8, maximumConcurrency: 8 },
    allotment,
    attempts: 6,
    timeoutMilliseconds,
    graceMilliseconds: 0,
    clock,
    random: seededRandom(1),
    interruption,
    emit: (event) => events.push(event),
    untilStorable: async () => {},
  });
}

it("a request whose permit is lost while it is being prepared does not leave before there is another", async () => {
  const simulated = await createSimulatedServer({ reply: () => "Here." });
  open.push(simulated);
  const clock = leapingClock();
  // The share is lost at the second check, between the permission and the network.
  let looks = 0;
  const allotment = Object.defineProperty(unsharedAllotment({}, clock), "isHeld", { get: () => ++looks !== 2 });
  const sentAfter: number[] = [];
  const model = await createChatModel(simulated.judge("m"), {
    connections: {},
    fetch: (...words) => {
      sentAfter.push(looks);
      return fetch(...words);
    },
  });
  const gate = gateTo(clock, new Interruption(new AbortController().signal), [], 60_000, allotment);
  const { reply, attempts } = await gate.ask(REQUEST, { model, tokens: 10, beforeRetry: async () => {} });
  expect({ text: reply.text, attempts, sentAfter }).toEqual({ text: "Here.", attempts: 1, sentAfter: [4] });
});

/** A provider that rejects the first request with these headers and answers the next one. */
async function askAfter(headers: Record<string, string>) {
  const simulated = await createSimulatedServer({ reply: () => "Here." });
  let isFirst = true;
  const provider = await loopbackServer(async (_incoming, response) => {
    const { body } = provider.received.at(-1)!;
    if (isFirst) {
      isFirst = false;
      response.writeHead(429, headers).end('{"error":{"message":"Slow down."}}');
      return;
    }
    const answer = await fetch(`${simulated.url}/v1/chat/completions`, { method: "POST", body });
    response.writeHead(200, { "content-type": "application/json" }).end(await answer.text());
  });
  open.push(simulated, provider);
  const clock = leapingClock();
  const events: RunnerEvent[] = [];
  const gate = gateTo(clock, new Interruption(new AbortController().signal), events);
  const model = await createChatModel(`m@${provider.url}/v1`, { connections: {}, clock });
  const { reply } = await gate.ask(REQUEST, { model, tokens: 10, beforeRetry: () => Promise.resolve() });
  const notes = events.flatMap((event) => (event.kind === "asked-to-wait" ? [noticeInWords(event)] : []));
  return { text: reply.text, waited: clock.waited(), notes, received: provider.received };
}

it.each([
  [{ "retry-after": "99999999" }, "example asks us to wait 1,157 days: trying again in 5 minutes."],
  [{ "retry-after-ms": "99999999999999" }, "example asks us to wait 1,157,407 days: trying again in 5 minutes."],
  [
    { "retry-after": "Fri, 01 Jan 2038 00:00:00 GMT" },
    "example asks us to wait 4,383 days: trying again in 5 minutes.",
  ],
])("waits five minutes at most when asked for years by %o, and says who asked", async (headers, note) => {
  const { text, waited, notes, received } = await askAfter(headers);
  expect(text).toBe("Here.");
  expect(notes).toEqual([note]);
  expect(waited).toBeGreaterThanOrEqual(FIVE_MINUTES);
  expect(waited).toBeLessThan(FIVE_MINUTES + 60_000);
  expect(received).toHaveLength(2);
});

it("waits as long as asked when that is short enough, and says so", async () => {
  const { text, waited, notes } = await askAfter({ "retry-after": "90" });
  expect(text).toBe("Here.");
  expect(notes).toEqual(["example asks us to wait 90 seconds."]);
  expect(waited).toBeGreaterThanOrEqual(90_000);
});

it("asks again after its own pause when asked to wait a negative time", async () => {
  const { text, waited, notes } = await askAfter({ "retry-after": "-5" });
  expect(text).toBe("Here.");
  expect(notes).toEqual([]);
  expect(waited).toBeLessThan(10_000);
});

it("counts a call as paid for when Ctrl-C ends it before its answer arrives", async () => {
  const interruption = new Interruption(new AbortController().signal);
  const provider = await loopbackServer(() => interruption.begin());
  open.push(provider);
  const clock = leapingClock();
  const events: RunnerEvent[] = [];
  const model = await createChatModel(`m@${provider.url}/v1`, { connections: {}, clock });
  const ended: ModelError[] = [];
  const asked = gateTo(clock, interruption, events).ask(REQUEST, {
    model,
    tokens: 10,
    beforeRetry: async (error) => void ended.push(error),
  });
  await expect(asked).rejects.toMatchObject({ failure: "interrupted" });
  expect(ended.map(mayBeBilled)).toEqual([true]);
  expect(provider.received).toHaveLength(1);
  expect(events.filter(({ kind }) => kind === "retried")).toEqual([]);
});

/** A provider that answers for the model "good"; for any other model it returns the status. */
async function askModels(status: number, headers: Record<string, string> = {}, timeoutMilliseconds?: number) {
  const simulated = await createSimulatedServer({ reply: () => "Here.", latency: 30 });
  const provider = await loopbackServer(async (_incoming, response) => {
    const { body } = provider.received.at(-1)!;
    if (JSON.parse(body).model !== "good") {
      response.writeHead(status).end('{"error":{"message":"Not this one."}}');
      return;
    }
    const answer = await fetch(`${simulated.url}/v1/chat/completions`, { method: "POST", body });
    response.writeHead(200, { "content-type": "application/json", ...headers }).end(await answer.text());
  });
  open.push(simulated, provider);
  const clock = leapingClock();
  const events: RunnerEvent[] = [];
  const gate = gateTo(clock, new Interruption(new AbortController().signal), events, timeoutMilliseconds);
  const ask = async (name: string) => {
    const model = await createChatModel(`${name}@${provider.url}/v1`, { connections: {}, clock });
    return gate.ask(REQUEST, { model, tokens: 10, beforeRetry: () => Promise.resolve() }).then(
      ({ reply, release }) => {
        release?.();
        return reply.text;
      },
      ({ failure }: ModelError) => failure,
    );
  };
  const notes = () => events.flatMap((event) => (event.kind === "asked-to-wait" ? [noticeInWords(event)] : []));
  return { ask, events, notes, clock, received: provider.received };
}

it.each([
  [404, "unknown-model"],
  [403, "authentication"],
])(
  "asks a provider's other models after one of them was refused with %d, and not that one again",
  async (status, why) => {
    const { ask, events, received } = await askModels(status);
    expect(await ask("typo")).toBe(why);
    expect(await ask("good")).toBe("Here.");
    expect(await ask("typo")).toBe("provider-down");
    expect(received).toHaveLength(2);
    expect(events.filter(({ kind }) => kind === "provider-down")).toMatchObject([
      { provider: expect.stringContaining("typo@") },
    ]);
  },
);

it("asks none of a provider's models after it refused the key", async () => {
  const { ask, received } = await askModels(401);
  expect(await ask("typo")).toBe("authentication");
  expect(await ask("good")).toBe("provider-down");
  expect(received).toHaveLength(1);
});

it("says who is waited for when the headers of an answer say that the allowance is used up", async () => {
  const { ask, notes, clock } = await askModels(404, {
    "x-ratelimit-remaining-requests": "0",
    "x-ratelimit-reset-requests": "90s",
  });
  expect(await ask("good")).toBe("Here.");
  expect(notes()).toEqual([]);
  expect(await ask("good")).toBe("Here.");
  expect(notes()).toEqual(["example asks us to wait 90 seconds."]);
  expect(clock.waited()).toBe(90_000);
});

it("does not give up on a call at once when the time limit is longer than a timer can be", async () => {
  const { ask, received } = await askModels(404, {}, 3_000_000_000);
  expect(await ask("good")).toBe("Here.");
  expect(received).toHaveLength(1);
});
