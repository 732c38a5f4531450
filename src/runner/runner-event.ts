import { z } from "zod";
import { durationInWords } from "../core/wording/duration-in-words.ts";
import type { RunEvent } from "../store/records.ts";

/** Events of the runner. Those a user may want to see later are stored with the run. */
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
      /** By the provider; `waitMilliseconds` is what it gets. */
      readonly kind: "asked-to-wait";
      readonly provider: string;
      readonly askedMilliseconds: number;
      readonly waitMilliseconds: number;
    }
  | { readonly kind: "slowed"; readonly provider: string; readonly concurrency: number }
  | { readonly kind: "provider-down"; readonly provider: string; readonly reason: string }
  | { readonly kind: "cost-limit"; readonly maximum: number }
  | { readonly kind: "waits-for-store"; readonly problem: "locked" | "full" }
  | { readonly kind: "resumed"; readonly spent: number; readonly unpricedCalls: number }
  | { readonly kind: "batch-submitted"; readonly model: string; readonly calls: number }
  | { readonly kind: "batch-collected"; readonly model: string; readonly calls: number }
  | { readonly kind: "finished"; readonly status: string };

export type RunnerListener = (event: RunnerEvent) => void;

/** Answers and cache hits are kept as uses of calls; as events they would be kept twice. */
export function isKept({ kind }: RunnerEvent): boolean {
  return kind !== "answered" && kind !== "cached";
}

const costLimitSchema = z.object({ maximum: z.number() });
const providerDownSchema = z.object({ reason: z.string() });

/** Why a run stopped early, from a stored event; null when the event did not stop it. */
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

/** What the run waits for: a provider that asked for it, or the store. */
export function waitInWords(event: Extract<RunnerEvent, { kind: "asked-to-wait" | "waits-for-store" }>): string {
  if (event.kind === "waits-for-store") return STORE_WAITS[event.problem];
  const { provider, askedMilliseconds, waitMilliseconds } = event;
  const asked = `${provider} asks us to wait ${durationInWords(askedMilliseconds)}`;
  return waitMilliseconds < askedMilliseconds
    ? `${asked}: trying again in ${durationInWords(waitMilliseconds)}.`
    : `${asked}.`;
}

const STORE_WAITS = {
  locked: "Another program keeps the store locked. Paid answers are held for up to three minutes until it is free.",
  full: "The disk of the store is full: free some space. Paid answers are held for up to a minute.",
};

export function costLimitReached(maximum: number): string {
  return `the cost limit of $${maximum.toFixed(2)} was reached`;
}
