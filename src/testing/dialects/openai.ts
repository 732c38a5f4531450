import { z } from "zod";
import type { BilledReply, Dialect } from "../simulated-exchange.ts";
import { pieces } from "../simulated-exchange.ts";

const contentSchema = z.union([
  z.string(),
  z
    .array(z.object({ type: z.literal("text"), text: z.string() }))
    .transform((parts) => parts.map((p) => p.text).join("")),
]);

const requestSchema = z.object({
  model: z.string(),
  messages: z
    .array(
      z.object({
        role: z
          .enum(["system", "developer", "user", "assistant"])
          .transform((role) => (role === "developer" ? "system" : role)),
        content: contentSchema,
      }),
    )
    .min(1),
  response_format: z
    .discriminatedUnion("type", [
      z.object({
        type: z.literal("json_schema"),
        json_schema: z.object({ name: z.string(), schema: z.record(z.string(), z.unknown()) }),
      }),
      z.object({ type: z.literal("json_object") }),
      z.object({ type: z.literal("text") }),
    ])
    .optional(),
  temperature: z.number().nullish(),
  seed: z.number().int().nullish(),
  max_tokens: z.number().int().positive().nullish(),
  max_completion_tokens: z.number().int().positive().nullish(),
  stream: z.boolean().default(false),
});

const FINISH = { stop: "stop", length: "length", refusal: "stop", other: "stop" } as const;

function usage({ inputTokens, outputTokens }: BilledReply) {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
  };
}

/** OpenAI's chat completions, and what vLLM, llama.cpp, LM Studio and others copy. */
export const openaiDialect: Dialect = {
  read(body) {
    const request = requestSchema.parse(body);
    const format = request.response_format;
    return {
      model: request.model,
      messages: request.messages,
      schema: format?.type === "json_schema" ? format.json_schema.schema : null,
      temperature: request.temperature ?? null,
      seed: request.seed ?? null,
      maximumTokens: request.max_completion_tokens ?? request.max_tokens ?? null,
      stream: request.stream,
    };
  },
  document: (reply) => ({
    id: reply.id,
    object: "chat.completion",
    created: 0,
    model: reply.model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: reply.stop === "refusal" ? null : reply.text,
          refusal: reply.stop === "refusal" ? reply.text : null,
          ...(reply.reasoning === null ? {} : { reasoning_content: reply.reasoning }),
        },
        finish_reason: FINISH[reply.stop],
      },
    ],
    usage: usage(reply),
  }),
  events(reply) {
    const chunk = (delta: unknown, finish: string | null, withUsage = false) =>
      [
        null,
        JSON.stringify({
          id: reply.id,
          object: "chat.completion.chunk",
          created: 0,
          model: reply.model,
          choices: [{ index: 0, delta, finish_reason: finish }],
          ...(withUsage ? { usage: usage(reply) } : {}),
        }),
      ] as const;
    return [
      chunk({ role: "assistant", content: "" }, null),
      ...pieces(reply.text).map((piece) => chunk({ content: piece }, null)),
      chunk({}, FINISH[reply.stop], true),
      [null, "[DONE]"],
    ];
  },
  error: (type, message) => ({ error: { message, type, param: null, code: type } }),
};
