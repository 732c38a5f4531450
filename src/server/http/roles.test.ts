import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openServices, type Services } from "../services.ts";
import { createApp } from "./app.ts";
import { personToken, raterToken, scopedToken, TokenGuard } from "./token.ts";

/** Asks every address of the server as every kind of visitor, so that addresses added later are checked too. */
const TOKEN = "the-token-of-this-server";
const STUDY = "study";

let folder: string;
let services: Services;
let app: Hono;
let routes: readonly { readonly method: string; readonly path: string }[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-roles-"));
  services = await openServices({
    ...{ host: "127.0.0.1", port: 0, token: TOKEN, library: folder, store: join(folder, "store.db") },
    ...{ profiles: join(folder, "profiles"), benches: [], judges: [], connections: {}, version: "0", client: folder },
  });
  app = await createApp(services, new TokenGuard(TOKEN, services.clock), () => true);
  const all = app.routes.filter(({ method, path }) => method !== "ALL" && !/^\/health\//.test(path));
  routes = [...new Map(all.map(({ method, path }) => [`${method} ${path}`, { method, path }])).values()];
});
afterAll(async () => {
  await services.close();
  await rm(folder, { recursive: true });
});

const LOOKS = ["GET", "HEAD"];
const addressed = (path: string) => path.replace(/:[A-Za-z]+(\{[^}]+\})?/g, "x").replace("*", "x");

/** Requests are stopped before the route sees them, so nothing is sent that a route would accept. */
async function refused(method: string, path: string, token: string | null): Promise<number | null> {
  const answer = await app.request(`http://127.0.0.1${addressed(path)}`, {
    method,
    headers: { host: "127.0.0.1", "x-fabula": "1", ...(token !== null && { authorization: `Bearer ${token}` }) },
  });
  const { code = "" } = (await answer.json().catch(() => ({}))) as { code?: string };
  return code === "E_FORBIDDEN" || code === "E_TOKEN" ? answer.status : null;
}

async function allowed(token: string | null): Promise<string[]> {
  const found: string[] = [];
  for (const { method, path } of routes)
    if ((await refused(method, path, token)) === null) found.push(`${method} ${path}`);
  return found.filter((one) => !/^GET \/(api|metrics)/.test(one) || token === null);
}

describe("the addresses of the server", () => {
  it("are those that the web app and programs use, and each is known here", () => {
    expect(routes.length).toBeGreaterThan(120);
    expect(routes.filter(({ path }) => !/^\/(api\/|metrics$)/.test(path))).toEqual([]);
  });

  it("let somebody without a token reach only the one that takes a token", async () => {
    expect(await allowed(null)).toEqual(["POST /api/session"]);
    expect((await app.request("http://127.0.0.1/api/session", { method: "POST", body: "{}" })).status).toBe(403);
  });

  it("let a reader change or spend nothing, and a reviewer only review", async () => {
    expect(await allowed(personToken(TOKEN, { role: "reader", name: "Ben" }))).toEqual(["POST /api/session"]);
    expect((await allowed(personToken(TOKEN, { role: "reviewer", name: "Ada" }))).sort()).toEqual(
      [
        "DELETE /api/votes/:id",
        "PATCH /api/books/:id/findings/:finding",
        "PATCH /api/books/:id/notes/:note",
        "POST /api/session",
        "POST /api/votes",
        "PUT /api/ratings/:id/ratings",
      ].sort(),
    );
  });

  it("let a program change nothing, except by tasks if it may run them", async () => {
    expect(await allowed(scopedToken(TOKEN, "read"))).toEqual(["POST /api/session"]);
    expect((await allowed(scopedToken(TOKEN, "run"))).sort()).toEqual([
      "POST /api/session",
      "POST /api/v1/tasks/:name",
    ]);
  });

  it("let a rater reach only those of the study", async () => {
    const token = raterToken(TOKEN, { study: "x", rater: "Cy", link: 0 });
    const reached = [];
    for (const { method, path } of routes)
      if ((await refused(method, path, token)) === null) reached.push(`${method} ${path}`);
    expect(reached.sort()).toEqual(
      [
        "GET /api/ratings/:id",
        "GET /api/ratings/:id/queue",
        "GET /api/ratings/:id/text",
        "POST /api/session",
        "PUT /api/ratings/:id/ratings",
      ].sort(),
    );
    const other = raterToken(TOKEN, { study: STUDY, rater: "Cy", link: 0 });
    expect(await refused("GET", "/api/ratings/:id", other)).toBe(403);
  });

  it("note in the audit log who asked a model or changed something", async () => {
    const changing = routes.filter(({ method }) => !LOOKS.includes(method));
    await services.audit.settled();
    const lines = (await readFile(join(folder, "audit.jsonl"), "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { who: string; method: string; path: string });
    for (const { method, path } of changing)
      if (path !== "/api/session")
        expect(lines, `${method} ${path}`).toContainEqual(
          expect.objectContaining({ who: "reader Ben", method, path: addressed(path) }),
        );
  });
});
