import type { RunOutcome } from "../methods/method.ts";
import { noiseOfRuns, spreadOf } from "./spread.ts";

export interface RepeatOptions {
  /** How many runs; the most when `untilHalfWidth` may end earlier. */
  readonly runs: number;
  /** Stop as soon as the overall score is known to this many points either way. */
  readonly untilHalfWidth: number | null;
  readonly scale: { readonly minimum: number; readonly maximum: number };
}

/** Two runs that happen to agree prove little. */
const LEAST_RUNS = 3;
/** Runs asked together while waiting for the interval to narrow. */
const AT_A_TIME = 2;

/**
 * Repeats an evaluation. The first run goes alone when others follow, so that their common beginning is in the provider's
 * prefix cache before they are asked; the rest go side by side.
 */
export async function repeatRuns(
  judge: (run: number) => Promise<RunOutcome>,
  { runs, untilHalfWidth, scale }: RepeatOptions,
  onDone: (done: number) => void = () => {},
): Promise<RunOutcome[]> {
  let done = 0;
  const one = async (run: number) => {
    const outcome = await judge(run);
    onDone(++done);
    return outcome;
  };
  const outcomes = [await one(0)];
  while (outcomes.length < runs) {
    const next = untilHalfWidth === null ? runs - outcomes.length : nextBatch(outcomes.length, runs);
    const first = outcomes.length;
    outcomes.push(...(await Promise.all(Array.from({ length: next }, (_, at) => one(first + at)))));
    if (untilHalfWidth === null || outcomes.length < LEAST_RUNS) continue;
    const { halfWidth } = spreadOf(
      outcomes.map(({ overall }) => overall),
      scale,
      noiseOfRuns(outcomes),
    );
    if (halfWidth !== null && halfWidth <= untilHalfWidth) break;
  }
  return outcomes;
}

function nextBatch(done: number, runs: number): number {
  return Math.min(runs - done, done < LEAST_RUNS ? LEAST_RUNS - done : AT_A_TIME);
}
