import { setImmediate } from "node:timers/promises";
import { FabulaError } from "../core/errors.ts";
import { type ShutdownBehaviour, STOP_AT_ONCE } from "./shutdown-behaviour.ts";
import type { Terminal } from "./terminal.ts";

/** How this process is asked to stop: by Ctrl-C, by SIGTERM, or by a closed output. */
export interface ProcessEnd {
  /** Aborted when the process is asked to stop. A command that never reads it is ended by the system, at once. */
  readonly signal: AbortSignal;
  /** Sets what to do when the process is asked to stop. */
  attend(work: ShutdownBehaviour): void;
  /** After the work: waits until all was written. Says why something is missing from the output; null when nothing is. */
  lostOutput(): Promise<string | null>;
}

/**
 * SIGTERM and the first Ctrl-C ask a command to shut down cleanly, and print at once what it still finishes. The second Ctrl-C
 * ends it on the spot; so does a second SIGTERM, unless something would be lost. Before a command takes the signal, the system
 * ends the process, as it does any other: a listener would only keep work that never looks at the signal from being stopped.
 * Nothing is half written then, since files are written beside and renamed.
 */
export function watchProcessEnd(process: NodeJS.Process, terminal: Terminal): ProcessEnd {
  const abort = new AbortController();
  let work = STOP_AT_ONCE;
  let lost: string | null = null;
  const end = (reason: FabulaError) => {
    if (abort.signal.aborted) return;
    if (work.finishing !== null) terminal.note(work.finishing);
    abort.abort(reason);
  };
  let isListening = false;
  const listen = () => {
    if (isListening) return;
    isListening = true;
    process.on("SIGINT", () => {
      if (abort.signal.aborted) process.exit(130);
      end(new FabulaError("E_INTERRUPTED", "Interrupted."));
    });
    // A closed terminal or a lost connection to it ends paid work as carefully.
    for (const [signal, code] of [
      ["SIGTERM", 143],
      ["SIGHUP", 129],
    ] as const) {
      process.on(signal, () => {
        if (abort.signal.aborted && !work.mustFinish) process.exit(code);
        end(new FabulaError("E_INTERRUPTED", "Interrupted."));
      });
    }
  };
  const loseOutput = (stream: "output" | "error output") => (error: NodeJS.ErrnoException) => {
    if (!work.mustFinish) {
      // A reader that has seen enough (`fabula … | head`) is no failure.
      if (error.code !== "EPIPE") terminal.note(`fabula: Standard ${stream} cannot be written (${error.code}).`);
      process.exit(error.code === "EPIPE" ? 0 : 1);
    }
    lost ??=
      error.code === "EPIPE"
        ? `Standard ${stream} was closed before everything was written.`
        : `Standard ${stream} cannot be written (${error.code}).`;
    end(new FabulaError("E_OUTPUT_LOST", lost));
  };
  process.stdout.on("error", loseOutput("output"));
  process.stderr.on("error", loseOutput("error output"));
  return {
    get signal() {
      listen();
      return abort.signal;
    },
    attend(next) {
      work = next;
    },
    async lostOutput() {
      work = { ...work, finishing: null };
      await new Promise((resolve) => process.stdout.write("", resolve));
      // A stream reports its error after the write that met it.
      await setImmediate();
      return lost;
    },
  };
}
