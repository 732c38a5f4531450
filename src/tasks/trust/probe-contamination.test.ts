import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assetPath } from "../../core/assets.ts";
import { seededRandom } from "../../core/random.ts";
import { sameTitle } from "../../judge/probe/recognise.ts";
import { placeholderValue } from "../../models/placeholder-value.ts";
import { createSimulatedServer, type SimulatedServer } from "../../testing/index.ts";
import { probeContamination } from "./probe-contamination.ts";

let server: SimulatedServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-probe-"));
  let asked = 0;
  server = await createSimulatedServer({
    // A judge that recognises the story by its heroine, and scores stories it knows twenty points higher.
    reply: ({ messages, schema }) => {
      const prompt = messages.at(-1)!.content;
      const knows = /\bHester\b/.test(prompt);
      if (prompt.includes('"known"')) {
        return JSON.stringify({
          known: knows,
          title: knows ? "The Inspector of Weights" : null,
          author: null,
          confidence: knows ? 1 : 0,
        });
      }
      if (prompt.includes('"from"')) {
        return JSON.stringify({
          names: [
            { from: "Hester Vane", to: "Martha Pike", kind: "character" },
            { from: "Carrow", to: "Lunsey", kind: "place" },
          ],
        });
      }
      const score = (knows ? 80 : 60) + (asked++ % 3);
      return JSON.stringify(placeholderValue(schema, seededRandom(1)), (key, value: unknown) =>
        key === "overall" && typeof value !== "string" ? score : key === "score" ? score : value,
      );
    },
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

describe("a contamination probe", () => {
  it("tells that a judge knows a book and what knowing is worth to it", async () => {
    const { result } = await probeContamination(assetPath("examples", "the-inspector-of-weights.md"), {
      judge: server.judge("simulated-small"),
      runs: 3,
      settings: { store: join(folder, "calls.db"), command: ["probe"], folder, connections: server.connections },
      services: { signal: new AbortController().signal },
    });
    expect(result.variants.map(({ variant, recognition }) => [variant, recognition?.recognised])).toEqual([
      ["original", true],
      ["anonymised", false],
      ["summarised", false],
    ]);
    const [anonymised] = result.gaps;
    expect(anonymised!.points).toBeGreaterThan(15);
    expect(anonymised).toMatchObject({ against: "anonymised", beyondNoise: true });
  });

  it("knows a title by more than its letters", () => {
    expect(sameTitle("Great Gatsby", "The Great Gatsby")).toBe(true);
    expect(sameTitle("Moby-Dick; or, The Whale", "Moby Dick")).toBe(true);
    expect(sameTitle("Emma", "Persuasion")).toBe(false);
    expect(sameTitle(null, "Emma")).toBe(false);
  });
});
