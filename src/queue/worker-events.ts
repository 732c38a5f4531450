import { dollars } from "../core/cost.ts";
import { noticeInWords, type RunnerEvent } from "../runner/runner-event.ts";

/** An event of a worker: one line of its log. */
export interface WorkerEvent {
  readonly level: "info" | "warning" | "error";
  readonly event: string;
  readonly run?: string;
  readonly piece?: number;
  readonly label?: string;
  readonly detail?: string;
  readonly milliseconds?: number;
}

export type WorkerListener = (event: WorkerEvent) => void;

/** The log entry for an event of a piece; null for routine events. */
export function logEntryFor(event: RunnerEvent): Pick<WorkerEvent, "level" | "detail"> | null {
  switch (event.kind) {
    case "provider-down":
      return { level: "error", detail: `${event.provider}: ${event.reason}` };
    case "failed":
      return { level: "warning", detail: `${event.model}: ${event.reason}` };
    case "asked-to-wait":
    case "waits-for-store":
    case "usage-estimated":
    case "version-changed":
    case "local-chosen":
    case "no-reply-yet":
      return { level: "warning", detail: noticeInWords(event) };
    case "slowed":
      return { level: "info", detail: `${event.provider}: ${event.concurrency} calls at a time` };
    case "cost-limit":
      return { level: "warning", detail: dollars(event.maximum) };
    case "retried":
      return { level: "info", detail: `${event.model}: ${event.reason}` };
    case "answered":
    case "cached":
    case "asked-again":
    case "resumed":
    case "batch-submitted":
    case "batch-collected":
    case "finished":
      return null;
    default:
      return event satisfies never;
  }
}
