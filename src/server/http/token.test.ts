import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import type { Clock } from "../../core/clock.ts";
import { trustProxy } from "./client-address.ts";
import { problemResponse } from "./problem.ts";
import { scopedToken, TokenGuard } from "./token.ts";

const TOKEN = "the-token-of-today";

function guarded(token = TOKEN) {
  let now = Date.UTC(2026, 0, 1);
  const clock: Clock = { now: () => new Date(now), sleep: async () => {} };
  const guard = new TokenGuard(token, clock);
  const app = new Hono()
    .onError(problemResponse)
    .use(trustProxy)
    .use(guard.admitByLink)
    .use(guard.demand)
    .get("/", (context) => context.text("in"))
    .post("/api/*", (context) => context.text("done"));
  const ask = (headers: Record<string, string> = {}, path = "/", method = "GET") =>
    app.request(path, { headers, method });
  const enter = async (headers: Record<string, string> = {}, given = token) =>
    (await ask(headers, `/?token=${given}`)).headers.get("set-cookie");
  return {
    ask,
    enter,
    code: () => guard.makeCode(),
    status: async (headers: Record<string, string> = {}) => (await ask(headers)).status,
    wait(milliseconds: number) {
      now += milliseconds;
    },
  };
}

const cookieOf = (header: string | null) => header!.split(";")[0]!;

describe("a program's token", () => {
  it.each([
    ["read", "GET", "/", 200],
    ["read", "POST", "/api/v1/tasks/map", 403],
    ["run", "GET", "/", 200],
    ["run", "POST", "/api/v1/tasks/map", 200],
    ["run", "POST", "/api/jobs", 403],
  ] as const)("with the scope %s: %s %s is answered with %i", async (scope, method, path, status) => {
    const authorization = `Bearer ${scopedToken(TOKEN, scope)}`;
    expect((await guarded().ask({ authorization }, path, method)).status).toBe(status);
  });

  it("begins no session, and is invalid once the token it was made from changes", async () => {
    const token = scopedToken(TOKEN, "run");
    expect(await guarded().enter({}, token)).toBeNull();
    expect(await guarded("another-token-altogether").status({ authorization: `Bearer ${token}` })).toBe(401);
  });
});

describe("a server that asks for a token", () => {
  it("accepts a valid bearer token from a browser that still has the cookie of an earlier one", async () => {
    const stale = cookieOf(await guarded("the-token-of-yesterday").enter());
    const { status } = guarded();
    expect(await status({ cookie: stale, authorization: `Bearer ${TOKEN}` })).toBe(200);
    expect(await status({ cookie: stale })).toBe(401);
    expect(await status()).toBe(401);
  });

  it("never puts the token into a cookie, accepts no changed cookie, and ends a session after a week", async () => {
    const { enter, status, wait } = guarded();
    const header = await enter();
    const cookie = cookieOf(header);
    expect(header).not.toContain(TOKEN);
    expect(header).not.toMatch(/Secure/i);
    expect(cookieOf(await enter())).not.toBe(cookie);
    expect(await status({ cookie, authorization: "Bearer something else" })).toBe(200);
    const [number, end, signature] = cookie.split("=")[1]!.split(".");
    expect(await status({ cookie: `fabula_session=${number}.${Number(end) + 1}.${signature}` })).toBe(401);
    expect(await status({ cookie: `fabula_session=${TOKEN}` })).toBe(401);
    wait(8 * 24 * 3600_000);
    expect(await status({ cookie })).toBe(401);
  });

  it("lets one browser in with a code, once and within a minute", async () => {
    const { ask, code, status, wait } = guarded();
    const first = code();
    const header = (await ask({}, `/?code=${first}`)).headers.get("set-cookie");
    expect(await status({ cookie: cookieOf(header) })).toBe(200);
    expect(first).not.toContain(TOKEN);
    const late = code();
    wait(61_000);
    for (const used of [first, late, "", "x"]) {
      const answer = await ask({}, `/?code=${used}`);
      expect([answer.status, answer.headers.get("set-cookie")]).toEqual([303, null]);
    }
  });

  it("does not count an image on another site as a visitor, so that it cannot lock the owner out", async () => {
    const { ask, enter } = guarded();
    for (let at = 0; at < 20; at++) await ask({ "sec-fetch-dest": "image" }, `/?token=wrong-${at}`);
    expect(await enter()).toContain("fabula_session=");
  });

  it("recognises an address to which a proxy added the port", async () => {
    const { status } = guarded();
    const from = (port: number) => ({
      "x-forwarded-for": `203.0.113.9:${port}`,
      authorization: `Bearer wrong-${port}`,
    });
    for (let port = 4000; port < 4005; port++) expect(await status(from(port))).toBe(401);
    expect(await status(from(4005))).toBe(429);
  });

  it("marks the cookie as secure if the client came by TLS", async () => {
    expect(await guarded().enter({ "x-forwarded-proto": "https" })).toMatch(/; Secure/i);
  });

  it("makes only the address that guesses wait longer and longer", async () => {
    const { status, wait, enter } = guarded();
    const from = (address: string, token: string) => ({
      "x-forwarded-for": `1.1.1.1, ${address}`,
      authorization: `Bearer ${token}`,
    });
    const tries = 300;
    let refused = 0;
    for (let at = 0; at < tries; at++) refused += Number((await status(from("10.0.0.9", `guess-${at}`))) === 429);
    expect(refused).toBe(tries - 5);
    expect(await status(from("10.0.0.9", TOKEN))).toBe(429);
    expect(await enter({ "x-forwarded-for": "10.0.0.9" })).toBeNull();
    expect(await status(from("10.0.0.8", TOKEN))).toBe(200);
    wait(1000);
    expect(await status(from("10.0.0.9", "wrong"))).toBe(401);
    wait(1000);
    expect(await status(from("10.0.0.9", TOKEN))).toBe(429);
    wait(1000);
    expect(await status(from("10.0.0.9", TOKEN))).toBe(200);
  });
});
