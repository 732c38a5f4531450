import { z } from "zod";
import type { CallFields } from "../../api/calls.ts";
import type { RunCall } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";

/** A request as the runner keeps it: everything that changes an answer. */
const storedRequestSchema = z.object({
  messages: z.array(z.object({ role: z.enum(["system", "user", "assistant"]), content: z.string() })),
  schema: z.object({ name: z.string() }).optional(),
  temperature: z.number().optional(),
  seed: z.number().optional(),
  maximumTokens: z.number().optional(),
});
export type StoredRequest = z.infer<typeof storedRequestSchema>;

export function callFields({ position, at, model, purpose, outcome, reason, cost }: RunCall): CallFields {
  return { position, at, model, purpose, outcome, reason, cost };
}

/** What a call asked, with an answer or without one, as it is kept; null when it was never sent, or by an earlier version. */
export async function requestOf(store: Store, { answer, requestHash }: RunCall): Promise<string | null> {
  const hash = answer?.requestHash ?? requestHash;
  return hash === null ? null : store.findRequest(hash);
}

/** Null when it is not there or not in this form. */
export function readStoredRequest(body: string | null): StoredRequest | null {
  if (body === null) return null;
  try {
    return storedRequestSchema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}
