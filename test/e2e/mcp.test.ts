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
      "compare_books",
      "evaluate_book",
      "forecast_rating",
      "line_notes",
      "map_manuscript",
      "read_book",
      "search_book",
    ],
  ]);
  expect(tools.every(({ description }) => (description ?? "").length > 20)).toBe(true);
});

it("reads, searches, maps, notes and forecasts a book", async () => {
  expect((await call("read_book", { file: STORY })).text).toContain("The Inspector of Weights");
  const chapter = await call("read_book", { file: STORY, chapter: 1 });
  const word = chapter.text
    .split(/\s+/)
    .find((candidate) => candidate.length > 6)!
    .replace(/\W+$/, "");
  expect(Number((await call("search_book", { file: STORY, query: word })).data!.total)).toBeGreaterThan(0);
  expect((await call("map_manuscript", { file: STORY })).data).toHaveProperty("figures");
  expect((await call("line_notes", { file: STORY, top: 3 })).data!.notes).toHaveLength(3);
  expect((await call("forecast_rating", { file: "outline.md" })).text).toMatch(/rating \d\.\d\d out of 5/);
});

it("evaluates with the jury, and with a model that its user allowed", async () => {
  const jury = await call("evaluate_book", { file: STORY });
  expect(jury.data).toMatchObject({ judge: "jury", cost: 0 });
  const model = await call("evaluate_book", {
    file: STORY,
    judge: models.judge("simulated-small"),
    method: "one-pass",
  });
  expect(model.isError).toBe(false);
  expect(model.data!.judge).toBe(models.judge("simulated-small"));
});

it("asks no other judge and opens no other folder", async () => {
  const before = models.exchanges.length;
  const other = await call("evaluate_book", { file: STORY, judge: models.judge("another") });
  expect(other).toMatchObject({ isError: true });
  expect(other.text).toContain("is not allowed here");
  expect(models.exchanges.length).toBe(before);
  await writeFile(join(folder, "secret.md"), "# Secret\n\nNot to be read.\n");
  const outside = await call("read_book", { file: join(folder, "secret.md") });
  expect(outside).toMatchObject({ isError: true });
  expect(outside.text).not.toContain("Not to be read");
});
