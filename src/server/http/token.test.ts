import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { problemResponse } from "./problem.ts";
import { TokenGuard } from "./token.ts";

const TOKEN = "the-token-of-today";
const STALE = "fabula_token=the-token-of-yesterday";

const app = new Hono()
  .onError(problemResponse)
  .use(new TokenGuard(TOKEN).demand)
  .get("/", (context) => context.text("in"));

const ask = async (headers: Record<string, string>) => (await app.request("/", { headers })).status;

describe("a server that asks for a token", () => {
  it("takes a right bearer token from a browser that still has the cookie of an earlier one", async () => {
    expect(await ask({ cookie: STALE, authorization: `Bearer ${TOKEN}` })).toBe(200);
  });

  it("takes a right cookie whatever the header says, and refuses when neither is right", async () => {
    expect(await ask({ cookie: `fabula_token=${TOKEN}`, authorization: "Bearer something else" })).toBe(200);
    expect(await ask({ cookie: STALE, authorization: "Bearer something else" })).toBe(401);
    expect(await ask({ cookie: STALE })).toBe(401);
    expect(await ask({})).toBe(401);
  });
});
