import { groupBy } from "../../core/group-by.ts";

/** One score that one judge gave one text, with known facts about both; unknown ones are NaN or null. */
export interface Judgement {
  readonly judge: string;
  readonly item: string;
  readonly score: number;
  readonly aspects: Readonly<Record<string, number>>;
  /** Length of the text in words. */
  readonly words: number;
  /** Length of the judge's remarks in words. */
  readonly replyWords: number;
  /** The model that wrote the text. */
  readonly writer: string | null;
  /** Human rating of the text. */
  readonly human: number;
}

/** Two texts shown one after the other, and the one that won. */
export interface OrderedComparison {
  readonly judge: string;
  readonly first: string;
  readonly second: string;
  readonly winner: "first" | "second" | "tie";
}

/**
 * The result of one check. `unknown` says what the check would need: one that could not be made has not been passed.
 */
export interface Finding {
  readonly check: CheckName;
  readonly state: "sound" | "watch" | "problem" | "unknown";
  readonly n: number;
  readonly figure: {
    readonly name: string;
    readonly value: number;
    readonly interval: readonly [number, number] | null;
  } | null;
  readonly message: string;
}

export const CHECK_NAMES = [
  "test-retest",
  "position-bias",
  "length-bias",
  "verbosity",
  "self-preference",
  "halo",
  "scale-use",
  "drift",
  "damage",
  "agreement",
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

export interface HealthOptions {
  readonly seed: number;
  readonly resamples: number;
}

export function unknownFinding(check: CheckName, message: string): Finding {
  return { check, state: "unknown", n: 0, figure: null, message };
}

/** The judgements of each text, texts in order of appearance. */
export function byItem(judgements: readonly Judgement[]): Map<string, Judgement[]> {
  return groupBy(judgements, ({ item }) => item);
}
