/**
 * Structuring many reviews: time and memory on the way to 100,000, one call each, fifty at a time, every answer stored, against
 * a bare `fetch` loop that sends requests of the same size to the same server; then the whole run again from the store.
 *
 *   npx tsx benchmarks/structure-reviews.ts [--reviews 100000] [--latency 100]
 *
 * The first model strays from one review in thirteen, which then goes to the second; one in forty is dropped: every path is
 * walked.
 */

import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeJsonLines } from "../src/core/json-lines.ts";
import { mapBounded } from "../src/runner/map-bounded.ts";
import { structureReviews } from "../src/tasks/reviews/structure-reviews.ts";
import { createSimulatedServer, type ReplyHandler } from "../src/testing/index.ts";
import { type Measured, report, resultOf, startChild } from "./support/child.ts";
import { positions, promptText } from "./support/prompts.ts";

const CONCURRENCY = 50;
const WORDS_OF_A_REVIEW = 180;
const MARKS = [1000, 10_000, 100_000];

interface Structured extends Measured {
  /** Resident megabytes once so many reviews were done. */
  readonly marks: readonly { readonly done: number; readonly megabytes: number; readonly seconds: number }[];
  readonly counts: string;
}

function* rawReviews(count: number) {
  for (const id of positions(count)) {
    const kind = id % 40 === 39 ? "hopeless" : id % 20 === 9 ? "garbled" : "plain";
    const text = `${kind} ${id}: the pacing drags but the heroine is wonderful ${promptText(id, WORDS_OF_A_REVIEW)}`;
    yield { id, book: `book-${id % 450}`, reviewer: `reader-${id % 17_000}`, rating: 1 + (id % 5), text };
  }
}

const reply: ReplyHandler = ({ messages, model }) => {
  const text = /<<<review \w+>>>\n([\s\S]*?)\n<<<END/.exec(messages.at(-1)!.content)![1]!;
  const strays = text.startsWith("hopeless") || (text.startsWith("garbled") && model === "first");
  const own = text.split(" ").slice(2, 90).join(" ");
  const said = strays ? "An absolutely magnificent, truly unforgettable literature" : own;
  return JSON.stringify({
    aspects: [
      { aspect: "Pacing", viewpoints: [said] },
      { aspect: "Heroine", viewpoints: [said.slice(0, 100)] },
    ],
    conclusion: said.slice(0, 80),
    rating: null,
  });
};

async function structured(url: string, folder: string): Promise<Omit<Structured, "peakMegabytes">> {
  const marks: Structured["marks"][number][] = [];
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  const { result } = await structureReviews({
    input: join(folder, "raw.jsonl"),
    output: join(folder, "structured.jsonl"),
    dropped: join(folder, "dropped.jsonl"),
    model: `first@${url}/v1`,
    secondModel: `second@${url}/v1`,
    settings: {
      store: join(folder, "store.db"),
      command: ["benchmark"],
      folder,
      connections: {},
      concurrency: CONCURRENCY,
    },
    services: { signal: new AbortController().signal },
    onProgress: ({ done }) => {
      if (!MARKS.includes(done)) return;
      const megabytes = process.resourceUsage().maxRSS / 1024;
      marks.push({ done, megabytes, seconds: seconds() });
      console.error(`${done} reviews after ${seconds().toFixed(0)} s, peak so far ${megabytes.toFixed(0)} MB`);
    },
  });
  const { byFirst, bySecond, dropped, unscored } = result;
  return {
    marks,
    seconds: seconds(),
    counts: `${byFirst} by the first model, ${bySecond} by the second, ${dropped} dropped, ${unscored} unscored`,
  };
}

async function bareFetch(url: string, reviews: number): Promise<void> {
  await mapBounded(rawReviews(reviews), CONCURRENCY, async ({ text }) => {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        model: "second",
        messages: [{ role: "user", content: `<<<review 0>>>\n${text}\n<<<END` }],
      }),
    });
    await response.json();
  });
}

const [mode, url = "", size = "", folder = ""] = process.argv.slice(2);
if (process.send && mode === "serve") {
  const server = await createSimulatedServer({ reply, latency: Number(url) });
  process.on("disconnect", () => void server.close());
  process.send({ url: server.url });
} else if (process.send && mode === "fetch") {
  const started = performance.now();
  await bareFetch(url, Number(size));
  report({ seconds: (performance.now() - started) / 1000 });
} else if (process.send && mode === "fabula") {
  report(await structured(url, folder));
} else {
  const { values } = parseArgs({
    options: { reviews: { type: "string", default: "100000" }, latency: { type: "string", default: "100" } },
  });
  const folder = await mkdtemp(join(tmpdir(), "fabula-benchmark-"));
  await writeJsonLines(join(folder, "raw.jsonl"), rawReviews(Number(values.reviews)));
  const server = startChild("../structure-reviews.ts", "serve", values.latency);
  const [{ url }] = (await once(server, "message")) as [{ url: string }];
  const child = (mode: string) => startChild("../structure-reviews.ts", mode, url, values.reviews, folder);
  const line = (name: string, { seconds, peakMegabytes }: Measured, against: Measured) =>
    console.log(
      `${name.padEnd(26)} ${seconds.toFixed(1).padStart(7)} s  ${peakMegabytes.toFixed(0).padStart(5)} MB  ${(seconds / against.seconds).toFixed(2)} × fetch`,
    );
  try {
    const fetched = await resultOf<Measured>(child("fetch"));
    line("bare fetch", fetched, fetched);
    const fresh = await resultOf<Structured>(child("fabula"));
    line("fabula, all stored", fresh, fetched);
    for (const { done, megabytes, seconds } of fresh.marks) {
      console.log(`  at ${String(done).padStart(6)} reviews  ${megabytes.toFixed(0)} MB  ${seconds.toFixed(1)} s`);
    }
    line("fabula, again from store", await resultOf<Structured>(child("fabula")), fetched);
    const { size } = await stat(join(folder, "store.db"));
    console.log(`${values.reviews} reviews: ${fresh.counts}; store ${(size / 1e6).toFixed(0)} MB`);
  } finally {
    server.disconnect();
    await rm(folder, { recursive: true, force: true });
  }
}
