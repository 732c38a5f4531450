import { type Cost, costInWords } from "../../core/cost.ts";
import type { ProgressEvent } from "../../core/progress.ts";
import { durationInWords } from "../../core/wording/duration-in-words.ts";

/** How far the work is, and since when. */
export interface Progress {
  readonly event: ProgressEvent;
  /** When the work began, and when this stage of it did, in milliseconds. */
  readonly started: number;
  readonly stageStarted: number;
  readonly stageStart: number;
  readonly spent: Cost | null;
}

const BAR_WIDTH = 24;
/** Before this, a guess at what is left would be wild. */
const GUESS_AFTER_MILLISECONDS = 3000;
const SLOW_MILLISECONDS = 2000;

export function nextProgress(before: Progress | null, event: ProgressEvent, now: number): Progress {
  const isSameStage = before?.event.stage === event.stage && before.event.total === event.total;
  return {
    event,
    started: before?.started ?? now,
    stageStarted: isSameStage ? before.stageStarted : now,
    stageStart: isSameStage ? before.stageStart : event.done,
    spent: before?.spent ?? null,
  };
}

/** `Judging ████░░░░ 2/5  about 40 seconds left  $0.12`. */
export function progressLine(progress: Progress, now: number): string {
  const { stage, done, total, note } = progress.event;
  const parts = [timeInWords(progress, now), progress.spent && costInWords(progress.spent), note];
  const tail = parts.flatMap((part) => (part ? [`  ${part}`] : [])).join("");
  if (total === null || total === 0) return `${stage} ${done}${tail}`;
  const filled = Math.round((Math.min(done, total) / total) * BAR_WIDTH);
  return `${stage} ${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)} ${done}/${total}${tail}`;
}

function timeInWords({ event, started, stageStarted, stageStart }: Progress, now: number): string | null {
  const elapsed = now - stageStarted;
  const steps = event.done - stageStart;
  if (event.total !== null && steps > 0 && event.done < event.total && elapsed > GUESS_AFTER_MILLISECONDS) {
    return `about ${durationInWords((elapsed / steps) * (event.total - event.done))} left`;
  }
  return now - started > SLOW_MILLISECONDS ? `${Math.round((now - started) / 1000)} s` : null;
}
