import type { Job, JobState } from "../../src/api/jobs.ts";
import type { Texts } from "../texts/english.ts";
import { isEmbedded } from "./judges/judge-name.ts";

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

/** What a job that is at work is doing and how far it has got; of another one its state. */
export function progressInWords({ request, state, stage, step, done, total }: Job, texts: Texts): string {
  if (state !== "running") return stateInWords(state, texts);
  const count = step ?? { done, total };
  const countsChapters = stage === READING_CHAPTERS || request.judges.every(isEmbedded);
  const far = countsChapters ? texts.chaptersOf : texts.jobProgress;
  return [stageInWords(stage, texts), ...(count.total > 0 ? [far(count.done, count.total)] : [])].join(" · ");
}

const READING_CHAPTERS = "Reading chapters";

/** A stage that has no word of ours is named as the judge's own work names it. */
function stageInWords(stage: string, texts: Texts): string {
  switch (stage) {
    case "Starting":
      return texts.stageStarting;
    case "Planning":
      return texts.stagePlanning;
    case "Summarising":
      return texts.stageSummarising;
    case "Judging":
      return texts.stageJudging;
    case READING_CHAPTERS:
      return texts.stageReadingChapters;
    case "Reading the book":
      return texts.stageReadingBook;
    case "Checking each claim":
      return texts.stageChecking;
    default:
      return stage;
  }
}

export function isEnded(state: JobState): boolean {
  return state === "done" || state === "cancelled" || state === "failed";
}
