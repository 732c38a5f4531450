import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCsv } from "../../src/core/table/csv-table.ts";
import { readTable } from "../../src/core/table/read-table.ts";
import { placeholderValue } from "../../src/models/placeholder-value.ts";
import { mapBounded } from "../../src/runner/map-bounded.ts";
import { openRun } from "../../src/runner/open-run.ts";
import { createSimulatedServer, type SimulatedServer } from "../../src/testing/index.ts";
import { runFabula } from "./run-fabula.ts";

const KEY = "sk-live-0123456789abcdef0123";
let folder: string;
let server: SimulatedServer;
let run: string;

/** Without the keys that whoever runs the tests may have. */
const fabula = (words: readonly string[], environment: Record<string, string> = {}) =>
  runFabula(words, {
    folder,
    environment: {
      FABULA_STORE: join(folder, "store.db"),
      OLLAMA_HOST: "127.0.0.1:9",
      GOOGLE_GENERATIVE_AI_API_KEY: "",
      ...environment,
    },
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-e2e-"));
  server = await createSimulatedServer({
    key: KEY,
    faults: { refusal: 0.2 },
    reply: ({ schema }, random) =>
      schema ? JSON.stringify(placeholderValue(schema, random)) : 'a "quoted", reply\nin two lines',
  });
  const opened = await openRun(
    {
      store: join(folder, "store.db"),
      command: ["doctor", "--judge", server.judge("m")],
      folder,
      connections: server.connections,
    },
    { signal: new AbortController().signal },
  );
  const model = await opened.model(server.judge("m"));
  await mapBounded(Array.from({ length: 12 }).keys(), 4, (sample) =>
    model.complete(
      { purpose: "judge", sample, messages: [{ role: "user", content: `chapter ${sample}` }] },
      new AbortController().signal,
    ),
  );
  run = (await opened.finish()).id!;
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

describe("fabula runs", () => {
  it("lists runs for people and for programs", async () => {
    expect((await fabula(["runs", "list"])).stdout).toMatch(new RegExp(`${run}\\s+done\\s+12\\s+0\\s+free of charge`));
    const { runs } = JSON.parse((await fabula(["runs", "list", "--json"])).stdout);
    expect(runs).toMatchObject([{ id: run, status: "done", summary: { calls: 12, asked: 12, cost: 0 } }]);
  });

  it("shows one run", async () => {
    const { stdout } = await fabula(["runs", "show", run]);
    expect(stdout).toContain("12 calls: 12 asked, 0 from the store, 0 without an answer");
    expect(stdout).toMatch(/judge\s+12/);
  });

  it("exports every call, as JSONL or CSV, with or without what was asked", async () => {
    const lines = (await fabula(["runs", "export", run, "--requests"])).stdout.trim().split("\n");
    expect(lines).toHaveLength(12);
    expect(JSON.parse(lines[0]!)).toMatchObject({ run, outcome: "asked", request: expect.stringContaining("chapter") });
    const out = join(folder, "a new folder", "calls.csv");
    expect((await fabula(["runs", "export", run, "--out", out])).stderr).toContain("12 calls");
    const { rows } = await readCsv(out);
    expect(rows).toHaveLength(12);
    expect(rows.filter(({ stop }) => stop === "refusal").length).toBeGreaterThan(0);
    expect(rows.find(({ stop }) => stop === "stop")?.text).toBe('a "quoted", reply\nin two lines');
  });

  it("exports real Parquet when the file's name ends in .parquet", async () => {
    const out = join(folder, "calls.parquet");
    const { code, stdout } = await fabula(["runs", "export", run, "--out", out, "--requests", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ format: "parquet", calls: 12 });
    const { rows } = await readTable(out);
    expect(rows).toHaveLength(12);
    expect(rows.find(({ stop }) => stop === "stop")).toMatchObject({
      run,
      outcome: "asked",
      text: 'a "quoted", reply\nin two lines',
      cost: 0,
      request: expect.stringContaining("chapter"),
    });
  });

  it.each([
    [["--out", "calls.xlsx"], "end the file's name with .jsonl, .csv, .parquet"],
    [["--out", "calls.csv", "--format", "parquet"], "do not agree"],
    [["--format", "parquet"], "Parquet is written to a file"],
  ])("refuses what it cannot write: %j", async (words, sentence) => {
    const { code, stderr } = await fabula(["runs", "export", run, ...words]);
    expect(code).toBe(1);
    expect(stderr).toContain(sentence);
  });

  it.each([["show"], ["export"], ["resume"]])("says which run is not there (%s)", async (verb) => {
    const { code, stderr } = await fabula(["runs", verb, "nothing"]);
    expect(code).toBe(1);
    expect(stderr).toBe('fabula: There is no run "nothing": `fabula runs list` shows them.\n');
  });
});

describe("fabula doctor", () => {
  it("says what is reachable and what a judge costs, and never shows a key", async () => {
    const environment = {
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: `${server.url}/v1`,
      ANTHROPIC_API_KEY: "sk-ant-wrong-key-000000",
      ANTHROPIC_BASE_URL: "http://127.0.0.1:9/v1",
      FABULA_API_KEY: KEY,
      FABULA_BASE_URL: `${server.url}/v1`,
    };
    const { stdout, stderr } = await fabula(["doctor", "--judge", server.judge("doctor"), "--json"], environment);
    const { findings, judge } = JSON.parse(stdout);
    const state = (name: string) => findings.find((finding: { name: string }) => finding.name === name).state;
    expect(state("openai")).toBe("ready");
    expect(state("anthropic")).toBe("broken");
    expect(state("google")).toBe("absent");
    expect(judge).toMatchObject({ answers: true, cost: 0, price: { input: 0, output: 0 } });
    expect(stdout + stderr).not.toContain("sk-");
  });

  it("says why a judge does not answer", async () => {
    const doctor = (environment: Readonly<Record<string, string>>) =>
      fabula(["doctor", "--judge", server.judge("m")], environment);
    const { code, stdout } = await doctor({ FABULA_API_KEY: "wrong", FABULA_BASE_URL: server.url });
    expect(code).toBe(1);
    expect(stdout).toContain("refused the key");
    const unbound = await doctor({ FABULA_API_KEY: KEY });
    expect(unbound.code).toBe(1);
    expect(unbound.stdout).toContain("FABULA_API_KEY is set, but is sent nowhere: set FABULA_BASE_URL");
    expect(unbound.stdout).toContain(
      `asks for a key (401: Incorrect API key provided.), and no key was sent to ${server.url}: set FABULA_API_KEY to the key and FABULA_BASE_URL to ${server.url}/v1`,
    );
    expect((await fabula(["doctor", "--judge", "gpt-4o"])).stderr).toContain('"gpt-4o" is not a judge');
  });
});
