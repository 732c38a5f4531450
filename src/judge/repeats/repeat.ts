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
/** How much the runs grow between two looks: the fewer looks, the narrower the interval that each of them can give. */
const GROWTH = 1.5;

/** After how many runs `--until-ci` looks whether to stop: 3, 5, 8, 12, 18 and 20 of at most 20. */
function lookPoints(runs: number): number[] {
  const points: number[] = [];
  for (let at = LEAST_RUNS; at < runs; at = Math.ceil(at * GROWTH)) points.push(at);
  return [...points, runs];
}

/** How many looks the interval of an evaluation has to allow for. */
export function looksAllowed({ runs, untilHalfWidth }: { runs: number; untilHalfWidth: number | null }): number {
  return untilHalfWidth === null ? 1 : lookPoints(runs).length;
}

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
    const next =
      untilHalfWidth === null
        ? runs - outcomes.length
        : lookPoints(runs).find((point) => point > outcomes.length)! - outcomes.length;
    const first = outcomes.length;
    outcomes.push(...(await Promise.all(Array.from({ length: next }, (_, at) => one(first + at)))));
    if (untilHalfWidth === null || outcomes.length < LEAST_RUNS) continue;
    const { halfWidth } = spreadOf(
      outcomes.map(({ overall }) => overall),
      scale,
      noiseOfRuns(outcomes),
      looksAllowed({ runs, untilHalfWidth }),
    );
    if (halfWidth !== null && halfWidth <= untilHalfWidth) break;
  }
  return outcomes;
}
