import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import type { SessionRequest } from "../../api/session.ts";
import { jsonBody } from "../http/json-body.ts";
import { type TokenGuard, wrongToken } from "../http/token.ts";

const sessionSchema = z.strictObject({ token: z.string().max(1000) }) satisfies z.ZodType<SessionRequest>;

/** Trades the token for a cookie that scripts cannot read: for a link that carries it after the `#`. */
export function sessionRoutes(guard: TokenGuard): Hono {
  return new Hono().post("/", bodyLimit({ maxSize: 10_000 }), async (context) => {
    const { token } = await jsonBody(context, sessionSchema);
    if (!guard.admit(context, token)) throw wrongToken();
    return context.body(null, 204);
  });
}
