import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import type { Clock } from "../../core/clock.ts";
import { isEncrypted } from "./client-address.ts";

const COOKIE = "fabula_session";
const LIFETIME_SECONDS = 7 * 24 * 3600;

/**
 * Who gave the token once is known by a cookie: a random number and its end, signed with a key made from the token. The token
 * itself never is in a browser, a cookie ends after a week, and a new token ends all of them. Nothing is kept on the server, so a
 * restart logs no one out.
 */
export class Sessions {
  readonly #key: Buffer;
  readonly #clock: Clock;

  constructor(token: string, clock: Clock) {
    this.#key = createHmac("sha256", token).update("fabula session").digest();
    this.#clock = clock;
  }

  begin(context: Context): void {
    const content = `${randomBytes(18).toString("base64url")}.${this.#now() + LIFETIME_SECONDS}`;
    setCookie(context, COOKIE, `${content}.${this.#signature(content).toString("base64url")}`, {
      httpOnly: true,
      sameSite: "Strict",
      path: "/",
      maxAge: LIFETIME_SECONDS,
      secure: isEncrypted(context),
    });
  }

  has(context: Context): boolean {
    const [number, end, signature] = (getCookie(context, COOKIE) ?? "").split(".");
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
