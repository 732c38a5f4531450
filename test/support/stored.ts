import type { CallUse, StoredCall, StoredRun } from "../../src/store/records.ts";

/** Things to keep in a store, as tests need them. */
export const call = (key: string, changes: Partial<StoredCall> = {}): StoredCall => ({
  key,
  model: "openai:gpt-4o",
  purpose: "judge",
  sample: 0,
  requestHash: `request of ${key}`,
  text: `answer to ${key} – «ça va»`,
  reasoning: null,
  stop: "stop",
  servedBy: "gpt-4o-2024-11-20",
  inputTokens: 100,
  outputTokens: 10,
  cachedInputTokens: 0,
  reasoningTokens: 0,
  cost: 0.25,
  latencyMilliseconds: 12.5,
  attempts: 1,
  answeredAt: "2026-01-01T00:00:00.000Z",
  ...changes,
});
export const use = (runId: string, key: string, changes: Partial<CallUse> = {}): CallUse => ({
  runId,
  key,
  outcome: "asked",
  model: "openai:gpt-4o",
  purpose: "judge",
  cost: 0.25,
  inputTokens: 100,
  outputTokens: 10,
  reason: null,
  at: "2026-01-01T00:00:00.000Z",
  ...changes,
});
export const run = (id: string, changes: Partial<StoredRun> = {}): StoredRun => ({
  id,
  command: ["evaluate", "a book.epub", "--judge", "openai:gpt-4o"],
  folder: "/books",
  status: "running",
  note: null,
  maximumCost: 2,
  startedAt: "2026-01-01T00:00:00.000Z",
  worker: "host:1",
  seenAt: "2026-01-01T00:00:00.000Z",
  finishedAt: null,
  ...changes,
});
