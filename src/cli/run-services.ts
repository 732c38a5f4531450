import { costOfCalls } from "../core/cost.ts";
import { isCovered } from "../models/judge-name.ts";
import { runsHere } from "../models/prices.ts";
import { isNotice, noticeInWords, type RunnerListener } from "../runner/runner-event.ts";
import type { Terminal } from "./terminal.ts";

/** What happens in a run, as the terminal says it: what the user waits for, and what it has cost so far. */
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
    const isFree = event.kind === "answered" && event.spent === 0 && runsHere(event.model);
    if ((event.kind === "answered" && !isFree) || event.kind === "resumed")
      terminal.cost(costOfCalls(event.spent, unpricedCalls, coveredCalls));
  };
}
