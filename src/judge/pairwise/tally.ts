import { signTest } from "../../stats/comparison/sign-test.ts";
import { wilsonInterval } from "../../stats/distribution/wilson-interval.ts";
import type { Meeting } from "./compare-pair.ts";

/** What a pair's meetings say about one aspect. */
export interface Tally {
  readonly left: number;
  readonly right: number;
  readonly ties: number;
  /**
   * The side that was chosen more often than chance explains, over both orders; a tie where the two cannot be told apart; null
   * when there was no answer.
   */
  readonly better: "left" | "right" | "tie" | null;
  /** The side that was chosen more often, be it by chance: a guess, for whoever must make one. */
  readonly leaning: "left" | "right" | "tie" | null;
  /** Two-sided sign test of the decisions; null where there was none. */
  readonly p: number | null;
  /** Runs in which both orders gave the same answer, of those in which both were answered. */
  readonly consistent: { readonly same: number; readonly of: number };
}

const SIGNIFICANCE = 0.05;

/** Fewer answers than this cannot tell two books apart, even if all of them agree. */
export const FEWEST_ANSWERS = 6;

export function tally(meetings: readonly Meeting[], aspect: string): Tally {
  const outcomes = meetings.flatMap(({ choices }) => choices[aspect]?.outcome ?? []);
  const count = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;
  const [left, right, ties] = [count("left"), count("right"), count("tie")];
  const leaning = outcomes.length === 0 ? null : left === right ? "tie" : left > right ? "left" : "right";
  const p = left + right === 0 ? null : signTest(left, right);
  const pairs = [...new Set(meetings.map(({ run }) => run))].flatMap((run) => {
    const both = meetings
      .filter((meeting) => meeting.run === run)
      .flatMap(({ choices }) => choices[aspect]?.outcome ?? []);
    return both.length === 2 ? [both[0] === both[1]] : [];
  });
  return {
    left,
    right,
    ties,
    better: leaning === null || (p !== null && p < SIGNIFICANCE) ? leaning : "tie",
    leaning,
    p,
    consistent: { same: pairs.filter(Boolean).length, of: pairs.length },
  };
}

/** How much a judge favours the book that is shown first. */
export interface PositionBias {
  /** Decisions for the first book, of all decisions. */
  readonly first: number;
  readonly decisions: number;
  /** Share of decisions for the first book minus one half: 0 is no bias, 0.5 always the first. */
  readonly bias: number | null;
  /** Wilson's 95 % interval for it. */
  readonly interval: readonly [number, number] | null;
}

/** Every book is shown first as often as second, so a judge without bias decides for the first half the time. */
export function positionBias(meetings: readonly Meeting[]): PositionBias {
  const decided = meetings.flatMap(({ leftFirst, choices }) =>
    Object.values(choices)
      .filter(({ outcome }) => outcome !== "tie")
      .map(({ outcome }) => (outcome === "left") === leftFirst),
  );
  const first = decided.filter(Boolean).length;
  const decisions = decided.length;
  if (decisions === 0) return { first, decisions, bias: null, interval: null };
  const [low, high] = wilsonInterval(first, decisions, 0.95);
  return { first, decisions, bias: first / decisions - 0.5, interval: [low - 0.5, high - 0.5] };
}
