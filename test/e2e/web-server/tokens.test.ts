import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { serveFabula } from "../serve-fabula.ts";
import { servedLibrary } from "./served-library.ts";

const library = servedLibrary();

describe("beyond this machine", () => {
  it("asks for a token, takes it once in the link, and then knows the visitor by a cookie", async () => {
    const open = await serveFabula(join(library.folder), [
      "--host",
      "0.0.0.0",
      "--library",
      join(library.folder, "other"),
    ]);
    try {
      const token = new URL(open.link).searchParams.get("token")!;
      expect(token.length).toBeGreaterThanOrEqual(32);
      const address = open.url.replace("0.0.0.0", "127.0.0.1");
      expect((await fetch(`${address}/api/about`)).status).toBe(401);
      expect((await fetch(`${address}/api/about`, { headers: { authorization: "Bearer wrong" } })).status).toBe(401);
      expect((await fetch(`${address}/api/about`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
      const wrong = await fetch(`${address}/?token=${"x".repeat(32)}`, { redirect: "manual" });
      expect(wrong.headers.get("set-cookie")).toBeNull();
      const right = await fetch(`${address}/?token=${token}`, { redirect: "manual" });
      expect(right.status).toBe(303);
      expect(right.headers.get("location")).toBe("/");
      const cookie = right.headers.get("set-cookie")!;
      expect(cookie).toMatch(/HttpOnly/i);
      expect(cookie).toMatch(/SameSite=Strict/i);
      const entered = await fetch(`${address}/api/about`, { headers: { cookie: cookie.split(";")[0]! } });
      expect(entered.status).toBe(200);
      const session = (given: string) =>
        fetch(`${address}/api/session`, {
          method: "POST",
          headers: { "x-fabula": "1", "content-type": "application/json" },
          body: JSON.stringify({ token: given }),
        });
      expect((await session("wrong")).status).toBe(401);
      expect((await session(token)).headers.get("set-cookie")).toContain("HttpOnly");
    } finally {
      await open.stop("SIGINT");
    }
  });

  it("takes no short token and no port that is taken", async () => {
    const other = ["--library", join(library.folder, "another")];
    await expect(serveFabula(library.folder, [...other, "--token", "short"])).rejects.toThrow(/at least 16 characters/);
    await expect(serveFabula(library.folder, [...other, "--port", new URL(library.server.url).port])).rejects.toThrow(
      /is taken/,
    );
  });

  it("serves no library that another server serves", async () => {
    await expect(serveFabula(library.folder)).rejects.toThrow(
      new RegExp(`already uses this library, at ${library.server.url}`),
    );
  });
});
