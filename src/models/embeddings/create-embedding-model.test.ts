import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { Clock } from "../../core/clock.ts";
import { createEmbeddingModel } from "./create-embedding-model.ts";

const signal = new AbortController().signal;
const waits: number[] = [];
const impatient: Clock = { now: () => new Date(0), sleep: async (milliseconds) => void waits.push(milliseconds) };

let server: Server;
afterEach(() => {
  waits.length = 0;
  server.closeAllConnections();
  server.close();
});

/** Answers the n-th request with the n-th status; 200 gives so many vectors of (3, 4). */
async function serve(
  statuses: readonly number[],
  vectors: (texts: number) => number = (texts) => texts,
  headers: Record<string, string> = {},
) {
  const asks: number[] = [];
  const asked: number[] = [];
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += String(chunk);
    });
    request.on("end", () => {
      const { input } = JSON.parse(body) as { input: string[] };
      const status = statuses[Math.min(asked.length, statuses.length - 1)]!;
      asked.push(input.length);
      const data = Array.from({ length: vectors(input.length) }, (_, index) => ({ index, embedding: [3, 4] }));
      response.writeHead(status, { "content-type": "application/json", ...(status === 200 ? {} : headers) });
      response.end(JSON.stringify(status === 200 ? { data } : { error: { message: "not now" } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const model = createEmbeddingModel(`vectors@${url}`, {}, impatient, ({ askedMilliseconds }) =>
    asks.push(askedMilliseconds),
  );
  return { model, asked, asks };
}

describe("an embedding model", () => {
  it("gives one vector of length 1 per text, however many texts there are", async () => {
    const { model, asked } = await serve([200]);
    const vectors = await model.embed(
      Array.from({ length: 200 }, (_, index) => `word ${index}`),
      signal,
    );
    expect(vectors).toHaveLength(200);
    expect([...vectors[199]!].map((value) => value.toFixed(2))).toEqual(["0.60", "0.80"]);
    expect(asked).toEqual([96, 96, 8]);
  });

  it("asks again after a failure that passes, waiting longer each time", async () => {
    const { model, asked } = await serve([500, 429, 200]);
    expect(await model.embed(["a"], signal)).toHaveLength(1);
    expect(asked).toHaveLength(3);
    expect(waits).toEqual([500, 1000]);
  });

  it("tells how long the provider asks to wait, and waits five minutes of it", async () => {
    const { model, asks } = await serve([429, 200], undefined, { "retry-after": "3600" });
    expect(await model.embed(["a"], signal)).toHaveLength(1);
    expect([asks, waits]).toEqual([[3_600_000], [300_000]]);
  });

  it("gives up at once where asking again cannot help", async () => {
    const { model, asked } = await serve([401]);
    await expect(model.embed(["a"], signal)).rejects.toMatchObject({ failure: "authentication" });
    expect(asked).toHaveLength(1);
  });

  it("refuses a server that loses texts", async () => {
    const { model } = await serve([200], () => 1);
    await expect(model.embed(["a", "b"], signal)).rejects.toThrow("gave 1 vectors for 2 texts");
  });

  it("says who offers none", async () => {
    await serve([200]);
    expect(() => createEmbeddingModel("anthropic:claude", {})).toThrow("has no embeddings");
    expect(() => createEmbeddingModel("openai:text-embedding-3-small", {})).toThrow("OPENAI_API_KEY");
  });
});
