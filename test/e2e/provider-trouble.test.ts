import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../src/store/sqlite/connection.ts";
import { createSimulatedServer, type SimulatedServer } from "../../src/testing/index.ts";
import { SILENT_ADDRESS } from "../support/loopback-server.ts";
import { STORY } from "../support/stories.ts";
import { runFabula } from "./run-fabula.ts";

const UNPRICED = "openai:a-model-without-a-price";
const PRICED = "openai:a-model-with-a-price";

const REVIEW = "A plot with no holes in it, and people one would like to meet. The end came too soon for me.";

let server: SimulatedServer;
let folder: string;
beforeAll(async () => {
  server = await createSimulatedServer();
  folder = await mkdtemp(join(tmpdir(), "fabula-trouble-"));
  await writeFile(
    join(folder, "prices.yaml"),
    `date: 2026-01-01\nmodels:\n  "${PRICED}": { input: 1000, output: 5000 }\n`,
  );
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const fabula = (words: readonly string[], store: string, environment: Readonly<Record<string, string>> = {}) =>
  runFabula(words, {
    folder,
    environment: {
      FABULA_STORE: join(folder, store),
      FABULA_PRICES: join(folder, "prices.yaml"),
      OPENAI_API_KEY: "any",
      OPENAI_BASE_URL: `${server.url}/v1`,
      ...environment,
    },
  });

describe("what a run cost", () => {
  it("is unknown, not $0.00, with a model whose price is not known", async () => {
    const words = ["evaluate", STORY, "--method", "one-pass", "--judge", UNPRICED, "--out", "report.md"];
    const { stdout, stderr } = await fabula(words, "unpriced.db");
    expect(stderr).toMatch(/Run \S+: \d+ calls .*, cost unknown\./);
    expect(stdout + stderr).not.toContain("$0.00");
    const report = await readFile(join(folder, "report.md"), "utf8");
    expect(report).toContain("cost unknown");
    expect(report).not.toContain("$0.00");

    const evaluation = JSON.parse((await fabula([...words, "--json"], "unpriced.db")).stdout);
    expect(evaluation).toMatchObject({ cost: null, unpricedCalls: evaluation.calls });
    const [, first] = JSON.parse((await fabula(["runs", "list", "--json"], "unpriced.db")).stdout).runs;
    expect(first.summary).toMatchObject({ cost: null, unpricedCalls: first.summary.asked });
    const shown = await fabula(["runs", "show", first.id], "unpriced.db");
    const listed = await fabula(["runs", "list"], "unpriced.db");
    expect(shown.stdout).toContain("cost unknown");
    expect(listed.stdout).toContain("cost unknown");
    expect(shown.stdout).not.toContain("$0.00");
  });

  it("is at least what is known when one of two judges has no known price", async () => {
    const words = ["evaluate", STORY, "--method", "one-pass", "--panel", `${PRICED},${UNPRICED}`];
    const { stdout, stderr } = await fabula(words, "mixed.db");
    expect(stderr).toMatch(/Run \S+: \d+ calls .*, at least \$[1-9]/);
    expect(stdout).toMatch(/calls, at least \$[1-9]/);
    const [run] = JSON.parse((await fabula(["runs", "list", "--json"], "mixed.db")).stdout).runs;
    expect(run.summary.byModel[UNPRICED]).toMatchObject({ cost: null });
    expect(run.summary.byModel[PRICED].cost).toBe(run.summary.cost);
  });
});

describe("a provider whose token counts are impossible", () => {
  it.each([
    ["negative", -500_000],
    ["immense", 1e300],
  ])("is asked within the cap when they are %s, and every reply that was paid for is kept", async (what, count) => {
    const liar = await createSimulatedServer({
      reportedUsage: () => ({ inputTokens: count, outputTokens: count }),
    });
    try {
      const environment = { OPENAI_BASE_URL: `${liar.url}/v1` };
      const words = ["evaluate", STORY, "--method", "aggregate", "--judge", PRICED, "--max-cost", "60", "--json"];
      const { code, stderr } = await fabula(words, `${what}.db`, environment);
      expect(code).toBe(3);
      expect(stderr).toContain(`${PRICED} reports no token counts, or impossible ones: its cost is estimated`);
      const billed = liar.exchanges.flatMap(({ billed }) => billed ?? []);
      const bill = billed.reduce((sum, call) => sum + (call.inputTokens * 1000 + call.outputTokens * 5000) / 1e6, 0);
      expect(bill).toBeLessThanOrEqual(60);
      const [run] = JSON.parse((await fabula(["runs", "list", "--json"], `${what}.db`, environment)).stdout).runs;
      expect(run.summary.cost).toBeGreaterThanOrEqual(bill);
      expect(run.summary.cost).toBeLessThanOrEqual(60);
      expect(run.summary.asked).toBe(liar.exchanges.length);
    } finally {
      await liar.close();
    }
  });
});

describe("a store that takes no more answers", () => {
  it("ends the buying: what was under way is lost, and nothing else is sent", async () => {
    const provider = await createSimulatedServer({ latency: 20 });
    const database = await connect(join(folder, "full.db"));
    database.exec(`CREATE TRIGGER refuse BEFORE INSERT ON calls WHEN (SELECT count(*) FROM calls) >= 15
      BEGIN SELECT RAISE(ABORT, 'no more room'); END`);
    database.close();
    const reviews = Array.from({ length: 80 }, (_, at) => ({
      book: "b",
      reviewer: `r${at}`,
      rating: 4,
      text: `${REVIEW} ${at}`,
    }));
    await writeFile(join(folder, "raw.jsonl"), reviews.map((review) => JSON.stringify(review)).join("\n"));
    try {
      const words = ["reviews", "structure", "--in", "raw.jsonl", "--out", "reviews.jsonl", "--model", UNPRICED];
      const { code, stderr } = await fabula(words, "full.db", { OPENAI_BASE_URL: `${provider.url}/v1` });
      expect(code).toBe(1);
      expect(stderr).toContain("no more room");
      // About ten are under way at a time by then, of 32 that are ready to go.
      expect(provider.exchanges.length).toBeLessThanOrEqual(15 + 12);
    } finally {
      await provider.close();
    }
  });
});

describe("Ollama that is not running", () => {
  it("is named once, with how to start it, and nothing waits for it", async () => {
    const OLLAMA_HOST = SILENT_ADDRESS;
    const { code, stdout, stderr } = await fabula(["evaluate", STORY, "--judge", "ollama:qwen3"], "ollama.db", {
      OLLAMA_HOST,
    });
    expect(code).not.toBe(0);
    expect(`${stdout}${stderr}`.split("ollama serve")).toHaveLength(2);
    const [run] = JSON.parse((await fabula(["runs", "list", "--json"], "ollama.db", { OLLAMA_HOST })).stdout).runs;
    const shown = JSON.parse((await fabula(["runs", "show", run.id, "--json"], "ollama.db", { OLLAMA_HOST })).stdout);
    expect(shown.events.filter(({ kind }: { kind: string }) => kind === "retried")).toEqual([]);
  });
});
