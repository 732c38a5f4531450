import type { RunComparison } from "../../api/runs.ts";
import type { Store } from "../../store/store.ts";

/** As many rows as a person would read, and as much of each reply as shows where two differ. */
const MOST = { rows: 200, characters: 4000 };

/** Two runs call by call: the same prompt under the same sample number. */
export async function compareRuns(
  store: Store,
  leftRun: string,
  rightRun: string,
): Promise<Omit<RunComparison, "left" | "right">> {
  const { left, right, both, same, rows } = await store.compareRuns(leftRun, rightRun, MOST);
  return { both, sameReply: same, onlyLeft: left - both, onlyRight: right - both, rows };
}
