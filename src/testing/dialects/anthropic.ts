import { z } from "zod";
import type { BilledReply, Dialect, SimulatedRequest } from "../simulated-exchange.ts";
import { pieces } from "../simulated-exchange.ts";

const textSchema = z.union([
  z.string(),
  z
    .array(z.object({ type: z.literal("text"), text: z.string() }))
    .transform((parts) => parts.map((p) => p.text).join("")),
]);

const requestSchema = z.object({
  model: z.string(),
  max_tokens: z.number().int().positive(),
  system: textSchema.optional(),
  messages: z.array(z.object({ role: z.enum(["user", "assistant"]), content: textSchema })).min(1),
  output_config: z
    .object({
      format: z.object({ type: z.literal("json_schema"), schema: z.record(z.string(), z.unknown()) }).optional(),
    })
    .optional(),
  tools: z.array(z.object({ name: z.string(), input_schema: z.record(z.string(), z.unknown()) })).optional(),
  temperature: z.number().optional(),
  stream: z.boolean().default(false),
});

const STOP = { stop: "end_turn", length: "max_tokens", refusal: "refusal", other: "end_turn" } as const;

/** A schema asked as a tool comes back as a tool call; this remembers which, by the request that was read. */
const askedAsTool = new WeakMap<SimulatedRequest, string>();

function usage({ inputTokens, outputTokens }: BilledReply) {
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
  };
}

function contentBlocks(reply: BilledReply, request: SimulatedRequest): readonly Readonly<Record<string, unknown>>[] {
  const thinking =
    reply.reasoning === null ? [] : [{ type: "thinking", thinking: reply.reasoning, signature: "simulated" }];
  const tool = askedAsTool.get(request);
  const input = tool === undefined || reply.stop !== "stop" ? undefined : parsed(reply.text);
  if (tool !== undefined && input !== undefined) {
    return [...thinking, { type: "tool_use", id: `toolu_${reply.id}`, name: tool, input }];
  }
  return [...thinking, { type: "text", text: reply.text }];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Anthropic's messages. */
export const anthropicDialect: Dialect = {
  read(body) {
    const { system, messages, tools, output_config, ...rest } = requestSchema.parse(body);
    const tool = tools?.[0];
    const request: SimulatedRequest = {
      model: rest.model,
      messages: [...(system === undefined ? [] : [{ role: "system" as const, content: system }]), ...messages],
      schema: output_config?.format?.schema ?? tool?.input_schema ?? null,
      temperature: rest.temperature ?? null,
      seed: null,
      maximumTokens: rest.max_tokens,
      stream: rest.stream,
    };
    if (!output_config?.format && tool) askedAsTool.set(request, tool.name);
    return request;
  },
  document: (reply, request) => {
    const content = contentBlocks(reply, request);
    const called = content.some(({ type }) => type === "tool_use");
    return {
      id: reply.id,
      type: "message",
      role: "assistant",
      model: reply.model,
      content,
      stop_reason: called ? "tool_use" : STOP[reply.stop],
      stop_sequence: null,
      usage: usage(reply),
    };
  },
  events(reply) {
    const event = (type: string, fields: Readonly<Record<string, unknown>>) =>
      [type, JSON.stringify({ type, ...fields })] as const;
    return [
      event("message_start", {
        message: {
          id: reply.id,
          type: "message",
          role: "assistant",
          model: reply.model,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { ...usage(reply), output_tokens: 1 },
        },
      }),
      event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
      ...pieces(reply.text).map((text) =>
        event("content_block_delta", { index: 0, delta: { type: "text_delta", text } }),
      ),
      event("content_block_stop", { index: 0 }),
      event("message_delta", {
        delta: { stop_reason: STOP[reply.stop], stop_sequence: null },
        usage: { output_tokens: reply.outputTokens },
      }),
      event("message_stop", {}),
    ];
  },
  error: (type, message) => ({ type: "error", error: { type, message } }),
};
