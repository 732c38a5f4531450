import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { seededRandom } from "../core/random.ts";
import { placeholderValue } from "../models/placeholder-value.ts";
import { createSimulatedServer, type SimulatedServer } from "./index.ts";

let server: SimulatedServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(server!.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}
const chat = (content: string, more: object = {}) => ({ model: "m", messages: [{ role: "user", content }], ...more });

describe("values for schemas", () => {
  it("fit every schema they were made for", () => {
    const schema = z.object({
      score: z.number().int().min(1).max(10),
      share: z.number().gt(0).lt(1),
      kind: z.enum(["good", "bad"]),
      literal: z.literal("fixed"),
      notes: z.array(z.string().min(30)).min(2).max(4),
      pair: z.tuple([z.number(), z.boolean()]),
      nested: z.discriminatedUnion("type", [
        z.object({ type: z.literal("a"), value: z.string().nullable() }),
        z.object({ type: z.literal("b"), value: z.number() }),
      ]),
      perhaps: z.string().optional(),
    });
    const jsonSchema = z.toJSONSchema(schema);
    for (let seed = 0; seed < 200; seed++) schema.parse(placeholderValue(jsonSchema, seededRandom(seed)));
  });
});

describe("the simulated server", () => {
  it("gives the same request the same reply, and another request another", async () => {
    server = await createSimulatedServer({ seed: 5 });
    const text = async (content: string) =>
      (await (await post("/v1/chat/completions", chat(content))).json()) as unknown;
    expect(await text("one")).toEqual(await text("one"));
    expect(await text("one")).not.toEqual(await text("two"));
  });

  it.each([
    ["/v1/chat/completions", /data: \[DONE\]\n\n$/, /"content":"([^"]*)"/g],
    ["/v1/messages", /event: message_stop\n/, /"text_delta","text":"([^"]*)"/g],
  ])("streams at %s", async (path, ending, delta) => {
    server = await createSimulatedServer({ reply: () => "A reply long enough to come in several pieces, as they do." });
    const stream = await (await post(path, chat("x", { stream: true, max_tokens: 100 }))).text();
    expect(stream).toMatch(ending);
    expect([...stream.matchAll(delta)].map((match) => match[1]).join("")).toBe(
      "A reply long enough to come in several pieces, as they do.",
    );
  });

  it("draws each fault about as often as asked, the same ones for the same seed", async () => {
    const rates = { "rate-limit": 0.2, "server-error": 0.1 } as const;
    const faultsOf = async (seed: number) => {
      server = await createSimulatedServer({ seed, faults: rates });
      for (let at = 0; at < 200; at++) await (await post("/v1/chat/completions", chat(`text ${at}`))).text();
      const faults = server.exchanges.map(({ fault }) => fault);
      await server.close();
      return faults;
    };
    const first = await faultsOf(1);
    expect(await faultsOf(1)).toEqual(first);
    expect(first.filter((fault) => fault === "rate-limit").length).toBeGreaterThan(20);
    expect(first.filter((fault) => fault === "rate-limit").length).toBeLessThan(60);
    expect(new Set(first)).toEqual(new Set(["rate-limit", "server-error", null]));
  });

  it("bills a request once when it is repeated with its idempotency key", async () => {
    server = await createSimulatedServer({ idempotent: true });
    const key = { "idempotency-key": "call-1" };
    const first = await (await post("/v1/chat/completions", chat("x"), key)).text();
    expect(await (await post("/v1/chat/completions", chat("x"), key)).text()).toBe(first);
    expect(server.exchanges.map(({ outcome }) => outcome)).toEqual(["answered", "repeated"]);
  });

  it("knows which answers never arrived", async () => {
    server = await createSimulatedServer({ latency: 60_000 });
    const abort = new AbortController();
    const asked = fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      body: JSON.stringify(chat("x")),
      signal: abort.signal,
    });
    await expect.poll(() => server!.exchanges.length).toBe(1);
    abort.abort();
    await expect(asked).rejects.toThrow();
    await expect.poll(() => server!.exchanges[0]?.outcome).toBe("abandoned");
  });

  it("rejects what the provider would reject, in one sentence", async () => {
    server = await createSimulatedServer();
    for (const path of ["/v1/chat/completions", "/v1/messages"]) {
      const response = await post(path, { model: "m" });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining("Cannot read") } });
    }
    expect((await post("/v1/nothing", {})).status).toBe(404);
  });
});
