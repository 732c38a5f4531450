import type { RunServices } from "../runner/open-run.ts";
import { waitInWords } from "../runner/runner-event.ts";
import type { Terminal } from "./terminal.ts";

/** What a run needs from a command: it ends with Ctrl-C, and whoever makes the user wait is named on the terminal. */
export function runServices(terminal: Terminal, signal: AbortSignal): RunServices {
  return {
    signal,
    onEvent: (event) => {
      if (event.kind === "asked-to-wait") terminal.note(waitInWords(event));
    },
  };
}
