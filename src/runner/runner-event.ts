import { z } from "zod";
import { dollars } from "../core/cost.ts";
import { durationInWords, judgeInWords } from "../core/wording.ts";
import type { RunEvent } from "../store/records.ts";

/** Events of the runner. Those that a user may want to see later are stored with the run. */
export type RunnerEvent =
  | { readonly kind: "answered"; readonly model: string; readonly cost: number | null; readonly spent: number }
  | { readonly kind: "cached"; readonly model: string }
  | {
      readonly kind: "retried";
      readonly model: string;
      readonly reason: string;
      readonly attempt: number;
      readonly waitMilliseconds: number;
    }
  | { readonly kind: "asked-again"; readonly model: string; readonly reason: string }
  | { readonly kind: "failed"; readonly model: string; readonly reason: string }
  | {
      /** Set by the provider; `waitMilliseconds` is how long the call actually waits. */
      readonly kind: "asked-to-wait";
      readonly provider: string;
      readonly askedMilliseconds: number;
      readonly waitMilliseconds: number;
    }
  | { readonly kind: "slowed"; readonly provider: string; readonly concurrency: number }
  | {
      readonly kind: "provider-down";
      readonly provider: string;
      readonly reason: string;
      /** It is the key that it does not take: with another it may answer. */
      readonly refusesKey: boolean;
    }
  | { readonly kind: "cost-limit"; readonly maximum: number }
  | { readonly kind: "waits-for-store"; readonly problem: "locked" | "full" }
  | { readonly kind: "usage-estimated"; readonly model: string }
  /** Which local model judges, if the user left it open, and why it may be too weak. */
  | { readonly kind: "local-chosen"; readonly model: string; readonly words: string; readonly weakness: string | null }
  /** A program on this machine has printed nothing for a while. */
  | { readonly kind: "no-reply-yet"; readonly model: string; readonly words: string }
  /** A judge's replies state another version of the model than earlier ones in the run. */
  | { readonly kind: "version-changed"; readonly model: string; readonly from: string; readonly to: string }
  | {
      readonly kind: "resumed";
      readonly spent: number;
      readonly unpricedCalls: number;
      readonly coveredCalls?: number | undefined;
    }
  | { readonly kind: "batch-submitted"; readonly model: string; readonly calls: number }
  | { readonly kind: "batch-collected"; readonly model: string; readonly calls: number }
  | { readonly kind: "finished"; readonly status: string };

export type RunnerListener = (event: RunnerEvent) => void;

/** Answers and cache hits are stored as uses of calls; as events they would be stored twice. */
export function isKept({ kind }: RunnerEvent): boolean {
  return kind !== "answered" && kind !== "cached";
}

const costLimitSchema = z.object({ maximum: z.number() });
const providerDownSchema = z.object({ reason: z.string() });

/** Why a run stopped early, from a stored event; null if the event did not stop it. */
export function stopReason({ kind, detail }: Pick<RunEvent, "kind" | "detail">): string | null {
  switch (kind) {
    case "cost-limit":
      return costLimitReached(costLimitSchema.parse(JSON.parse(detail)).maximum);
    case "provider-down":
      return providerDownSchema.parse(JSON.parse(detail)).reason;
    default:
      return null;
  }
}

/** The kinds of events that are reported to the user at once. */
const NOTICES = [
  "asked-to-wait",
  "waits-for-store",
  "usage-estimated",
  "version-changed",
  "local-chosen",
  "no-reply-yet",
] as const satisfies readonly RunnerEvent["kind"][];
type Notice = (typeof NOTICES)[number];

export function isNotice(event: RunnerEvent): event is Extract<RunnerEvent, { kind: Notice }> {
  return NOTICES.some((kind) => kind === event.kind);
}

/** What a user should know while the run continues: what it is waiting for, and what its cost is based on. */
export function noticeInWords(event: Extract<RunnerEvent, { kind: Notice }>): string {
  if (event.kind === "local-chosen") return [event.words, event.weakness].filter(Boolean).join(" ");
  if (event.kind === "no-reply-yet") return event.words;
  if (event.kind === "version-changed")
    return `${judgeInWords(event.model)} changed within this run: its replies came from ${event.from} and now come from ${event.to}. Scores of the two may differ.`;
  if (event.kind === "usage-estimated")
    return `${event.model} reports no token counts, or impossible ones: its cost is estimated from the length of the texts.`;
  if (event.kind === "waits-for-store") return STORE_WAITS[event.problem];
  const { provider, askedMilliseconds, waitMilliseconds } = event;
  const asked = `${provider} asks us to wait ${durationInWords(askedMilliseconds)}`;
  return waitMilliseconds < askedMilliseconds
    ? `${asked}: trying again in ${durationInWords(waitMilliseconds)}.`
    : `${asked}.`;
}

const STORE_WAITS = {
  locked:
    "Another program keeps the store locked. Nothing more is sent, and paid answers are held for up to three minutes until it is free.",
  full: "The disk of the store is full: free some space. Nothing more is sent, and paid answers are held for up to a minute.",
};

export function costLimitReached(maximum: number): string {
  return `the cost limit of ${dollars(maximum)} was reached`;
}
