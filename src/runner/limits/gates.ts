import type { Clock } from "../../core/clock.ts";
import type { Random } from "../../core/random.ts";
import type { Interruption } from "../interruption.ts";
import type { RunnerListener } from "../runner-event.ts";
import type { Allotment, Limits, RateLimits } from "./limiter.ts";
import { ProviderGate } from "./provider-gate.ts";

/** The user's settings for the speed of calls. */
export interface PaceSettings extends RateLimits {
  readonly concurrency?: number;
  readonly timeoutSeconds?: number;
}

export interface GatesContext {
  readonly pace: PaceSettings;
  readonly allotment: (provider: string) => Allotment;
  readonly clock: Clock;
  readonly random: Random;
  readonly interruption: Interruption;
  readonly emit: RunnerListener;
  readonly untilStorable: () => Promise<void>;
}

const ATTEMPTS = 6;
const TIMEOUT_SECONDS = 300;
/** The speed of a slow, large model. */
const MILLISECONDS_PER_TOKEN = 50;
/** A local model may take a while to read a long chapter. */
const LOCAL_TIMEOUT_SECONDS = 3600;
/**
 * For calls that are paid for. A local program is ended at once: it may never answer, and its calls cost us nothing.
 */
export const GRACE_MILLISECONDS = 20_000;
const CONCURRENCY = { initial: 8, maximum: 32 };
/** A local model answers one request after the other anyway, and a subscription does not like many at once. */
const LOCAL_CONCURRENCY: Readonly<Record<string, number>> = {
  ollama: 2,
  lmstudio: 2,
  llamacpp: 2,
  llama: 1,
  command: 2,
  assistant: 2,
  paste: 1,
};
/** A person who answers by hand may take until the next day. */
const BY_HAND = new Set(["assistant", "paste"]);
const BY_HAND_TIMEOUT_SECONDS = 14 * 24 * 3600;
/** A program that fails twice would fail six times, and each time takes as long. */
const COMMAND_ATTEMPTS = 2;

/** A provider that shares no limits with other machines. */
export function isOfThisMachine(provider: string): boolean {
  return provider in LOCAL_CONCURRENCY;
}

/** How many requests to prepare at the same time. */
export function preparationConcurrency({ concurrency }: PaceSettings): number {
  return concurrency ?? CONCURRENCY.maximum;
}

/** The number of simultaneous calls to one provider, in this process or across all that share it. */
export function limitsOf(provider: string, { concurrency }: PaceSettings): Limits {
  const fixed = concurrency ?? LOCAL_CONCURRENCY[provider];
  return {
    initialConcurrency: fixed ?? CONCURRENCY.initial,
    maximumConcurrency: fixed ?? CONCURRENCY.maximum,
  };
}

export interface Gates {
  to(provider: string): ProviderGate;
  close(): void;
}

/** The gates to the providers of a run, each created when it is first needed. */
export function openGates({ pace, allotment, ...context }: GatesContext): Gates {
  const gates = new Map<string, ProviderGate>();
  const allotments: Allotment[] = [];
  const open = (provider: string) => {
    const local = isOfThisMachine(provider);
    const usual = BY_HAND.has(provider) ? BY_HAND_TIMEOUT_SECONDS : local ? LOCAL_TIMEOUT_SECONDS : TIMEOUT_SECONDS;
    const own = allotment(provider);
    allotments.push(own);
    const gate = new ProviderGate(provider, {
      ...context,
      limits: limitsOf(provider, pace),
      allotment: own,
      attempts: provider === "command" ? COMMAND_ATTEMPTS : ATTEMPTS,
      timeoutMilliseconds: (pace.timeoutSeconds ?? usual) * 1000,
      millisecondsPerToken: pace.timeoutSeconds === undefined ? MILLISECONDS_PER_TOKEN : 0,
      graceMilliseconds: BY_HAND.has(provider) || provider === "command" ? 0 : GRACE_MILLISECONDS,
    });
    gates.set(provider, gate);
    return gate;
  };
  return {
    to: (provider) => gates.get(provider) ?? open(provider),
    close() {
      for (const one of allotments) one.close();
    },
  };
}
