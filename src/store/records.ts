import { z } from "zod";

/** One answered request, kept for ever: what was asked is under `requestHash`, what came back is here. */
export const storedCallSchema = z.object({
  key: z.string(),
  model: z.string(),
  purpose: z.string(),
  sample: z.number().int(),
  requestHash: z.string(),
  text: z.string(),
  reasoning: z.string().nullable(),
  stop: z.enum(["stop", "length", "refusal", "other"]),
  /** The model as the provider named it in the reply. */
  servedBy: z.string(),
  inputTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  cachedInputTokens: z.number().int().nonnegative(),
  reasoningTokens: z.number().int().nonnegative(),
  /** US dollars for all attempts; null when the price is unknown. */
  cost: z.number().nonnegative().nullable(),
  latencyMilliseconds: z.number().nonnegative(),
  attempts: z.number().int().positive(),
  answeredAt: z.string(),
});
export type StoredCall = z.infer<typeof storedCallSchema>;

export const runStatusSchema = z.enum(["running", "done", "interrupted", "stopped", "failed"]);
export type RunStatus = z.infer<typeof runStatusSchema>;

/** A set of calls with a budget: one execution of a command, continued as often as it is resumed. */
export const storedRunSchema = z.object({
  id: z.string(),
  /** The words after `fabula`, to do it again. */
  command: z.array(z.string()),
  folder: z.string(),
  status: runStatusSchema,
  /** Why it stopped, when it did not end by itself. */
  note: z.string().nullable(),
  maximumCost: z.number().nonnegative().nullable(),
  startedAt: z.string(),
  /** `host:process` that works or worked on it, and its last sign of life: how a crashed run is told from a busy one. */
  worker: z.string(),
  seenAt: z.string(),
  finishedAt: z.string().nullable(),
});
export type StoredRun = z.infer<typeof storedRunSchema>;

/** How a run came by a call: it paid for it, found it in the store, or got no answer. */
export const callUseSchema = z.object({
  runId: z.string(),
  key: z.string(),
  outcome: z.enum(["asked", "cached", "failed"]),
  model: z.string(),
  purpose: z.string(),
  cost: z.number().nonnegative().nullable(),
  inputTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  reason: z.string().nullable(),
  /** What was asked, for a call that was sent and got no answer; an answer names its own request. */
  requestHash: z.string().nullable(),
  at: z.string(),
});
export type CallUse = z.infer<typeof callUseSchema>;

export const useTotalSchema = z.object({
  outcome: callUseSchema.shape.outcome,
  model: z.string(),
  purpose: z.string(),
  calls: z.number().int(),
  /** Of the calls whose price is known; null when there are none. */
  cost: z.number().nullable(),
  unpricedCalls: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
});
export type UseTotal = z.infer<typeof useTotalSchema>;

export const runEventSchema = z.object({
  runId: z.string(),
  at: z.string(),
  kind: z.string(),
  detail: z.string(),
});
export type RunEvent = z.infer<typeof runEventSchema>;

/** A use together with the answer it led to, if any: a line of an export. */
export const runCallSchema = callUseSchema.extend({
  position: z.number().int(),
  answer: storedCallSchema.nullable(),
});
export type RunCall = z.infer<typeof runCallSchema>;

/** A provider's batch, from the moment we decided to submit it. Without an id we do not know whether it arrived. */
export const storedBatchSchema = z.object({
  token: z.string(),
  runId: z.string(),
  model: z.string(),
  providerId: z.string().nullable(),
  submittedAt: z.string(),
  collected: z.boolean(),
  keys: z.array(z.string()),
});
export type StoredBatch = z.infer<typeof storedBatchSchema>;

/** What a run leaves beside its calls, by name, such as the judged draft that a second draft is compared with. */
export const runMetadataSchema = z.object({ runId: z.string(), name: z.string(), body: z.string(), at: z.string() });
export type RunMetadata = z.infer<typeof runMetadataSchema>;

export const failureCountSchema = z.object({ reason: z.string(), calls: z.number().int() });
export type FailureCount = z.infer<typeof failureCountSchema>;
