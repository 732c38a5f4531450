import { FabulaError } from "../../core/errors.ts";
import { parseLimits } from "../../workflows/books/quality-gate.ts";
import { readEvaluations } from "../../workflows/books/read-evaluations.ts";
import { type Gate, openGate } from "../output/gate.ts";
import type { Flags, FlagValues } from "./flag.ts";

/** Flags of `evaluate` for unattended runs: limits that fail a build, and how failures are reported. */
export const AUTOMATION_FLAGS = {
  "fail-below": {
    type: "string",
    value: "NAME=N",
    repeats: true,
    help: "exit 1 when a figure is below this: overall, an aspect, or crowd, editor, grader; several with commas",
  },
  "fail-above": {
    type: "string",
    value: "NAME=N",
    repeats: true,
    help: "exit 1 when a figure is above this, such as edits-per-1000-words=40",
  },
  baseline: {
    type: "string",
    value: "FILE",
    help: "exit 1 when a score is clearly worse than in this earlier evaluation: the two ranges do not overlap",
  },
  "fail-on-injection": {
    type: "boolean",
    help: "exit 1 when a passage of the book addresses the judge: its scores may be manipulated",
  },
  tolerate: {
    type: "string",
    value: "SHARE",
    help: "exit 0 even if up to this share is unscored, such as 2% (on average over the books) [0%]",
  },
  junit: { type: "string", value: "FILE", help: "write every check as JUnit XML" },
  quiet: { type: "boolean", help: "print nothing but failures" },
} as const satisfies Flags;

type AutomationFlags = FlagValues<typeof AUTOMATION_FLAGS>;

export async function gateOf(flags: AutomationFlags): Promise<Gate> {
  return openGate({
    limits: [...parseLimits(flags["fail-below"], "below"), ...parseLimits(flags["fail-above"], "above")],
    baseline: flags.baseline === undefined ? [] : await readEvaluations(flags.baseline),
    failOnInjection: flags["fail-on-injection"],
    junit: flags.junit,
  });
}

/** `2%` or `0.02` → 0.02. */
export function toleratedShare(given: string | undefined): number {
  if (given === undefined) return 0;
  const [, number, percent] = /^\s*(\d+(?:\.\d+)?)\s*(%?)\s*$/.exec(given) ?? [];
  const share = Number(number) / (percent === "%" ? 100 : 1);
  if (number !== undefined && share <= 1) return share;
  throw new FabulaError("E_USAGE", `--tolerate ${given} is not a share: give one from 0% to 100%, such as 2%.`);
}
