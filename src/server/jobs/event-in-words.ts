import { costInWords, costOfCalls } from "../../core/cost.ts";
import { type RunnerEvent, waitInWords } from "../../runner/runner-event.ts";

/** What happens in a run, told to whoever watches the job; null for what is everyday. */
export function eventInWords(event: RunnerEvent): string | null {
  switch (event.kind) {
    case "retried":
      return `${said(event.model, event.reason)}; asked again in ${(event.waitMilliseconds / 1000).toFixed(1)} s.`;
    case "asked-again":
      return `${said(event.model, event.reason)}; asked again.`;
    case "failed":
      return `${said(event.model, event.reason)}: no usable answer.`;
    case "asked-to-wait":
      return waitInWords(event);
    case "slowed":
      return `${event.provider} wants fewer requests: ${event.concurrency} at a time now.`;
    case "provider-down":
      return `${event.provider} cannot be used: ${withoutStop(event.reason)}.`;
    case "cost-limit":
      return `The cost limit of $${event.maximum.toFixed(2)} is reached: nothing more is asked.`;
    case "resumed":
      return `Going on. Spent before: ${costInWords(costOfCalls(event.spent, event.unpricedCalls))}.`;
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

/** A failure's sentence mostly names its model; who reads it needs the name once. */
function said(model: string, reason: string): string {
  const sentence = withoutStop(reason);
  return sentence.includes(model) ? sentence : `${model}: ${sentence}`;
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, "");
}
