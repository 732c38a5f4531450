import type { z } from "zod";
import type { ChatModel, ChatReply, ChatRequest } from "./chat-model.ts";
import { type JsonReading, readJsonReply } from "./read-json-reply.ts";
import { replySchema } from "./reply-schema.ts";

export interface JsonAnswer<T> {
  readonly reply: ChatReply;
  readonly reading: JsonReading<T>;
}

/**
 * Asks for a value that fits a schema. A durable model asks again, within its limits, when the reply cannot be read; a
 * call that fails altogether throws a `ModelError`.
 *
 * @example
 * ```ts
 * const model = await createChatModel("openai:gpt-4.1-mini", { connections: { openai: { key } } });
 * const request = { purpose: "judge", sample: 0, messages: [{ role: "user", content: "Rate this from 1 to 5: …" }] } as const;
 * const shape = { name: "rating", schema: z.object({ rating: z.number() }) };
 * const { reading } = await askForJson(model, request, shape, AbortSignal.timeout(60_000));
 * if (reading.kind === "read") console.log(reading.value.rating);
 * ```
 */
export async function askForJson<T>(
  model: ChatModel,
  request: Omit<ChatRequest, "schema" | "unusable">,
  shape: { readonly name: string; readonly schema: z.ZodType<T> },
  signal: AbortSignal,
): Promise<JsonAnswer<T>> {
  const read = (reply: ChatReply) => readJsonReply(reply, shape.schema, request.messages);
  const reply = await model.complete(
    {
      ...request,
      schema: replySchema(shape.name, shape.schema),
      unusable: (given) => {
        const reading = read(given);
        // A refusal is an answer: asking again costs the same and brings the same.
        return reading.kind === "read" || reading.why === "refusal" ? null : reading.reason;
      },
    },
    signal,
  );
  return { reply, reading: read(reply) };
}
