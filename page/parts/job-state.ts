import type { JobState } from "../../src/api/jobs.ts";
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
    case "cancelling":
      return texts.stateCancelling;
    case "cancelled":
      return texts.stateCancelled;
    case "failed":
      return texts.stateFailed;
    default:
      return state satisfies never;
  }
}

/** A stage that has no word of ours is named as the judge's own work names it. */
export function stageInWords(stage: string, texts: Texts): string {
  switch (stage) {
    case "Starting":
      return texts.stageStarting;
    case "Planning":
      return texts.stagePlanning;
    case "Summarising":
      return texts.stageSummarising;
    case "Judging":
      return texts.stageJudging;
    default:
      return stage;
  }
}

export function isEnded(state: JobState): boolean {
  return state === "done" || state === "cancelled" || state === "failed";
}
