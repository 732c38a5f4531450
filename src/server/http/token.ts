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
 * A visitor who has given the token once gets a cookie: a random number and its expiry time, signed with a key derived
 * from the token. The token itself is never stored in a browser, a cookie expires after a week, and a new token
 * invalidates all cookies. The server stores nothing, so a restart logs nobody out.
 */
class Sessions {
  readonly #key: Buffer;
  readonly #clock: Clock;

  constructor(token: string, clock: Clock) {
    this.#key = derivedKey(token, "session");
    this.#clock = clock;
  }

  /** A session may do everything or, if it names a rater, only what that rater may do. */
  begin(context: Context, rater?: string): void {
    const number = `${randomBytes(18).toString("base64url")}.${this.#now() + LIFETIME_SECONDS}`;
    const content = rater === undefined ? number : `${number}.${rater}`;
    setCookie(context, cookieName(context), `${content}.${signature(this.#key, content)}`, {
      httpOnly: true,
      sameSite: "Strict",
      path: "/",
      maxAge: LIFETIME_SECONDS,
      secure: isEncrypted(context),
    });
  }

  /** The session of a request; null without one. `rater` is null for the owner and names the rater or invited person otherwise. */
  of(context: Context): { readonly rater: string | null } | null {
    const parts = (getCookie(context, cookieName(context)) ?? "").split(".");
    const [number, end, rater = null] = parts.slice(0, -1);
    if (!number || !end || parts.length > 4 || !(Number(end) > this.#now())) return null;
    return isSigned(this.#key, parts.slice(0, -1).join("."), parts.at(-1)!) ? { rater } : null;
  }

  #now(): number {
    return Math.floor(this.#clock.now().getTime() / 1000);
  }
}

/** A key for one purpose, derived from the server's token: it is invalid once that changes. */
function derivedKey(token: string, purpose: string): Buffer {
  return createHmac("sha256", token).update(`fabula ${purpose}`).digest();
}

function signature(key: Buffer, content: string): string {
  return createHmac("sha256", key).update(content).digest("base64url");
}

function isSigned(key: Buffer, content: string, given: string): boolean {
  const [sent, expected] = [given, signature(key, content)].map((text) => Buffer.from(text, "base64url"));
  return sent!.length === expected!.length && timingSafeEqual(sent!, expected!);
}

/** Browsers share cookies between ports: with one name, two servers on a machine would log each other's visitors out. */
function cookieName(context: Context): string {
  const port = localPort(context);
  return port === null ? "fabula_session" : `fabula_session_${port}`;
}

export const SHORTEST_TOKEN = 16;

/** A program's token may `read`, which changes nothing, or also `run` tasks. The server's own token allows everything. */
export const SCOPES = ["read", "run"] as const;
export type Scope = (typeof SCOPES)[number];

/** A token with fewer rights, derived from the server's own: nothing is stored, and changing that invalidates these too. */
export function scopedToken(token: string, scope: Scope): string {
  return `${scope}-${derivedKey(token, `scope ${scope}`).toString("base64url")}`;
}

/** A rater, who may rate in one study under one name and do nothing else. */
export interface Rater {
  readonly study: string;
  readonly rater: string;
  /** How many links of this rater were revoked before this one. */
  readonly link: number;
}

const raterSchema = z.tuple([z.string(), z.string()]).rest(z.number().int());
const RATER_PREFIX = "rate.";

/** A rater's token, derived from the server's: its link opens that rater's items and nothing else. */
export function raterToken(token: string, { study, rater, link }: Rater): string {
  return linkToken(RATER_PREFIX, derivedKey(token, "rater"), [study, rater], link);
}

/** The token of a link: whom it is for, signed. */
function linkToken(prefix: string, key: Buffer, names: readonly string[], link: number): string {
  const named = Buffer.from(JSON.stringify([...names, ...(link === 0 ? [] : [link])])).toString("base64url");
  return `${prefix}${named}.${signature(key, named)}`;
}

function namesIn<Names>(named: string, schema: z.ZodType<Names>): Names | null {
  try {
    return schema.parse(JSON.parse(Buffer.from(named, "base64url").toString("utf8")));
  } catch {
    return null;
  }
}

function raterFrom(named: string): Rater | null {
  const names = namesIn(named, raterSchema);
  return names && { study: names[0], rater: names[1], link: names[2] ?? 0 };
}

function allowsRater({ study }: Rater, { method, path }: { readonly method: string; readonly path: string }): boolean {
  const own = `/api/ratings/${study}`;
  return method === "GET"
    ? [own, `${own}/queue`, `${own}/text`].includes(path)
    : method === "PUT" && path === `${own}/ratings`;
}

/** The rater whose token or session the request carries; null for everybody else. */
export function raterOf(context: Context): Rater | null {
  return (context.get("rater") as Rater | undefined) ?? null;
}

/** Readers may look; reviewers may also vote, rate and mark findings. Neither may spend money or change a book. */
export const ROLES = ["reviewer", "reader"] as const;
export type Role = (typeof ROLES)[number];

/** An invited person, by the name that the owner gave. */
export interface Person {
  readonly role: Role;
  readonly name: string;
  /** How many links of this name were revoked before this one. */
  readonly link?: number;
}

const personSchema = z.tuple([z.enum(ROLES), z.string()]).rest(z.number().int());
const PERSON_PREFIX = "person.";

/** A person's token, derived from the server's: only revoked ones are stored, and changing the server's token invalidates it. */
export function personToken(token: string, { role, name, link = 0 }: Person): string {
  return linkToken(PERSON_PREFIX, derivedKey(token, "person"), [role, name], link);
}

function personFrom(named: string): Person | null {
  const names = namesIn(named, personSchema);
  return names && { role: names[0], name: names[1], link: names[2] ?? 0 };
}

/** Marks the name of a reviewer or reader in a session; a rater's name has no such prefix. */
const PERSON_MARK = "p~";

const REVIEWS: readonly { readonly method: string; readonly path: RegExp }[] = [
  { method: "POST", path: /^\/api\/votes$/ },
  { method: "DELETE", path: /^\/api\/votes\/[^/]+$/ },
  { method: "PUT", path: /^\/api\/ratings\/[^/]+\/ratings$/ },
  { method: "PATCH", path: /^\/api\/books\/[^/]+\/(notes|findings)\/[^/]+$/ },
];

function allowsPerson({ role }: Person, { method, path }: { readonly method: string; readonly path: string }): boolean {
  if (READING_METHODS.has(method)) return true;
  return role === "reviewer" && REVIEWS.some((one) => one.method === method && one.path.test(path));
}

/** The invited person whose token or session the request carries; null for everybody else. */
export function personOf(context: Context): Person | null {
  return (context.get("person") as Person | undefined) ?? null;
}

/** Whether the request comes with all rights: the server's own token, or a session begun with it. */
export function isOwner(context: Context): boolean {
  return whoSent(context) === OWNER;
}

const OWNER = "owner";

/** Who sent the request, for the audit log. */
export function whoSent(context: Context): string {
  return (context.get("who") as string | undefined) ?? "nobody";
}

/** Whether the request came with a token that is wrong or was revoked. */
export function gaveRefusedToken(context: Context): boolean {
  return context.get("refusedToken") === true;
}

/** The methods of requests that change nothing. */
export const READING_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

function allows(scope: Scope, { method, path }: { readonly method: string; readonly path: string }): boolean {
  return READING_METHODS.has(method) || (scope === "run" && method === "POST" && path.startsWith("/api/v1/tasks/"));
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
  readonly #isInvited: (person: Person) => Promise<boolean>;

  /** `isInvited` says whether the link of a person still counts. */
  constructor(token: string, clock: Clock, isInvited: (person: Person) => Promise<boolean> = async () => true) {
    if (token.length < SHORTEST_TOKEN) {
      throw new FabulaError(
        "E_TOKEN_SHORT",
        `A token needs at least ${SHORTEST_TOKEN} characters: leave it out and one is made.`,
      );
    }
    this.#expected = hash(token);
    this.#scoped = new Map(SCOPES.map((scope) => [scope, hash(scopedToken(token, scope))]));
    this.#sessions = new Sessions(token, clock);
    this.#raterKey = derivedKey(token, "rater");
    this.#personKey = derivedKey(token, "person");
    this.#guesses = new Guesses(clock);
    this.#codes = new OneTimeCodes(clock);
    this.#isInvited = isInvited;
  }

  /** Starts a session if the token is right; returns false if it is wrong. */
  admit(context: Context, given: string): boolean {
    const isRight = this.#isRight(context, given);
    if (isRight) this.#sessions.begin(context);
    return isRight;
  }

  /** A code for the browser that `--open` starts: a command line can be read by every user of the machine. */
  makeCode(): string {
    return this.#codes.make();
  }

  /** The printed link leads here once; after that the cookie identifies the visitor, and the token is gone from the address. */
  readonly admitByLink: MiddlewareHandler = async (context, next) => {
    const given = context.req.query("token");
    const code = context.req.query("code");
    if (
      (given === undefined && code === undefined) ||
      context.req.method !== "GET" ||
      context.req.path.startsWith("/api/")
    )
      return next();
    // Another site can make a browser fetch images from here: that is not a visitor, and must not use up the owner's tries.
    if ((context.req.header("sec-fetch-dest") ?? "document") !== "document") return next();
    const rater = given === undefined ? null : this.#raterNamed(given);
    if (rater && given !== undefined) {
      // The owner keeps all rights after opening a rater's link.
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
      context.set("person", person);
      if (!(await this.#isInvited(person))) {
        context.set("refusedToken", true);
        throw new FabulaError(
          "E_FORBIDDEN",
          `The link of ${person.name} was revoked: ask whoever sent it for a new one.`,
        );
      }
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
    // Either is enough: a cookie from an earlier token may still be in the browser, and must not override a valid header.
    const isKnown = session?.rater === null || (bearer !== undefined && this.#isRight(context, bearer));
    if (!isKnown) throw wrongToken();
    context.set("who", OWNER);
    await next();
  };

  /** The person whose token this is, if it is a reviewer's or reader's token of this server. */
  #personNamed(given: string): Person | null {
    const [, named = "", signed = ""] = given.split(".");
    return given.startsWith(PERSON_PREFIX) && isSigned(this.#personKey, named, signed) ? personFrom(named) : null;
  }

  /** The rater whose token this is, if it is a rater's token of this server. */
  #raterNamed(given: string): Rater | null {
    const [, named = "", signed = ""] = given.split(".");
    return given.startsWith(RATER_PREFIX) && isSigned(this.#raterKey, named, signed) ? raterFrom(named) : null;
  }

  /** The scope of a program's token, which is accepted only in the Authorization header: it cannot start a session. */
  #scopeOf(given: string): Scope | undefined {
    const hashed = hash(given);
    return SCOPES.find((scope) => timingSafeEqual(hashed, this.#scoped.get(scope)!));
  }

  #isRight(context: Context, given: string): boolean {
    const address = clientAddress(context);
    this.#guesses.refuseTooMany(address);
    const isRight = timingSafeEqual(hash(given), this.#expected);
    if (isRight) this.#guesses.succeeded(address);
    else {
      this.#guesses.failed(address);
      context.set("refusedToken", true);
    }
    return isRight;
  }
}

export function wrongToken(): FabulaError {
  return new FabulaError("E_TOKEN", "This page asks for a token: open the link that `fabula serve` printed.");
}

function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Enough time for a browser to start. */
const LIFETIME_MILLISECONDS = 60_000;

/** Short-lived codes that let one visitor in once, for places that others can read, such as the process list. */
class OneTimeCodes {
  readonly #clock: Clock;
  /** Hash of the code → when it expires. */
  readonly #ends = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  make(): string {
    const code = randomBytes(18).toString("base64url");
    this.#ends.set(hash(code).toString("hex"), this.#clock.now().getTime() + LIFETIME_MILLISECONDS);
    return code;
  }

  /** Whether a code is valid; using it invalidates it. */
  use(code: string): boolean {
    const key = hash(code).toString("hex");
    const end = this.#ends.get(key);
    this.#ends.delete(key);
    return end !== undefined && this.#clock.now().getTime() < end;
  }
}
