import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import type { Clock } from "../../core/clock.ts";
import { FabulaError } from "../../core/errors.ts";
import { clientAddress, isEncrypted, localPort } from "./client-address.ts";
import { Guesses } from "./guesses.ts";
import { OneTimeCodes } from "./one-time-codes.ts";

const LIFETIME_SECONDS = 7 * 24 * 3600;

/**
 * Who gave the token once is known by a cookie: a random number and its end, signed with a key made from the token. The token
 * itself never is in a browser, a cookie ends after a week, and a new token ends all of them. Nothing is kept on the server, so a
 * restart logs no one out.
 */
class Sessions {
  readonly #key: Buffer;
  readonly #clock: Clock;

  constructor(token: string, clock: Clock) {
    this.#key = createHmac("sha256", token).update("fabula session").digest();
    this.#clock = clock;
  }

  begin(context: Context): void {
    const content = `${randomBytes(18).toString("base64url")}.${this.#now() + LIFETIME_SECONDS}`;
    setCookie(context, cookieName(context), `${content}.${this.#signature(content).toString("base64url")}`, {
      httpOnly: true,
      sameSite: "Strict",
      path: "/",
      maxAge: LIFETIME_SECONDS,
      secure: isEncrypted(context),
    });
  }

  has(context: Context): boolean {
    const [number, end, signature] = (getCookie(context, cookieName(context)) ?? "").split(".");
    if (!number || !end || !signature || !(Number(end) > this.#now())) return false;
    const given = Buffer.from(signature, "base64url");
    const expected = this.#signature(`${number}.${end}`);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  #signature(content: string): Buffer {
    return createHmac("sha256", this.#key).update(content).digest();
  }

  #now(): number {
    return Math.floor(this.#clock.now().getTime() / 1000);
  }
}

/** A browser keeps one cookie of a name for all ports of a machine: two servers would log each other's visitors out. */
function cookieName(context: Context): string {
  const port = localPort(context);
  return port === null ? "fabula_session" : `fabula_session_${port}`;
}

export const SHORTEST_TOKEN = 16;

/** What a program's token allows: `read` looks and changes nothing, `run` also has tasks done. The server's own allows everything. */
export const SCOPES = ["read", "run"] as const;
export type Scope = (typeof SCOPES)[number];

/** A token that allows less, made from the server's own. Nothing is kept: a new token of the server ends these as well. */
export function scopedToken(token: string, scope: Scope): string {
  return `${scope}-${createHmac("sha256", token).update(`fabula scope ${scope}`).digest("base64url")}`;
}

const LOOKING: ReadonlySet<string> = new Set(["GET", "HEAD"]);

function allows(scope: Scope, { method, path }: { readonly method: string; readonly path: string }): boolean {
  return LOOKING.has(method) || (scope === "run" && method === "POST" && path.startsWith("/api/v1/tasks/"));
}

/** Whether the caller knows the token. Hashes are compared, so neither length nor content shows in the time it takes. */
export class TokenGuard {
  readonly #expected: Buffer;
  readonly #scoped: ReadonlyMap<Scope, Buffer>;
  readonly #sessions: Sessions;
  readonly #guesses: Guesses;
  readonly #codes: OneTimeCodes;

  constructor(token: string, clock: Clock) {
    if (token.length < SHORTEST_TOKEN) {
      throw new FabulaError(
        "E_TOKEN_SHORT",
        `A token needs at least ${SHORTEST_TOKEN} characters: leave it out and one is made.`,
      );
    }
    this.#expected = hash(token);
    this.#scoped = new Map(SCOPES.map((scope) => [scope, hash(scopedToken(token, scope))]));
    this.#sessions = new Sessions(token, clock);
    this.#guesses = new Guesses(clock);
    this.#codes = new OneTimeCodes(clock);
  }

  /** Begins a session for who gives the right token; false for a wrong one. */
  admit(context: Context, given: string): boolean {
    const isRight = this.#isRight(context, given);
    if (isRight) this.#sessions.begin(context);
    return isRight;
  }

  /** A code for the browser that `--open` starts: a command line can be read by every user of the machine. */
  makeCode(): string {
    return this.#codes.make();
  }

  /** The link that was printed leads here once; from then on the cookie speaks, and the token is out of the address. */
  readonly admitByLink: MiddlewareHandler = async (context, next) => {
    const given = context.req.query("token");
    const code = context.req.query("code");
    if (
      (given === undefined && code === undefined) ||
      context.req.method !== "GET" ||
      context.req.path.startsWith("/api/")
    )
      return next();
    // Another site can make a browser fetch images from here: that is no visitor, and must not use up the owner's tries.
    if ((context.req.header("sec-fetch-dest") ?? "document") !== "document") return next();
    if (code !== undefined && this.#codes.use(code)) this.#sessions.begin(context);
    else if (given !== undefined && !this.#sessions.has(context)) this.admit(context, given);
    return context.redirect("/", 303);
  };

  readonly demand: MiddlewareHandler = async (context, next) => {
    const bearer = /^Bearer (.+)$/i.exec(context.req.header("authorization") ?? "")?.[1];
    const scope = bearer === undefined ? undefined : this.#scopeOf(bearer);
    if (scope !== undefined) {
      if (!allows(scope, context.req)) {
        throw new FabulaError("E_FORBIDDEN", `This token has the scope "${scope}", which does not allow this request.`);
      }
      return next();
    }
    // Either will do: a cookie of an earlier token stays in the browser, and must not overrule a right header.
    const isKnown = this.#sessions.has(context) || (bearer !== undefined && this.#isRight(context, bearer));
    if (!isKnown) throw wrongToken();
    await next();
  };

  /** The scope of a program's token. Only bearers have one: no session begins with it. */
  #scopeOf(given: string): Scope | undefined {
    const hashed = hash(given);
    return SCOPES.find((scope) => timingSafeEqual(hashed, this.#scoped.get(scope)!));
  }

  #isRight(context: Context, given: string): boolean {
    const address = clientAddress(context);
    this.#guesses.refuseTooMany(address);
    const isRight = timingSafeEqual(hash(given), this.#expected);
    if (isRight) this.#guesses.succeeded(address);
    else this.#guesses.failed(address);
    return isRight;
  }
}

export function wrongToken(): FabulaError {
  return new FabulaError("E_TOKEN", "This page asks for a token: open the link that `fabula serve` printed.");
}

function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
