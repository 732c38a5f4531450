import { z } from "zod";
import { type BilledReply, type Dialect, inChunks, type SimulatedRequest } from "./simulated-exchange.ts";

const contentSchema = z.union([
  z.string(),
  z
    .array(z.object({ type: z.literal("text"), text: z.string() }))
    .transform((parts) => parts.map((p) => p.text).join("")),
]);

const openaiRequestSchema = z.object({
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

function openaiUsage({ inputTokens, outputTokens }: BilledReply) {
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
  path: /^\/v1\/chat\/completions$/,
  read(body) {
    const request = openaiRequestSchema.parse(body);
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
    usage: openaiUsage(reply),
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
          ...(withUsage ? { usage: openaiUsage(reply) } : {}),
        }),
      ] as const;
    return [
      chunk({ role: "assistant", content: "" }, null),
      ...inChunks(reply.text).map((piece) => chunk({ content: piece }, null)),
      chunk({}, FINISH[reply.stop], true),
      [null, "[DONE]"],
    ];
  },
  error: (type, message) => ({ error: { message, type, param: null, code: type } }),
};

const textSchema = z.union([
  z.string(),
  z
    .array(z.object({ type: z.literal("text"), text: z.string() }))
    .transform((parts) => parts.map((p) => p.text).join("")),
]);

const anthropicRequestSchema = z.object({
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

function anthropicUsage({ inputTokens, outputTokens }: BilledReply) {
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
const anthropicDialect: Dialect = {
  path: /^\/v1\/messages$/,
  read(body) {
    const { system, messages, tools, output_config, ...rest } = anthropicRequestSchema.parse(body);
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
      usage: anthropicUsage(reply),
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
          usage: { ...anthropicUsage(reply), output_tokens: 1 },
        },
      }),
      event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
      ...inChunks(reply.text).map((text) =>
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

const partsSchema = z
  .object({ parts: z.array(z.object({ text: z.string() })) })
  .transform(({ parts }) => parts.map(({ text }) => text).join(""));

const googleRequestSchema = z.object({
  /** From the path: Google's API has the model there. */
  model: z.string(),
  systemInstruction: partsSchema.optional(),
  contents: z
    .array(z.object({ role: z.enum(["user", "model"]), parts: z.array(z.object({ text: z.string() })) }))
    .min(1),
  generationConfig: z
    .object({
      temperature: z.number().optional(),
      seed: z.number().int().optional(),
      maxOutputTokens: z.number().int().optional(),
      responseSchema: z.record(z.string(), z.unknown()).optional(),
    })
    .default({}),
});

/** Google's generateContent. */
const googleDialect: Dialect = {
  path: /^\/v1beta\/models\/(?<model>[^/:]+):generateContent$/,
  read(body) {
    const { model, systemInstruction, contents, generationConfig } = googleRequestSchema.parse(body);
    return {
      model,
      messages: [
        ...(systemInstruction === undefined ? [] : [{ role: "system" as const, content: systemInstruction }]),
        ...contents.map(({ role, parts }) => ({
          role: role === "model" ? ("assistant" as const) : ("user" as const),
          content: parts.map(({ text }) => text).join(""),
        })),
      ],
      schema: generationConfig.responseSchema ?? null,
      temperature: generationConfig.temperature ?? null,
      seed: generationConfig.seed ?? null,
      maximumTokens: generationConfig.maxOutputTokens ?? null,
      stream: false,
    };
  },
  list: (models) => ["/v1beta/models", { models: models.map((name) => ({ name: `models/${name}` })) }],
  document: (reply) => ({
    candidates: [
      {
        content: { role: "model", parts: [{ text: reply.text }] },
        finishReason: reply.stop === "length" ? "MAX_TOKENS" : reply.stop === "refusal" ? "SAFETY" : "STOP",
      },
    ],
    usageMetadata: {
      promptTokenCount: reply.inputTokens,
      candidatesTokenCount: reply.outputTokens,
      totalTokenCount: reply.inputTokens + reply.outputTokens,
    },
    modelVersion: reply.model,
  }),
  events: () => null,
  error: (type, message) => ({ error: { code: 400, message, status: type.toUpperCase() } }),
};

const ollamaRequestSchema = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.enum(["system", "user", "assistant"]), content: z.string() })).min(1),
  format: z.record(z.string(), z.unknown()).optional(),
  stream: z.literal(false),
  options: z
    .object({
      temperature: z.number().optional(),
      seed: z.number().int().optional(),
      num_predict: z.number().int().optional(),
    })
    .default({}),
});

/** Ollama's own chat API. */
const ollamaDialect: Dialect = {
  path: /^\/api\/chat$/,
  read(body) {
    const { model, messages, format, options } = ollamaRequestSchema.parse(body);
    return {
      model,
      messages,
      schema: format ?? null,
      temperature: options.temperature ?? null,
      seed: options.seed ?? null,
      maximumTokens: options.num_predict ?? null,
      stream: false,
    };
  },
  list: (models) => ["/api/tags", { models: models.map((name) => ({ name })) }],
  document: (reply) => ({
    model: reply.model,
    message: {
      role: "assistant",
      content: reply.text,
      ...(reply.reasoning === null ? {} : { thinking: reply.reasoning }),
    },
    done: true,
    done_reason: reply.stop === "length" ? "length" : "stop",
    prompt_eval_count: reply.inputTokens,
    eval_count: reply.outputTokens,
  }),
  events: () => null,
  error: (_type, message) => ({ error: message }),
};

/** All that the simulated server speaks: with a format of its own, a provider is added here. */
export const DIALECTS: readonly Dialect[] = [openaiDialect, anthropicDialect, googleDialect, ollamaDialect];
