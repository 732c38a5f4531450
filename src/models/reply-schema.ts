import { z } from "zod";
import type { ReplySchema } from "./chat-model.ts";

/** Cached, because a few schemas are used again and again, and converting one is slow. */
const written = new WeakMap<z.ZodType, ReplySchema["schema"]>();

/** A zod schema in the form that models get. */
export function replySchema(name: string, schema: z.ZodType): ReplySchema {
  const known = written.get(schema);
  if (known) return { name, schema: known };
  const { $schema: _dialect, ...body } = z.toJSONSchema(schema, { io: "output" });
  written.set(schema, body);
  return { name, schema: body };
}

/** The schema as text at the end of the prompt, for models without structured output. */
export function schemaInWords({ schema }: ReplySchema): string {
  return `Answer with one JSON object and nothing else. It must fit this JSON Schema:\n${JSON.stringify(schema)}`;
}

const objectNode = z.object({
  properties: z.record(z.string(), z.unknown()),
  required: z.array(z.string()).default([]),
  additionalProperties: z.unknown().optional(),
});

/** Whether providers in "strict" mode (every property required, no others allowed) would accept this schema. */
export function isStrictSchema(node: unknown): boolean {
  if (Array.isArray(node)) return node.every(isStrictSchema);
  if (node === null || typeof node !== "object") return true;
  const object = objectNode.safeParse(node);
  if (object.success) {
    const { properties, required, additionalProperties } = object.data;
    if (additionalProperties !== false) return false;
    if (!Object.keys(properties).every((name) => required.includes(name))) return false;
  }
  return Object.values(node).every(isStrictSchema);
}
