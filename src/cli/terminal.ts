import { type Cost, costInWords } from "../core/cost.ts";
import type { ProgressEvent } from "../core/progress.ts";
import { durationInWords, plainOutput } from "../core/wording.ts";

/** How far the work is, and when it began. */
export interface Progress {
  readonly event: ProgressEvent;
  /** When the work began, and when its current stage did, in milliseconds. */
  readonly started: number;
  readonly stageStarted: number;
  readonly stageStart: number;
  readonly spent: Cost | null;
}

const BAR_WIDTH = 24;
/** Before this, an estimate of the remaining time would be wildly wrong. */
const GUESS_AFTER_MILLISECONDS = 3000;
const SLOW_MILLISECONDS = 2000;

export function nextProgress(before: Progress | null, event: ProgressEvent, now: number): Progress {
  // If the count starts again from the beginning, it is the next of several alike, such as the next book.
  const isSameStage =
    before?.event.stage === event.stage && before.event.total === event.total && before.event.done <= event.done;
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

/** Where a command writes: results to stdout, progress and notes to stderr. A test passes its own. */
export interface Terminal {
  readonly width: number;
  readonly colours: boolean;
  print(text: string): void;
  note(text: string): void;
  progress(event: ProgressEvent): void;
  /** The cost of the run so far, shown beside the progress. */
  cost(spent: Cost): void;
  endProgress(): void;
  /** No progress bar from here on: it would disturb typing, and nobody can guess how long a person takes. */
  muteProgress(): void;
}

interface Stream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const QUIET_SECONDS = 2;
const REDRAW_MILLISECONDS = 80;
const LINE_MILLISECONDS = 5000;
/** Keeps the bar moving while it waits for one long call. */
const TICK_MILLISECONDS = 1000;

/**
 * All output to the terminal goes through here, so this is where text from elsewhere is made harmless. The progress
 * bar redraws in place on a terminal, and is a line now and then in a log; it is silent for work under two seconds.
 */
export function createTerminal(stdout: Stream, stderr: Stream, environment: { noColour: boolean }): Terminal {
  let progress: Progress | null = null;
  let ticking: NodeJS.Timeout | undefined;
  let lastDrawn = 0;
  let drawn = false;
  let isMuted = false;
  const colours = stdout.isTTY === true && !environment.noColour;
  const clear = () => {
    if (drawn && stderr.isTTY) stderr.write("\r\u001b[2K");
    drawn = false;
  };
  const draw = () => {
    const now = performance.now();
    if (progress === null) return;
    const line = plainOutput(progressLine(progress, now), { colours: false });
    if (stderr.isTTY) {
      drawn = true;
      stderr.write(`\r\u001b[2K${line}`);
    } else if (now - progress.started > QUIET_SECONDS * 1000 && now - lastDrawn > LINE_MILLISECONDS) {
      stderr.write(`${line}\n`);
    } else return;
    lastDrawn = now;
  };
  return {
    width: stdout.columns ?? 100,
    colours,
    print(text) {
      clear();
      const plain = plainOutput(text, { colours });
      stdout.write(plain.endsWith("\n") ? plain : `${plain}\n`);
    },
    note(text) {
      clear();
      stderr.write(`${plainOutput(text, { colours: false })}\n`);
    },
    progress(event) {
      if (isMuted) return;
      const now = performance.now();
      progress = nextProgress(progress, event, now);
      ticking ??= setInterval(draw, TICK_MILLISECONDS).unref();
      const isOften = stderr.isTTY && now - lastDrawn < REDRAW_MILLISECONDS && event.done !== event.total;
      if (!isOften) draw();
    },
    cost(spent) {
      if (progress !== null) progress = { ...progress, spent };
    },
    endProgress() {
      clear();
      clearInterval(ticking);
      ticking = undefined;
      progress = null;
      lastDrawn = 0;
    },
    muteProgress() {
      this.endProgress();
      isMuted = true;
    },
  };
}
