/**
 * How much durability costs: 1,000 different calls of about 4,000 words each, fifty at a time, to a server that takes 200 ms,
 * every answer stored, against a bare `fetch` loop to the same server; then the whole run again from the store. All three take
 * turns, because a machine is not equally fast from one minute to the next, and the median round counts.
 *
 *   npx tsx benchmarks/throughput.ts [--calls 1000] [--rounds 5]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { ChatRequest } from "../src/models/chat-model.ts";
import { mapBounded } from "../src/runner/map-bounded.ts";
import { openRun } from "../src/runner/open-run.ts";
import { median } from "../src/stats/distribution.ts";
import { type Measured, report, resultOf, startChild } from "./support/child.ts";
import { positions, promptRequest } from "./support/prompts.ts";
import { startServer } from "./support/server-process.ts";

const CONCURRENCY = 50;
const LATENCY = 200;

async function bareFetch(url: string, requests: readonly ChatRequest[]): Promise<void> {
  await mapBounded(requests, CONCURRENCY, async ({ messages, maximumTokens }) => {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "m", messages, max_tokens: maximumTokens }),
    });
    await response.json();
  });
}

async function throughFabula(url: string, requests: readonly ChatRequest[], store: string): Promise<void> {
  const run = await openRun(
    { store, command: ["benchmark"], folder: ".", connections: {}, concurrency: CONCURRENCY },
    { signal: new AbortController().signal },
  );
  const model = await run.model(`m@${url}/v1`);
  const signal = new AbortController().signal;
  await mapBounded(requests, CONCURRENCY, async (request) => {
    await model.complete(request, signal);
  });
  const { summary } = await run.finish();
  if (summary.asked + summary.cached !== requests.length)
    throw new Error(`only ${summary.asked + summary.cached} calls are there`);
}

const [mode, url = "", count = "", store = ""] = process.argv.slice(2);
if (process.send && (mode === "fetch" || mode === "fabula")) {
  // `tsx` turns source maps on; the program that users run does without, and stack traces cost it less.
  process.setSourceMapsEnabled(false);
  // Made before the clock starts: thinking up four million words takes longer than finding a thousand answers in the store.
  const requests = [...positions(Number(count))].map((position) => promptRequest(position));
  const started = performance.now();
  if (mode === "fetch") await bareFetch(url, requests);
  else await throughFabula(url, requests, store);
  report({ seconds: (performance.now() - started) / 1000 });
} else {
  const { values } = parseArgs({
    options: { calls: { type: "string", default: "1000" }, rounds: { type: "string", default: "5" } },
  });
  const calls = Number(values.calls);
  const folder = await mkdtemp(join(tmpdir(), "fabula-benchmark-"));
  const server = await startServer({ latency: LATENCY });
  const rounds: { ratio: number; megabytes: number; again: number }[] = [];
  try {
    const ideal = (calls / CONCURRENCY) * (LATENCY / 1000);
    console.log(
      `${calls} calls of about 4,000 words, ${CONCURRENCY} at a time, ${LATENCY} ms each: ideal ${ideal.toFixed(1)} s`,
    );
    console.log("round   bare fetch   fabula, all stored             again from the store");
    for (const round of positions(Number(values.rounds))) {
      const store = join(folder, `round-${round}.db`);
      const measure = (mode: string) =>
        resultOf<Measured>(startChild("../throughput.ts", mode, server.url, values.calls, store));
      const fetched = await measure("fetch");
      const stored = await measure("fabula");
      const again = await measure("fabula");
      const ratio = stored.seconds / fetched.seconds;
      rounds.push({ ratio, megabytes: stored.peakMegabytes, again: again.seconds });
      console.log(
        `${String(round + 1).padStart(5)}   ${fetched.seconds.toFixed(2).padStart(8)} s   ${stored.seconds.toFixed(2)} s, ${stored.peakMegabytes.toFixed(0)} MB, ${ratio.toFixed(2)} × fetch   ${again.seconds.toFixed(2)} s`,
      );
    }
    const middle = (key: "ratio" | "again") => median(rounds.map((round) => round[key])).toFixed(2);
    const most = Math.max(...rounds.map(({ megabytes }) => megabytes)).toFixed(0);
    console.log(`median  ${middle("ratio")} × fetch, again from the store ${middle("again")} s; at most ${most} MB`);
    const asked = (await server.exchanges()).length;
    const fetched = calls * rounds.length;
    console.log(`requests that reached the server: ${asked} (bare fetch ${fetched}, fabula ${asked - fetched})`);
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}
