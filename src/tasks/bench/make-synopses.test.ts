import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hurriedClock } from "../../../test/support/hurried-clock.ts";
import { benchFiles } from "../../bench/bench-folder.ts";
import { writeJsonLines } from "../../core/json-lines.ts";
import { seededRandom } from "../../core/random.ts";
import { shippedPrompts } from "../../prompts/own-prompts.ts";
import { inRun } from "../../runner/open-run.ts";
import { createSimulatedServer, type SimulatedServer } from "../../testing/index.ts";
import { makeSynopses } from "./make-synopses.ts";

const MODEL = "openai:priced";
const CHAPTER = "The ferryman counted his coins twice before the river took the far bank away in the fog. ".repeat(40);

let folder: string;
let server: SimulatedServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-synopses-"));
  await writeFile(
    join(folder, "prices.yaml"),
    `date: 2026-01-01\nmodels:\n  "${MODEL}": { input: 1000, output: 3000 }\n`,
  );
  await writeJsonLines(benchFiles(folder).chapters, [
    {
      novel: "ferry",
      writer: "a writer",
      title: "The Ferry",
      language: "en",
      chapter: 1,
      words: 700,
      sha256: "0",
      text: CHAPTER,
    },
  ]);
  // Copies the chapter instead of retelling it, so that every attempt fails.
  const copied = { characters: [{ name: "Ferryman", about: CHAPTER }], plot: [CHAPTER], scenes: [CHAPTER] };
  server = await createSimulatedServer({ reply: () => JSON.stringify(copied) });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

it("names a maximum that holds when every synopsis copies its chapter and every attempt is needed", async () => {
  const retell = (dryRun: boolean) => {
    const { signal } = new AbortController();
    const prices = join(folder, "prices.yaml");
    const settings = { store: join(folder, "calls.db"), prices, dryRun, command: [], folder };
    return inRun(
      { ...settings, connections: server.connections },
      { signal, clock: hurriedClock, random: seededRandom(3) },
      (run) =>
        makeSynopses(run, { folder, model: MODEL, leakLimit: 0.1, attempts: 12, prompts: shippedPrompts, signal }),
    );
  };
  const { plan } = await retell(true);
  expect(server.exchanges).toHaveLength(0);
  expect(plan).toMatchObject({ calls: 1 });
  const { result, run } = await retell(false);
  expect(result[0]).toMatchObject({ synopsis: null, attempts: 12 });
  expect(run.summary.calls).toBe(12);
  expect(run.summary.cost).toBeGreaterThan(plan!.maximumCost! / 12);
  expect(run.summary.cost).toBeLessThanOrEqual(plan!.maximumCost!);
});
