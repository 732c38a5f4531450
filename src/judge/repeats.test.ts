import { expect, it } from "vitest";
import { seededRandom } from "../core/random.ts";
import { isScored, scored } from "../core/verdict.ts";
import type { ChatModel } from "../models/chat-model.ts";
import type { Judging } from "./methods/method.ts";
import { repeatRuns } from "./methods/registry.ts";
import { looksAllowed, noiseOfRuns, spreadOf } from "./repeats.ts";

/** Gives the scores one after another, run by run. */
const judging =
  (scoreOf: (run: number) => number): Judging =>
  async (_judge, run) => ({ aspects: {}, overall: scored(scoreOf(run)), assessment: null, course: [], ledger: [] });
const judge: ChatModel = { id: "nobody", contextTokens: null, complete: () => Promise.reject(new Error("not asked")) };
const { signal } = new AbortController();
const scale = { minimum: 0, maximum: 100 };
/** Near the top of the scale the interval is cut off at 100, but the half width is not. */
const AROUND_THE_MEAN = [-3, 0, 2, -2, 1, 2, -1, 1, 0, 0];

async function runsNeeded(mean: number): Promise<number> {
  const around = judging((run) => mean + AROUND_THE_MEAN[run]!);
  return (await repeatRuns(around, judge, { runs: AROUND_THE_MEAN.length, untilHalfWidth: 5, scale, signal })).length;
}

it("--until-ci takes as many runs at the end of the scale as in its middle", async () => {
  const inTheMiddle = await runsNeeded(48);
  expect(inTheMiddle).toBeGreaterThan(3);
  expect(inTheMiddle).toBeLessThan(AROUND_THE_MEAN.length);
  expect(await runsNeeded(98)).toBe(inTheMiddle);
  expect(await runsNeeded(3)).toBe(inTheMiddle);
});

/** How often the interval contains the judge's true mean if the interval's own width decides when to stop. */
async function coverage(untilHalfWidth: number, score: (random: () => number) => number, truth: number) {
  const random = seededRandom(44);
  const options = { runs: 20, untilHalfWidth, scale, signal };
  const books = 1500;
  let held = 0;
  for (let book = 0; book < books; book++) {
    const outcomes = await repeatRuns(
      judging(() => score(random)),
      judge,
      options,
    );
    const { verdict } = spreadOf(
      outcomes.map(({ overall }) => overall),
      scale,
      noiseOfRuns(outcomes),
      looksAllowed(options),
    );
    const [low, high] = (isScored(verdict) && verdict.interval) || [Number.NaN, Number.NaN];
    if (low <= truth && truth <= high) held++;
  }
  return held / books;
}

const normal = (random: () => number) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

it("--until-ci gives an interval that holds the judge's mean in 95 of 100 books, whenever it stops", async () => {
  // Intervals that allow for a single check contained it in 90 % to 94 % of them.
  expect(await coverage(3, (random) => 60 + 4 * normal(random), 60)).toBeGreaterThanOrEqual(0.95);
  expect(await coverage(5, (random) => 60 + 4 * normal(random), 60)).toBeGreaterThanOrEqual(0.95);
  // Judges give round numbers.
  expect(await coverage(4, (random) => 5 * Math.round((60 + 5 * normal(random)) / 5), 60)).toBeGreaterThanOrEqual(0.95);
});
