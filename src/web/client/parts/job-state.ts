import type { JobState } from "../../api/jobs.ts";
import type { Texts } from "../texts/english.ts";

export function stateInWords(state: JobState, texts: Texts): string {
  switch (state) {
    case "queued":
      return texts.stateQueued;
    case "running":
      return texts.stateRunning;
    case "pausing":
      return texts.statePausing;
    case "paused":
      return texts.statePaused;
    case "done":
      return texts.stateDone;
    case "cancelled":
      return texts.stateCancelled;
    case "failed":
      return texts.stateFailed;
    default:
      return state satisfies never;
  }
}

export function isEnded(state: JobState): boolean {
  return state === "done" || state === "cancelled" || state === "failed";
}
