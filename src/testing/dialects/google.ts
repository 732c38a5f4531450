import { z } from "zod";
import type { Dialect } from "../simulated-exchange.ts";

const partsSchema = z
  .object({ parts: z.array(z.object({ text: z.string() })) })
  .transform(({ parts }) => parts.map(({ text }) => text).join(""));

const requestSchema = z.object({
  /** Put here by the server: Google's API has the model in the address. */
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
export const googleDialect: Dialect = {
  read(body) {
    const { model, systemInstruction, contents, generationConfig } = requestSchema.parse(body);
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
