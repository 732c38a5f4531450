/**
 * How much durability costs: 1,000 different calls of about 4,000 words each, fifty at a time, to a server that takes 200 ms,
 * every answer stored, against a bare `fetch` loop to the same server in the same run; then the whole run again from the store.
 *
 *   npx tsx benchmarks/throughput.ts [--calls 1000]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { ChatRequest } from "../src/models/chat-model.ts";
import { mapBounded } from "../src/runner/map-bounded.ts";
import { openRun } from "../src/runner/open-run.ts";
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

const [mode, url = "", calls = "", store = ""] = process.argv.slice(2);
if (process.send && (mode === "fetch" || mode === "fabula")) {
  // Made before the clock starts: thinking up four million words takes longer than finding a thousand answers in the store.
  const requests = [...positions(Number(calls))].map((position) => promptRequest(position));
  const started = performance.now();
  if (mode === "fetch") await bareFetch(url, requests);
  else await throughFabula(url, requests, store);
  report({ seconds: (performance.now() - started) / 1000 });
} else {
  const { values } = parseArgs({ options: { calls: { type: "string", default: "1000" } } });
  const folder = await mkdtemp(join(tmpdir(), "fabula-benchmark-"));
  const server = await startServer({ latency: LATENCY });
  const measure = (...words: string[]) =>
    resultOf<Measured>(startChild("../throughput.ts", ...words, server.url, values.calls, join(folder, "store.db")));
  try {
    const fetched = await measure("fetch");
    const fresh = await measure("fabula");
    const again = await measure("fabula");
    const asked = (await server.exchanges()).length;
    const ideal = (Number(values.calls) / CONCURRENCY) * (LATENCY / 1000);
    const line = (name: string, { seconds, peakMegabytes }: Measured) =>
      console.log(
        `${name.padEnd(26)} ${seconds.toFixed(2).padStart(7)} s  ${peakMegabytes.toFixed(0).padStart(5)} MB  ${(seconds / fetched.seconds).toFixed(2)} × fetch`,
      );
    console.log(
      `${values.calls} calls of about 4,000 words, ${CONCURRENCY} at a time, ${LATENCY} ms each: ideal ${ideal.toFixed(1)} s`,
    );
    line("bare fetch", fetched);
    line("fabula, all stored", fresh);
    line("fabula, again from store", again);
    console.log(
      `requests that reached the server: ${asked} (bare fetch ${values.calls}, fabula ${asked - Number(values.calls)})`,
    );
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}
