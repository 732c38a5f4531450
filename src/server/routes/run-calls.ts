import { z } from "zod";
import type { CallRequest, RunCallDetails, RunCallRow } from "../../api/runs.ts";
import type { RunCall } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import { callFields, requestOf } from "../../workflows/evidence/stored-request.ts";

const LONGEST_REPLY = 4000;
/** As `identify` of the runner keeps it; other fields may be added there. */
const requestSchema = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
  temperature: z.number().optional(),
  seed: z.number().optional(),
  maximumTokens: z.number().optional(),
  schema: z.unknown().optional(),
});

export function callRow(call: RunCall): RunCallRow {
  const { answer } = call;
  return {
    ...callFields(call),
    latencyMilliseconds: answer?.latencyMilliseconds ?? null,
    inputTokens: answer?.inputTokens ?? null,
    outputTokens: answer?.outputTokens ?? null,
    attempts: answer?.attempts ?? null,
    reply: answer?.text.slice(0, LONGEST_REPLY) ?? null,
  };
}

/** A call whole: what was sent as it was sent, and what came back as it came. */
export async function callDetails(store: Store, call: RunCall): Promise<RunCallDetails> {
  const { answer } = call;
  const stored = await requestOf(store, call);
  return {
    ...callRow(call),
    request: stored === null ? null : readRequest(stored),
    reply: answer?.text ?? null,
    reasoning: answer?.reasoning ?? null,
    stop: answer?.stop ?? null,
    servedBy: answer?.servedBy ?? null,
    sample: answer?.sample ?? null,
    cachedInputTokens: answer?.cachedInputTokens ?? null,
    reasoningTokens: answer?.reasoningTokens ?? null,
  };
}

/** A request that is not in the known shape is shown as it is kept. */
function readRequest(stored: string): CallRequest {
  const known = requestSchema.safeParse(parsed(stored));
  if (!known.success) {
    return {
      messages: [{ role: "user", content: stored }],
      temperature: null,
      seed: null,
      maximumTokens: null,
      schema: null,
    };
  }
  const { messages, temperature, seed, maximumTokens, schema } = known.data;
  return {
    messages: messages.map(({ role, content }) => ({ role, content: inText(content) })),
    temperature: temperature ?? null,
    seed: seed ?? null,
    maximumTokens: maximumTokens ?? null,
    schema: schema === undefined || schema === null ? null : JSON.stringify(schema, null, 2),
  };
}

function inText(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content, null, 2);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
