import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { FabulaError } from "../../core/errors.ts";
import { clientAddress, isEncrypted, localPort } from "./client-address.ts";
import { Guesses } from "./guesses.ts";

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

  /** Everything may be done in a session, or, with a rater's name in it, only what that rater may do. */
  begin(context: Context, rater?: string): void {
    const number = `${randomBytes(18).toString("base64url")}.${this.#now() + LIFETIME_SECONDS}`;
    const content = rater === undefined ? number : `${number}.${rater}`;
    setCookie(context, cookieName(context), `${content}.${this.#signature(content).toString("base64url")}`, {
      httpOnly: true,
      sameSite: "Strict",
      path: "/",
      maxAge: LIFETIME_SECONDS,
      secure: isEncrypted(context),
    });
  }

  /** Whose session it is: `owner`, or a rater as the link named one; null without a session. */
  of(context: Context): { readonly rater: string | null } | null {
    const parts = (getCookie(context, cookieName(context)) ?? "").split(".");
    const [number, end, rater = null] = parts.slice(0, -1);
    if (!number || !end || parts.length > 4 || !(Number(end) > this.#now())) return null;
    const given = Buffer.from(parts.at(-1)!, "base64url");
    const expected = this.#signature(parts.slice(0, -1).join("."));
    return given.length === expected.length && timingSafeEqual(given, expected) ? { rater } : null;
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

/** Somebody who rates in one study, under one name, and may do nothing else. */
export interface Rater {
  readonly study: string;
  readonly rater: string;
  /** How many links of this rater were revoked before this one. */
  readonly link: number;
}

const raterSchema = z.tuple([z.string(), z.string()]).rest(z.number().int());
const RATER_PREFIX = "rate.";

/** A rater's own token, made from the server's: a link with it opens that rater's items and nothing else. */
export function raterToken(token: string, { study, rater, link }: Rater): string {
  const named = Buffer.from(JSON.stringify([study, rater, ...(link === 0 ? [] : [link])])).toString("base64url");
  return `${RATER_PREFIX}${named}.${raterSignature(raterKey(token), named).toString("base64url")}`;
}

function raterKey(token: string): Buffer {
  return createHmac("sha256", token).update("fabula rater").digest();
}

function raterSignature(key: Buffer, named: string): Buffer {
  return createHmac("sha256", key).update(named).digest();
}

function raterFrom(named: string): Rater | null {
  try {
    const [study, rater, link = 0] = raterSchema.parse(JSON.parse(Buffer.from(named, "base64url").toString("utf8")));
    return { study, rater, link };
  } catch {
    return null;
  }
}

function allowsRater({ study }: Rater, { method, path }: { readonly method: string; readonly path: string }): boolean {
  const own = `/api/ratings/${study}`;
  return method === "GET"
    ? [own, `${own}/queue`, `${own}/text`].includes(path)
    : method === "PUT" && path === `${own}/ratings`;
}

/** Who rates, where the request came with a rater's own token or session; null for everybody else. */
export function raterOf(context: Context): Rater | null {
  return (context.get("rater") as Rater | undefined) ?? null;
}

/** What somebody who was invited may do: a reader looks; a reviewer also votes, rates and marks findings. Neither spends or changes a book. */
export const ROLES = ["reviewer", "reader"] as const;
export type Role = (typeof ROLES)[number];

/** Somebody other than the owner, by the name that the owner gave. */
export interface Person {
  readonly role: Role;
  readonly name: string;
}

const personSchema = z.tuple([z.enum(ROLES), z.string()]);
const PERSON_PREFIX = "person.";

/** A person's own token, made from the server's: nothing is kept, and a new token of the server ends these as well. */
export function personToken(token: string, { role, name }: Person): string {
  const named = Buffer.from(JSON.stringify([role, name])).toString("base64url");
  return `${PERSON_PREFIX}${named}.${raterSignature(personKey(token), named).toString("base64url")}`;
}

function personKey(token: string): Buffer {
  return createHmac("sha256", token).update("fabula person").digest();
}

function personFrom(named: string): Person | null {
  try {
    const [role, name] = personSchema.parse(JSON.parse(Buffer.from(named, "base64url").toString("utf8")));
    return { role, name };
  } catch {
    return null;
  }
}

/** In a session, what a reviewer's or reader's name begins with; a rater's begins otherwise. */
const PERSON_MARK = "p~";

const REVIEWS: readonly { readonly method: string; readonly path: RegExp }[] = [
  { method: "POST", path: /^\/api\/votes$/ },
  { method: "DELETE", path: /^\/api\/votes\/[^/]+$/ },
  { method: "PUT", path: /^\/api\/ratings\/[^/]+\/ratings$/ },
  { method: "PATCH", path: /^\/api\/books\/[^/]+\/(notes|findings)\/[^/]+$/ },
];

function allowsPerson({ role }: Person, { method, path }: { readonly method: string; readonly path: string }): boolean {
  if (LOOKING.has(method)) return true;
  return role === "reviewer" && REVIEWS.some((one) => one.method === method && one.path.test(path));
}

/** Who sent the request, for the audit log. */
export function whoSent(context: Context): string {
  return (context.get("who") as string | undefined) ?? "nobody";
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
  readonly #raterKey: Buffer;
  readonly #personKey: Buffer;
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
    this.#raterKey = raterKey(token);
    this.#personKey = personKey(token);
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
    const rater = given === undefined ? null : this.#raterNamed(given);
    if (rater && given !== undefined) {
      // Whoever may do everything still may after having looked at a rater's link.
      if (this.#sessions.of(context)?.rater !== null) this.#sessions.begin(context, given.split(".")[1]);
      const place = `${encodeURIComponent(rater.study)}/rate?${new URLSearchParams({ rater: rater.rater })}`;
      return context.redirect(`/#/ratings/${place}`, 303);
    }
    const person = given === undefined ? null : this.#personNamed(given);
    if (person && given !== undefined) {
      if (this.#sessions.of(context)?.rater !== null)
        this.#sessions.begin(context, `${PERSON_MARK}${given.split(".")[1]}`);
      return context.redirect("/", 303);
    }
    if (code !== undefined && this.#codes.use(code)) this.#sessions.begin(context);
    else if (given !== undefined && this.#sessions.of(context)?.rater !== null) this.admit(context, given);
    return context.redirect("/", 303);
  };

  readonly demand: MiddlewareHandler = async (context, next) => {
    const bearer = /^Bearer (.+)$/i.exec(context.req.header("authorization") ?? "")?.[1];
    const scope = bearer === undefined ? undefined : this.#scopeOf(bearer);
    if (scope !== undefined) {
      if (!allows(scope, context.req)) {
        throw new FabulaError("E_FORBIDDEN", `This token has the scope "${scope}", which does not allow this request.`);
      }
      context.set("who", `program (${scope})`);
      return next();
    }
    const session = this.#sessions.of(context);
    const person =
      (bearer === undefined ? null : this.#personNamed(bearer)) ??
      (bearer === undefined && session?.rater?.startsWith(PERSON_MARK)
        ? personFrom(session.rater.slice(PERSON_MARK.length))
        : null);
    if (person) {
      context.set("who", `${person.role} ${person.name}`);
      if (!allowsPerson(person, context.req)) {
        throw new FabulaError(
          "E_FORBIDDEN",
          `${person.name} was invited as a ${person.role}, which does not allow this.`,
        );
      }
      return next();
    }
    const rater =
      (bearer === undefined ? null : this.#raterNamed(bearer)) ??
      (bearer === undefined && session?.rater ? raterFrom(session.rater) : null);
    if (rater) {
      if (!allowsRater(rater, context.req)) {
        throw new FabulaError("E_FORBIDDEN", `This link is for rating by ${rater.rater}, and allows nothing else.`);
      }
      context.set("rater", rater);
      context.set("who", `rater ${rater.rater}`);
      return next();
    }
    // Either will do: a cookie of an earlier token stays in the browser, and must not overrule a right header.
    const isKnown = session?.rater === null || (bearer !== undefined && this.#isRight(context, bearer));
    if (!isKnown) throw wrongToken();
    context.set("who", "owner");
    await next();
  };

  /** Whose token it is, if it is a reviewer's or reader's and was made from this server's token. */
  #personNamed(given: string): Person | null {
    if (!given.startsWith(PERSON_PREFIX)) return null;
    const [, named = "", signature = ""] = given.split(".");
    const [sent, expected] = [Buffer.from(signature, "base64url"), raterSignature(this.#personKey, named)];
    return sent.length === expected.length && timingSafeEqual(sent, expected) ? personFrom(named) : null;
  }

  /** Whose token it is, if it is a rater's and was made from this server's token. */
  #raterNamed(given: string): Rater | null {
    if (!given.startsWith(RATER_PREFIX)) return null;
    const [, named = "", signature = ""] = given.split(".");
    const [sent, expected] = [Buffer.from(signature, "base64url"), raterSignature(this.#raterKey, named)];
    return sent.length === expected.length && timingSafeEqual(sent, expected) ? raterFrom(named) : null;
  }

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

/** Long enough for a browser to start. */
const LIFETIME_MILLISECONDS = 60_000;

/** Codes that each let one visitor in once, soon: for places that others can read, such as the list of processes. */
class OneTimeCodes {
  readonly #clock: Clock;
  /** By their hashes, with their ends. */
  readonly #ends = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  make(): string {
    const code = randomBytes(18).toString("base64url");
    this.#ends.set(hashOf(code), this.#clock.now().getTime() + LIFETIME_MILLISECONDS);
    return code;
  }

  /** Whether a code is good; from then on it is not. */
  use(code: string): boolean {
    const key = hashOf(code);
    const end = this.#ends.get(key);
    this.#ends.delete(key);
    return end !== undefined && this.#clock.now().getTime() < end;
  }
}

function hashOf(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}
