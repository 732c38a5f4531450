import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { calcPrice } from "@pydantic/genai-prices";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { costOf, loadPrices, priceOf } from "./prices.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-prices-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const usage = (inputTokens: number, outputTokens: number, cachedInputTokens = 0) => ({
  inputTokens,
  outputTokens,
  cachedInputTokens,
  reasoningTokens: 0,
});

describe("prices", () => {
  it("are those of the model, of the version it is an edition of, nothing on this machine, or unknown", async () => {
    const table = await loadPrices();
    expect(priceOf(table, "openai:gpt-4o-2024-11-20")).toEqual(priceOf(table, "openai:gpt-4o"));
    expect(priceOf(table, "anthropic:claude-sonnet-4-5-20250929")).toEqual(
      priceOf(table, "anthropic:claude-sonnet-4-5"),
    );
    expect(priceOf(table, "openai:gpt-4o-mini")).not.toEqual(priceOf(table, "openai:gpt-4o"));
    expect(priceOf(table, "openai:gpt-4o-audio")).toBeNull();
    expect(priceOf(table, "ollama:qwen3")).toMatchObject({ input: 0, output: 0 });
    expect(priceOf(table, "m@http://localhost:8000/v1")).toMatchObject({ input: 0, output: 0 });
    expect(priceOf(table, "m@https://openrouter.ai/api/v1")).toBeNull();
  });

  it("count cached input, long requests and batches at their own rates", () => {
    const price = {
      input: 2,
      cached: 1,
      output: 10,
      batch: 0.5,
      above: { tokens: 1000, input: 4, cached: 2, output: 20 },
    };
    expect(costOf(price, usage(1000, 100))).toBeCloseTo((1000 * 2 + 100 * 10) / 1e6, 12);
    expect(costOf(price, usage(1000, 100, 400))).toBeCloseTo((600 * 2 + 400 * 1 + 100 * 10) / 1e6, 12);
    expect(costOf(price, usage(2000, 100))).toBeCloseTo((2000 * 4 + 100 * 20) / 1e6, 12);
    expect(costOf(price, usage(1000, 100), true)).toBeCloseTo((1000 * 2 + 100 * 10) / 2e6, 12);
  });

  it("of the models in the table are those a price list kept by others gives", async () => {
    const { models } = await loadPrices();
    const requests = [
      usage(30_000, 1000, 10_000),
      usage(150_000, 2000),
      usage(150_000, 2000, 100_000),
      usage(900_000, 2000, 100_000),
    ];
    for (const [name, price] of Object.entries(models)) {
      const [providerId, model] = name.split(":") as [string, string];
      for (const request of requests.filter(({ inputTokens }) => inputTokens < (price.context ?? 0))) {
        const theirs = calcPrice(
          {
            input_tokens: request.inputTokens,
            output_tokens: request.outputTokens,
            cache_read_tokens: request.cachedInputTokens,
          },
          model,
          { providerId },
        );
        expect(costOf(price, request), `${name} with ${request.inputTokens} tokens`).toBeCloseTo(
          theirs?.total_price ?? Number.NaN,
          9,
        );
      }
    }
  });

  it("of the user's own file replace those that ship, one by one", async () => {
    const path = join(folder, "own.yaml");
    await writeFile(path, 'date: 2030-01-01\nmodels:\n  "openai:gpt-4o": { input: 1, output: 2 }\n');
    const table = await loadPrices(path);
    expect(table.date).toBe("2030-01-01");
    expect(priceOf(table, "openai:gpt-4o")).toEqual({ input: 1, output: 2 });
    expect(priceOf(table, "openai:gpt-4.1")).not.toBeNull();
  });

  it("that cannot be read are named in one sentence", async () => {
    const path = join(folder, "wrong.yaml");
    await writeFile(path, 'date: 2030-01-01\nmodels:\n  "x": { input: -1, output: 2 }\n');
    await expect(loadPrices(path)).rejects.toMatchObject({
      code: "E_PRICES_INVALID",
      message: expect.stringContaining("models.x.input"),
    });
    await expect(loadPrices(join(folder, "none.yaml"))).rejects.toMatchObject({ code: "E_PRICES_UNREADABLE" });
  });
});
