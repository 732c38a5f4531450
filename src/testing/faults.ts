import { sha256 } from "../core/hash.ts";
import { seededRandom } from "../core/random.ts";

/** What a simulated server can do wrong, from refusing to answer to answering wrongly. */
export const FAULTS = [
  "rate-limit",
  "overloaded",
  "server-error",
  "drop",
  "drop-midway",
  "hang",
  "malformed-body",
  "prose",
  "truncated",
  "wrong-shape",
  "refusal",
] as const;
export type Fault = (typeof FAULTS)[number];

/** Probability of each fault per request, 0–1. */
export type FaultRates = Readonly<Partial<Record<Fault, number>>>;

/**
 * Which fault, if any, befalls a request. It depends on the seed, on what is asked and on how often it was asked before,
 * not on the order in which parallel requests arrive: a run with faults is repeatable.
 */
export function chooseFault(rates: FaultRates, seed: number, body: string, occurrence: number): Fault | null {
  const draw = seededRandom(seedFrom(`${seed}:${occurrence}:${body}`))();
  let below = 0;
  for (const fault of FAULTS) {
    below += rates[fault] ?? 0;
    if (draw < below) return fault;
  }
  return null;
}

export function seedFrom(text: string): number {
  return Number.parseInt(sha256(text).slice(0, 8), 16);
}
