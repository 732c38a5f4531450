import { createHash, timingSafeEqual } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { FabulaError } from "../../core/errors.ts";

export const SHORTEST_TOKEN = 16;
const COOKIE = "fabula_token";
const YEAR_SECONDS = 365 * 24 * 3600;

/** Whether the caller knows the token. Hashes are compared, so neither length nor content shows in the time it takes. */
export class TokenGuard {
  readonly #expected: Buffer;
  readonly #token: string;

  constructor(token: string) {
    if (token.length < SHORTEST_TOKEN) {
      throw new FabulaError(
        "E_TOKEN_SHORT",
        `A token needs at least ${SHORTEST_TOKEN} characters: leave --token out and one is made.`,
      );
    }
    this.#token = token;
    this.#expected = hash(token);
  }

  isRight(given: string | undefined): boolean {
    return given !== undefined && timingSafeEqual(hash(given), this.#expected);
  }

  /** The link that was printed leads here once; from then on the cookie speaks, and the token is out of the address. */
  readonly admitByLink: MiddlewareHandler = async (context, next) => {
    const given = context.req.query("token");
    if (given === undefined || context.req.method !== "GET" || context.req.path.startsWith("/api/")) return next();
    if (this.isRight(given)) this.remember(context);
    return context.redirect("/", 303);
  };

  readonly demand: MiddlewareHandler = async (context, next) => {
    const bearer = /^Bearer (.+)$/i.exec(context.req.header("authorization") ?? "")?.[1];
    // Either will do: a cookie of an earlier token stays in the browser, and must not overrule a right header.
    if (!this.isRight(bearer) && !this.isRight(getCookie(context, COOKIE))) throw wrongToken();
    await next();
  };

  remember(context: Context): void {
    setCookie(context, COOKIE, this.#token, { httpOnly: true, sameSite: "Strict", path: "/", maxAge: YEAR_SECONDS });
  }
}

export function wrongToken(): FabulaError {
  return new FabulaError("E_TOKEN", "This page asks for a token: open the link that `fabula serve` printed.");
}

function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
