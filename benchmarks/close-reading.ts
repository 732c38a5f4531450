/**
 * What a close reading sends, how well a dry run foresees it, and how it grows with the book: novels of 30,000, 60,000 and 120,000 words
 * on a simulated provider, whose reader writes as much as recorded readers wrote.
 *
 *   npx tsx benchmarks/close-reading.ts [--words 30000,60000,120000] [--depth quick,full]
 *
 * Each reading runs in a process of its own, so that its peak memory is its own; the provider runs in this one.
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { estimateTokens } from "../src/core/estimate-tokens.ts";
import { bookText } from "../src/judge/material.ts";
import type { Depth } from "../src/judge/methods/method.ts";
import { estimateInputTokens } from "../src/models/chat-model.ts";
import { PrefixCache } from "../src/runner/limits/limiter.ts";
import { judgeBooks } from "../src/tasks/books/judge-books.ts";
import { createSimulatedServer } from "../src/testing/index.ts";
import { readBook } from "../src/text/read-book.ts";
import { simulatedReader } from "../test/support/simulated-reader.ts";
import { madeNovel } from "./support/made-library.ts";

const { values } = parseArgs({
  options: {
    words: { type: "string", default: "30000,60000,120000" },
    depth: { type: "string", default: "quick,full" },
    /** For the process that reads: the file, the server's address and the store. */
    read: { type: "string" },
    url: { type: "string" },
    store: { type: "string" },
  },
});
const WORDS_PER_CHAPTER = 3000;
const JUDGE = "openai:reader";

const settingsFor = (folder: string, url: string, store: string) => ({
  store,
  prices: join(folder, "prices.yaml"),
  command: [],
  folder,
  connections: { openai: { key: "unused", baseUrl: url } },
});
const services = { signal: new AbortController().signal };

if (values.read !== undefined) await readOne(values.read, values.url!, values.store!, values.depth as Depth);
else await measureAll();

async function readOne(file: string, url: string, store: string, depth: Depth): Promise<void> {
  const folder = join(file, "..");
  const started = performance.now();
  const { result } = await judgeBooks(
    { kind: "books", files: [file] },
    { judges: [JUDGE], method: "close", depth, runs: 5, settings: settingsFor(folder, url, store), services },
  );
  const seconds = (performance.now() - started) / 1000;
  const memory = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ seconds, memory, findings: result[0]!.letter?.findings?.length ?? 0 }));
}

async function measureAll(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "fabula-close-"));
  let cache = new PrefixCache();
  let sent = { calls: 0, all: 0, fresh: 0 };
  const server = await createSimulatedServer({
    reply: (request, random) => {
      // By the measure of the plan: a provider counts in its own way.
      const { messages, schema } = request;
      const tokens = estimateInputTokens({
        purpose: "judge",
        sample: 0,
        messages,
        ...(schema && { schema: { name: "", schema } }),
      });
      sent = {
        calls: sent.calls + 1,
        all: sent.all + tokens,
        fresh: sent.fresh + tokens * (1 - cache.admit(request)),
      };
      return simulatedReader(request, random);
    },
  });
  try {
    await writeFile(
      join(folder, "prices.yaml"),
      `date: 2026-01-01\nmodels:\n  "${JUDGE}": { input: 2, output: 8, cached: 0.5, context: 1000000 }\n`,
    );
    const url = server.connections.openai!.baseUrl!;
    console.log(
      "depth    words  calls   sent / book   cached once   planned in   sent in   error   next draft / first   seconds   MB",
    );
    for (const depth of values.depth.split(",") as Depth[]) {
      for (const words of values.words.split(",").map(Number)) {
        const file = join(folder, `${words}.md`);
        await writeFile(file, madeNovel(Math.round(words / WORDS_PER_CHAPTER), WORDS_PER_CHAPTER));
        const book = await readBook(file);
        const own = estimateTokens(bookText(book, "en"));
        const settings = { ...settingsFor(folder, url, join(folder, "plan.db")), dryRun: true };
        const planning = { judges: [JUDGE], method: "close", depth, runs: 5, settings, services } as const;
        const { plan } = await judgeBooks({ kind: "books", files: [file] }, planning);
        cache = new PrefixCache();
        sent = { calls: 0, all: 0, fresh: 0 };
        const run = await inOwnProcess(file, url, join(folder, `${words}-${depth}.db`), depth);
        const columns = [
          depth.padEnd(5),
          String(book.words).padStart(8),
          String(sent.calls).padStart(6),
          (sent.all / own).toFixed(2).padStart(13),
          (sent.fresh / own).toFixed(2).padStart(13),
          String(plan!.inputTokens).padStart(12),
          String(sent.all).padStart(9),
          `${(100 * (plan!.inputTokens / sent.all - 1)).toFixed(1)} %`.padStart(7),
          (plan!.nextDraft!.expectedCostCached! / plan!.expectedCostCached!).toFixed(2).padStart(20),
          run.seconds.toFixed(1).padStart(9),
          run.memory.toFixed(0).padStart(4),
        ];
        console.log(columns.join(" "));
      }
    }
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function inOwnProcess(
  file: string,
  url: string,
  store: string,
  depth: Depth,
): Promise<{ readonly seconds: number; readonly memory: number }> {
  const words = [
    "--import",
    "tsx",
    import.meta.filename,
    "--read",
    file,
    "--url",
    url,
    "--store",
    store,
    "--depth",
    depth,
  ];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    let out = "";
    child.stdout.on("data", (data: Buffer) => {
      out += String(data);
    });
    child.on("exit", (code) => {
      if (code === 0) resolve(JSON.parse(out.trim().split("\n").at(-1)!));
      else reject(new Error(`the reading ended with ${code}`));
    });
  });
}
