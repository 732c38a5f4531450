import { z } from "zod";
import type { Dialect } from "../simulated-exchange.ts";

const requestSchema = z.object({
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
export const ollamaDialect: Dialect = {
  read(body) {
    const { model, messages, format, options } = requestSchema.parse(body);
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
