import { type Random, randomInteger, seededRandom } from "../../src/core/random.ts";
import { mutate } from "./mutate.ts";
import { outcomeOf, type Target } from "./targets.ts";

/** Processor time that one input may take. */
export const MOST_SECONDS = 2;

export interface Finding {
  readonly target: string;
  readonly bytes: Uint8Array;
  readonly what: string;
}

/** The next input: damaged on the inside three times out of four, where it has an inside. */
export function nextInput({ corpus, inside }: Target, random: Random): Uint8Array {
  const one = corpus[randomInteger(random, corpus.length)]!;
  const damaged = inside && random() < 0.75 ? inside(one, random) : null;
  return damaged ?? mutate(one, random, corpus[randomInteger(random, corpus.length)]!);
}

/** An input that reached code that none before it had reached. */
export interface KeptInput {
  readonly number: number;
  readonly bytes: Uint8Array;
}

/** Made from its number and what was kept before it alone, so that each can be made again. */
export function inputNumber(target: Target, seed: number, number: number, kept: readonly KeptInput[]): Uint8Array {
  const earlier = kept.filter((one) => one.number < number).map(({ bytes }) => bytes);
  return nextInput({ ...target, corpus: [...target.corpus, ...earlier] }, seededRandom(seed * 1_000_003 + number));
}

export async function tryInput(target: Target, bytes: Uint8Array): Promise<Finding | null> {
  const started = process.cpuUsage();
  const error = await outcomeOf(target, bytes);
  const { user, system } = process.cpuUsage(started);
  const seconds = (user + system) / 1e6;
  if (error !== null)
    return { target: target.name, bytes, what: error instanceof Error ? `${error.stack}` : `${error}` };
  return seconds > MOST_SECONDS ? { target: target.name, bytes, what: `${seconds.toFixed(1)} s` } : null;
}
