import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { madeNovel } from "../../../benchmarks/support/made-library.ts";
import { simulatedReader } from "../../../test/support/simulated-reader.ts";
import { planInWords } from "../../cli/output/run-wording.ts";
import { estimateTokens } from "../../core/estimate-tokens.ts";
import { bookText } from "../../judge/material.ts";
import { estimateInputTokens } from "../../models/chat-model.ts";
import { PrefixCache } from "../../runner/limits/limiter.ts";
import { createSimulatedServer, type SimulatedServer } from "../../testing/index.ts";
import { readBook } from "../../text/read-book.ts";
import { judgeBooks } from "./judge-books.ts";

const JUDGE = "openai:reader";

let folder: string;
let server: SimulatedServer;
let sent: { all: number; fresh: number; calls: number };
let cache: PrefixCache;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-plan-close-"));
  server = await createSimulatedServer({
    reply: (request, random) => {
      const { messages, schema } = request;
      // In tokens as the plan counts them; a provider counts differently.
      const shape = schema ? { schema: { name: "", schema } } : {};
      const tokens = estimateInputTokens({ purpose: "judge", sample: 0, messages, ...shape });
      sent.calls += 1;
      sent.all += tokens;
      sent.fresh += tokens * (1 - cache.admit(request));
      return simulatedReader(request, random);
    },
  });
  const rates = "input: 2, output: 8, cached: 0.5, context: 1000000";
  await writeFile(join(folder, "prices.yaml"), `date: 2026-01-01\nmodels:\n  "${JUDGE}": { ${rates} }\n`);
  await writeFile(join(folder, "novel.md"), madeNovel(33, 3000));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

describe.each([
  { depth: "quick", most: 2.5 },
  { depth: "full", most: 5 },
] as const)("100,000 words read at depth $depth", ({ depth, most }) => {
  it("are planned within 10 % of what is sent, with what the next draft would cost", async () => {
    cache = new PrefixCache();
    sent = { all: 0, fresh: 0, calls: 0 };
    const settings = {
      store: join(folder, `${depth}.db`),
      prices: join(folder, "prices.yaml"),
      command: ["evaluate"],
      folder,
      connections: server.connections,
    };
    const input = { kind: "books", files: [join(folder, "novel.md")] } as const;
    const how = {
      judges: [JUDGE],
      method: "close",
      depth,
      runs: 2,
      services: { signal: new AbortController().signal },
    } as const;
    const { plan } = await judgeBooks(input, { ...how, settings: { ...settings, dryRun: true } });
    expect(sent.calls).toBe(0);
    const alone = await judgeBooks(input, { ...how, planNextDraft: false, settings: { ...settings, dryRun: true } });
    expect({ ...alone.plan, nextDraft: plan!.nextDraft }).toEqual(plan);
    await judgeBooks(input, { ...how, settings });
    expect(Math.abs(plan!.inputTokens / sent.all - 1)).toBeLessThan(0.1);
    const book = await readBook(join(folder, "novel.md"));
    expect(sent.fresh / estimateTokens(bookText(book, "en"))).toBeLessThan(most);
    const { nextDraft } = plan!;
    expect(nextDraft!.changed).toEqual([12, 23]);
    // Notes on 31 chapters and nearly all refutations are already known.
    expect(plan!.calls - nextDraft!.calls).toBeGreaterThan(depth === "full" ? 31 : 0);
    expect(nextDraft!.expectedCost!).toBeLessThan(plan!.expectedCost!);
    expect(planInWords(plan!)).toContain("If chapters 12 and 23 change, the next draft would take");
  }, 120_000);
});
