import { z } from "zod";

/** A request as the runner keeps it: everything that changes an answer. */
const storedRequestSchema = z.object({
  messages: z.array(z.object({ role: z.enum(["system", "user", "assistant"]), content: z.string() })),
  schema: z.object({ name: z.string() }).optional(),
  temperature: z.number().optional(),
  seed: z.number().optional(),
  maximumTokens: z.number().optional(),
});
export type StoredRequest = z.infer<typeof storedRequestSchema>;

/** Null when it is not there or not in this form. */
export function readStoredRequest(body: string | null): StoredRequest | null {
  if (body === null) return null;
  try {
    return storedRequestSchema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}
