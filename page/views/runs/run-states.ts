import type { RunState } from "../../../src/api/runs.ts";

/** The texts that name the state of a run. */
export const runStates = {
  running: "runRunning",
  done: "runDone",
  interrupted: "runInterrupted",
  stopped: "runStopped",
  failed: "runFailed",
  killed: "runKilled",
} as const satisfies Readonly<Record<RunState, string>>;
