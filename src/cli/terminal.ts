import type { Cost } from "../core/cost.ts";
import type { ProgressEvent } from "../core/progress.ts";
import { plainOutput } from "../core/wording/plain-output.ts";
import { nextProgress, type Progress, progressLine } from "./output/progress-line.ts";

/** Where a command writes: results to stdout, progress and notes to stderr. A test gives its own. */
export interface Terminal {
  readonly width: number;
  readonly colours: boolean;
  print(text: string): void;
  note(text: string): void;
  progress(event: ProgressEvent): void;
  /** What the run has cost so far, shown beside the progress. */
  cost(spent: Cost): void;
  endProgress(): void;
}

interface Stream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const QUIET_SECONDS = 2;
const REDRAW_MILLISECONDS = 80;
const LINE_MILLISECONDS = 5000;
/** A bar that waits for one long call still shows that time passes. */
const TICK_MILLISECONDS = 1000;

/**
 * The one way to the terminal, and so the one place where what others wrote is made harmless. A bar that redraws in place on
 * a terminal, and a line now and then in a log, which is silent for work under two seconds.
 */
export function createTerminal(stdout: Stream, stderr: Stream, environment: { noColour: boolean }): Terminal {
  let progress: Progress | null = null;
  let ticking: NodeJS.Timeout | undefined;
  let lastDrawn = 0;
  let drawn = false;
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
  };
}
