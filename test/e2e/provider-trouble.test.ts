import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSimulatedServer, type SimulatedServer } from "../../src/testing/index.ts";
import { SILENT_ADDRESS } from "../support/loopback-server.ts";
import { STORY } from "../support/stories.ts";
import { runFabula } from "./run-fabula.ts";

const UNPRICED = "openai:a-model-without-a-price";
const PRICED = "openai:a-model-with-a-price";

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
