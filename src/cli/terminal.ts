import type { ProgressEvent } from "../core/progress.ts";
import { plainOutput } from "./output/plain-output.ts";

/** Where a command writes: results to stdout, progress and notes to stderr. A test gives its own. */
export interface Terminal {
  readonly width: number;
  readonly colours: boolean;
  print(text: string): void;
  note(text: string): void;
  progress(event: ProgressEvent): void;
  endProgress(): void;
}

interface Stream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const BAR_WIDTH = 24;
const QUIET_SECONDS = 2;
const REDRAW_MILLISECONDS = 80;
const LINE_MILLISECONDS = 5000;

/**
 * The one way to the terminal, and so the one place where what others wrote is made harmless. A bar that redraws in place on a terminal, and a line now and then in a log; silent for work
 * under two seconds.
 */
export function createTerminal(stdout: Stream, stderr: Stream, environment: { noColour: boolean }): Terminal {
  let started: number | null = null;
  let lastDrawn = 0;
  let drawn = false;
  const colours = stdout.isTTY === true && !environment.noColour;
  const clear = () => {
    if (drawn && stderr.isTTY) stderr.write("\r\u001b[2K");
    drawn = false;
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
      started ??= now;
      if (stderr.isTTY) {
        if (now - lastDrawn < REDRAW_MILLISECONDS && event.done !== event.total) return;
        lastDrawn = now;
        drawn = true;
        stderr.write(`\r\u001b[2K${plainOutput(bar(event), { colours: false })}`);
      } else if (now - started > QUIET_SECONDS * 1000 && now - lastDrawn > LINE_MILLISECONDS) {
        lastDrawn = now;
        stderr.write(`${plainOutput(bar(event), { colours: false })}\n`);
      }
    },
    endProgress() {
      clear();
      started = null;
      lastDrawn = 0;
    },
  };
}

function bar({ stage, done, total, note }: ProgressEvent): string {
  const tail = note ? `  ${note}` : "";
  if (total === null || total === 0) return `${stage} ${done}${tail}`;
  const filled = Math.round((Math.min(done, total) / total) * BAR_WIDTH);
  return `${stage} ${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)} ${done}/${total}${tail}`;
}
