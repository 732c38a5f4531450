import { costInWords, costOfCalls } from "../../core/cost.ts";
import { type RunnerEvent, waitInWords } from "../../runner/runner-event.ts";

/** The sentence that a watcher of the job sees for an event; null for routine events. */
export function eventInWords(event: RunnerEvent): string | null {
  switch (event.kind) {
    case "retried":
      return `${said(event.model, event.reason)}; asked again in ${(event.waitMilliseconds / 1000).toFixed(1)} s.`;
    case "asked-again":
      return `${said(event.model, event.reason)}; asked again.`;
    case "failed":
      return `${said(event.model, event.reason)}: no usable answer.`;
    case "asked-to-wait":
    case "waits-for-store":
      return waitInWords(event);
    case "slowed":
      return `${event.provider} wants fewer requests: ${event.concurrency} at a time now.`;
    case "provider-down":
      return `${event.provider} cannot be used: ${withoutStop(event.reason)}.`;
    case "cost-limit":
      return `The cost limit of $${event.maximum.toFixed(2)} is reached: no more calls are made.`;
    case "resumed":
      return `Resumed. Spent before: ${costInWords(costOfCalls(event.spent, event.unpricedCalls))}.`;
    case "batch-submitted":
    case "batch-collected":
    case "answered":
    case "cached":
    case "finished":
      return null;
    default:
      return event satisfies never;
  }
}

/** A failure's message usually names its model; it should be named only once. */
function said(model: string, reason: string): string {
  const sentence = withoutStop(reason);
  return sentence.includes(model) ? sentence : `${model}: ${sentence}`;
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, "");
}
