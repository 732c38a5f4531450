import { expect, it } from "vitest";
import { scored } from "../../core/verdict.ts";
import type { RunOutcome } from "../methods/method.ts";
import { repeatRuns } from "./repeat.ts";

const scale = { minimum: 0, maximum: 100 };
/** Near the top of the scale the interval is cut off at 100; what is known about the score is not. */
const AROUND_THE_MEAN = [-3, 0, 2, -2, 1, 2, -1, 1, 0, 0];

async function runsNeeded(mean: number): Promise<number> {
  const judge = async (run: number): Promise<RunOutcome> => ({
    aspects: {},
    overall: scored(mean + AROUND_THE_MEAN[run]!),
    assessment: null,
    course: [],
    ledger: [],
  });
  return (await repeatRuns(judge, { runs: AROUND_THE_MEAN.length, untilHalfWidth: 5, scale })).length;
}

it("--until-ci takes as many runs at the end of the scale as in its middle", async () => {
  const inTheMiddle = await runsNeeded(48);
  expect(inTheMiddle).toBeGreaterThan(3);
  expect(inTheMiddle).toBeLessThan(AROUND_THE_MEAN.length);
  expect(await runsNeeded(98)).toBe(inTheMiddle);
  expect(await runsNeeded(3)).toBe(inTheMiddle);
});
