import { costOfCalls } from "../core/cost.ts";
import { isCovered } from "../models/judge-name.ts";
import type { RunServices } from "../runner/open-run.ts";
import { isNotice, noticeInWords, type RunnerListener } from "../runner/runner-event.ts";
import { pasteModel, QUESTIONS_FOLDER } from "./paste-judge.ts";
import type { Terminal } from "./terminal.ts";

/** What a run needs from a command: it stops with Ctrl-C, and the terminal says what the user waits for. */
export function runServices(terminal: Terminal, signal: AbortSignal): RunServices {
  return {
    signal,
    onEvent: runEvents(terminal),
    byHand: (id) => pasteModel({ id, folder: QUESTIONS_FOLDER, stdin: process.stdin, terminal }),
  };
}

export function runEvents(terminal: Terminal): RunnerListener {
  let unpricedCalls = 0;
  let coveredCalls = 0;
  return (event) => {
    if (isNotice(event)) terminal.note(noticeInWords(event));
    if (event.kind === "resumed") ({ unpricedCalls, coveredCalls = 0 } = event);
    if (event.kind === "answered" && event.cost === null) {
      if (isCovered(event.model)) coveredCalls += 1;
      else unpricedCalls += 1;
    }
    if (event.kind === "answered" || event.kind === "resumed")
      terminal.cost(costOfCalls(event.spent, unpricedCalls, coveredCalls));
  };
}
