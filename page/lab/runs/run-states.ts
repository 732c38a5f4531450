import type { RunState } from "../../../src/api/runs.ts";
import type { Texts } from "../../texts/english.ts";

/** The texts that name the state of a run. */
export const runStates = {
  running: "runRunning",
  done: "runDone",
  interrupted: "runInterrupted",
  stopped: "runStopped",
  failed: "runFailed",
  killed: "runKilled",
} as const satisfies Readonly<Record<RunState, string>>;

/** How a run came by a call, in the reader's language. */
export function outcomeInWords(outcome: string, texts: Texts): string {
  switch (outcome) {
    case "asked":
      return texts.outcomeAsked;
    case "cached":
      return texts.outcomeCached;
    case "failed":
      return texts.outcomeFailed;
    default:
      return outcome;
  }
}

/** What a call was for. Purposes that are rare are shown as the store names them. */
export function purposeInWords(purpose: string, texts: Texts): string {
  switch (purpose) {
    case "judge":
      return texts.cellPurposeJudge;
    case "summariser":
      return texts.cellPurposeSummary;
    default:
      return purpose;
  }
}

export function secondsOf(milliseconds: number | null, texts: Texts): string {
  return milliseconds === null ? "–" : texts.seconds((milliseconds / 1000).toFixed(1));
}
