import { costOfCalls } from "../core/cost.ts";
import type { RunServices } from "../runner/open-run.ts";
import { waitInWords } from "../runner/runner-event.ts";
import type { Terminal } from "./terminal.ts";

/** What a run needs from a command: it stops with Ctrl-C, and the terminal says what the user waits for. */
export function runServices(terminal: Terminal, signal: AbortSignal): RunServices {
  let unpricedCalls = 0;
  return {
    signal,
    onEvent: (event) => {
      if (event.kind === "asked-to-wait" || event.kind === "waits-for-store") terminal.note(waitInWords(event));
      if (event.kind === "resumed") unpricedCalls = event.unpricedCalls;
      if (event.kind === "answered" && event.cost === null) unpricedCalls += 1;
      if (event.kind === "answered" || event.kind === "resumed") terminal.cost(costOfCalls(event.spent, unpricedCalls));
    },
  };
}
