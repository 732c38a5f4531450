import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { createSimulatedServer, type SimulatedServer } from "../../src/testing/index.ts";

const EXAMPLES = resolve("assets/examples");
const STORY = "the-inspector-of-weights.md";

let client: Client;
let models: SimulatedServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-mcp-"));
  models = await createSimulatedServer();
  client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [
        ...[resolve("dist/cli/main.js"), "mcp", "--folder", EXAMPLES, "--judges", models.judge("simulated-small")],
        ...["--max-cost", "0.5", "--store", join(folder, "calls.db")],
      ],
      cwd: folder,
    }),
  );
});
afterAll(async () => {
  await client.close();
  await models.close();
  await rm(folder, { recursive: true, force: true });
});

const resultSchema = z.looseObject({
  content: z.array(z.object({ text: z.string() })),
  isError: z.boolean().optional(),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
});

async function call(name: string, given: Record<string, unknown>) {
  const {
    content,
    isError = false,
    structuredContent,
  } = resultSchema.parse(await client.callTool({ name, arguments: given }));
  return { text: content[0]!.text, isError, data: structuredContent };
}

it("offers its tools with descriptions", async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual([
    ...[
      "answer_question",
      "check_manuscript",
      "compare_books",
      "evaluate_book",
      "forecast_rating",
      "line_notes",
      "list_books",
      "map_manuscript",
      "next_question",
      "read_book",
      "search_book",
    ],
  ]);
  expect(tools.every(({ description }) => (description ?? "").length > 20)).toBe(true);
});

it("reads, searches, maps, notes and forecasts a book", async () => {
  expect((await call("read_book", { book: STORY })).text).toContain("The Inspector of Weights");
  const chapter = await call("read_book", { book: STORY, chapter: 1 });
  const word = chapter.text
    .split(/\s+/)
    .find((candidate) => candidate.length > 6)!
    .replace(/\W+$/, "");
  expect(Number((await call("search_book", { book: STORY, query: word })).data!.total)).toBeGreaterThan(0);
  expect((await call("map_manuscript", { book: STORY })).data).toHaveProperty("figures");
  const checked = await call("check_manuscript", { books: [STORY] });
  expect(checked.data!.books).toMatchObject([{ title: "The Inspector of Weights", findings: [] }]);
  expect(checked.text).toContain("Nothing found that code alone can find");
  expect((await call("line_notes", { book: STORY, top: 3 })).data!.notes).toHaveLength(3);
  expect((await call("forecast_rating", { books: ["outline.md"] })).text).toMatch(/rating \d\.\d\d out of 5/);
});

it("tells an assistant how far a task has got, and takes nothing that an assistant may not give", async () => {
  const stages: (string | undefined)[] = [];
  await client.callTool({ name: "line_notes", arguments: { book: STORY } }, undefined, {
    onprogress: ({ message }) => stages.push(message),
  });
  expect(stages).toContain("Preparing chapters");
  const outside = await call("map_manuscript", { book: "../../package.json" });
  expect(outside).toMatchObject({ isError: true });
  expect(outside.text).toContain("outside the shared folder");
  const { tools } = await client.listTools();
  const { properties } = tools.find(({ name }) => name === "map_manuscript")!.inputSchema;
  expect(Object.keys(properties ?? {}).sort()).toEqual(["book", "characterCorrections", "format", "metadata"]);
  const named = await call("map_manuscript", { book: STORY, reference: "/etc/passwd" });
  expect(named.data?.reference).not.toMatchObject({ id: "passwd" });
});

it("evaluates with the jury, and with a model that its user allowed", async () => {
  const jury = await call("evaluate_book", { book: STORY });
  expect(jury.data).toMatchObject({ judge: "jury", cost: 0 });
  const model = await call("evaluate_book", {
    book: STORY,
    judge: models.judge("simulated-small"),
    method: "one-pass",
  });
  expect(model.isError).toBe(false);
  expect(model.data!.judge).toBe(models.judge("simulated-small"));
});

it("asks no other judge and opens no other folder", async () => {
  const before = models.exchanges.length;
  const other = await call("evaluate_book", { book: STORY, judge: models.judge("another") });
  expect(other).toMatchObject({ isError: true });
  expect(other.text).toContain("is not allowed here");
  expect(models.exchanges.length).toBe(before);
  await writeFile(join(folder, "secret.md"), "# Secret\n\nNot to be read.\n");
  const outside = await call("read_book", { book: join(folder, "secret.md") });
  expect(outside).toMatchObject({ isError: true });
  expect(outside.text).not.toContain("Not to be read");
});

it.each(["its assistant has left", "Ctrl-C"])("stops paying after %s, and keeps what was paid", async (cause) => {
  const slow = await createSimulatedServer({ latency: 2000 });
  try {
    // Seven segments, summarised and judged one after the other.
    const SEGMENTS = 7;
    await writeFile(join(folder, "long.md"), "She waited by the water and counted the boats. ".repeat(3000));
    const child = spawn(process.execPath, [
      ...[resolve("dist/cli/main.js"), "mcp", "--folder", folder, "--judges", slow.judge("simulated-small")],
      ...["--store", join(folder, `${cause.length}.db`)],
    ]);
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.stdout.resume();
    const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const params = { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } };
    say({ id: 1, method: "initialize", params });
    say({ method: "notifications/initialized" });
    const given = { book: "long.md", judge: slow.judge("simulated-small"), method: "incremental" };
    say({ id: 2, method: "tools/call", params: { name: "evaluate_book", arguments: given } });
    await expect.poll(() => slow.exchanges.length).toBeGreaterThan(0);
    if (cause === "Ctrl-C") child.kill("SIGINT");
    else child.stdin.end();
    const [code] = await once(child, "close");
    expect(code, stderr).toBe(0);
    expect(slow.exchanges.every(({ outcome }) => outcome === "answered")).toBe(true);
    expect(slow.exchanges.length).toBeLessThan(SEGMENTS);
    expect(stderr.includes("nothing paid for is lost")).toBe(cause === "Ctrl-C");
  } finally {
    await slow.close();
  }
});
