import type { Context } from "hono";
import type { z } from "zod";
import { FabulaError } from "../../core/errors.ts";

/** The JSON of a request, as the schema wants it, or one sentence that says where it is not. */
export async function jsonBody<T>(context: Context, schema: z.ZodType<T>): Promise<T> {
  const type = context.req.header("content-type") ?? "";
  if (!/^application\/json\b/i.test(type)) {
    throw new FabulaError("E_REQUEST", "This request must carry JSON: set content-type: application/json.");
  }
  let document: unknown;
  try {
    document = JSON.parse(await context.req.text());
  } catch (cause) {
    if (cause instanceof SyntaxError) {
      throw new FabulaError("E_REQUEST", "This request holds no readable JSON.", { cause });
    }
    throw cause;
  }
  return checked(document, schema, "The request");
}

/** The query of a request, the same way. */
export function queryOf<T>(context: Context, schema: z.ZodType<T>): T {
  return checked(context.req.query(), schema, "The address");
}

function checked<T>(document: unknown, schema: z.ZodType<T>, what: string): T {
  const parsed = schema.safeParse(document);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue && issue.path.length > 0 ? ` at "${issue.path.join(".")}"` : "";
  throw new FabulaError("E_REQUEST", `${what} is not as expected${where}: ${issue?.message ?? "check it"}.`);
}
