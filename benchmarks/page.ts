/**
 * The page's server with much in it: a book of 400,000 words added and opened, 10,000 runs listed page by page and searched,
 * and the size of what a browser loads first.
 *
 *   npx tsx benchmarks/page.ts [--words 400000] [--runs 10000]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Paged } from "../src/api/answers.ts";
import type { BookDetails, ChapterHeat, ChapterText, SearchHit } from "../src/api/books.ts";
import type { Job } from "../src/api/jobs.ts";
import type { RunRow } from "../src/api/runs.ts";
import { seededRandom } from "../src/core/random.ts";
import { openStore } from "../src/store/open-store.ts";
import { type Served, serveFabula } from "../test/e2e/serve-fabula.ts";
import { addBook, juryRequest } from "../test/support/library-requests.ts";
import { madeNovel } from "./support/made-library.ts";

const { values } = parseArgs({
  options: { words: { type: "string", default: "400000" }, runs: { type: "string", default: "10000" } },
});
const words = Number(values.words);
const runs = Number(values.runs);
const CHAPTER_WORDS = 4000;
const CALLS_PER_RUN = 20;

const folder = await mkdtemp(join(tmpdir(), "fabula-benchmark-"));
await fillStore(join(folder, "fabula", "fabula.db"));
const page = await serveFabula(folder);
try {
  await firstLoad(page);
  await largeBook(page);
  await manyRuns(page);
} finally {
  await page.stop("SIGINT");
  await rm(folder, { recursive: true, force: true });
}

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  console.log(`  ${name.padEnd(52)} ${(performance.now() - started).toFixed(1).padStart(9)} ms`);
  return result;
}

async function firstLoad({ url }: Served): Promise<void> {
  const bytesOf = async (path: string) => {
    const response = await fetch(url + path, { headers: { "accept-encoding": "br" } });
    const text = await response.text();
    return { text, bytes: Number(response.headers.get("content-length") ?? 0) };
  };
  const index = await bytesOf("/");
  const loaded = [...index.text.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path!);
  const sizes = await Promise.all(loaded.map(async (path) => (await bytesOf(path)).bytes));
  const total = sizes.reduce((sum, bytes) => sum + bytes, index.bytes);
  console.log(`what index.html loads, compressed: ${(total / 1000).toFixed(1)} kB in ${loaded.length + 1} files`);
}

async function largeBook(page: Served): Promise<void> {
  const content = madeNovel(Math.ceil(words / CHAPTER_WORDS), CHAPTER_WORDS);
  console.log(`a book of ${words} words, ${(content.length / 1e6).toFixed(1)} MB`);
  const book = await timed("added: sent, parsed, kept", () => addBook(page, "long.md", content));
  await timed("opened: its contents and the first chapter", async () => {
    await page.json<BookDetails>(`/api/books/${book.id}`);
    await page.json<ChapterText>(`/api/books/${book.id}/chapters/1`);
  });
  const middle = Math.ceil(book.chapters / 2);
  await timed("one chapter in the middle", () => page.json<ChapterText>(`/api/books/${book.id}/chapters/${middle}`));
  await timed("its heat layer, the judge being loaded first", () =>
    page.json<ChapterHeat>(`/api/books/${book.id}/chapters/${middle}/heat`),
  );
  await timed("the heat layer of the next", () =>
    page.json<ChapterHeat>(`/api/books/${book.id}/chapters/${middle + 1}/heat`),
  );
  await timed("a word searched that stands nowhere", () =>
    page.json<SearchHit[]>(`/api/books/${book.id}/search?q=xyzzyx`),
  );
  let slowest = 0;
  const job = (await (await page.send("POST", "/api/jobs", juryRequest(book.id))).json()) as Job;
  await timed("judged by the grader, watched", async () => {
    const ended = page.watch(job.id, ["done", "failed"]);
    let isEnded = false;
    void ended.finally(() => {
      isEnded = true;
    });
    while (!isEnded) {
      const asked = performance.now();
      await page.json("/api/jobs");
      slowest = Math.max(slowest, performance.now() - asked);
    }
    const { state, note } = await ended;
    if (state !== "done") throw new Error(`${state}: ${note}`);
  });
  console.log(`  ${"slowest answer of the server meanwhile".padEnd(52)} ${slowest.toFixed(1).padStart(9)} ms`);
}

async function manyRuns(page: Served): Promise<void> {
  console.log(`${runs} runs of ${CALLS_PER_RUN} calls`);
  const list = (query: string) => page.json<Paged<RunRow>>(`/api/runs?limit=50${query}`);
  let { next } = await timed("first page of 50", () => list(""));
  ({ next } = await timed("second page", () => list(`&after=${next}`)));
  const times: number[] = [];
  while (next !== null) {
    const started = performance.now();
    ({ next } = await list(`&after=${next}`));
    times.push(performance.now() - started);
  }
  times.sort((left, right) => left - right);
  const at = (share: number) => times[Math.floor((times.length - 1) * share)]?.toFixed(1) ?? "–";
  console.log(`  all others: median ${at(0.5)} ms, slowest ${at(1)} ms`);
  await timed("searched, found in every hundredth", () => list("&search=book-99.epub"));
  await timed("searched, found nowhere", () => list("&search=nothing-like-it"));
  await timed("by status", () => list("&status=failed"));
}

async function fillStore(path: string): Promise<void> {
  const store = await openStore(path);
  const random = seededRandom(1);
  for (let at = 0; at < runs; at++) {
    const startedAt = new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString();
    const id = `20260101-000000-r${at}`;
    await store.createRun({
      ...{ id, command: ["evaluate", `book-${at % 100}.epub`, "--judge", "openai:gpt-4.1"], folder: "/books" },
      ...{ status: random() < 0.1 ? "failed" : "done", note: null, maximumCost: null },
      ...{ startedAt, worker: "host:1", seenAt: startedAt, finishedAt: startedAt },
    });
    await store.recordUses(
      Array.from({ length: CALLS_PER_RUN }, (_, call) => ({
        ...{ runId: id, key: `${at}-${call}`, outcome: "cached" as const, model: "openai:gpt-4.1", purpose: "judge" },
        ...{ cost: 0, inputTokens: 5000, outputTokens: 100, reason: null, requestHash: null, at: startedAt },
      })),
    );
  }
  await store.close();
}
