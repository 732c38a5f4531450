/**
 * How long an evaluation takes when every call takes 300 ms: a novel of 40 segments, aggregate, five runs, sixteen calls at a
 * time, against the least possible (40 summaries one after the other, and 200 judge calls sixteen at a time after them).
 *
 *   npx tsx benchmarks/judging-time.ts [--segments 40] [--runs 5] [--books 1]
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readBook } from "../src/text/read-book.ts";
import { segmentBook } from "../src/text/segments.ts";
import { judgeBooks } from "../src/workflows/books/judge-books.ts";
import { madeNovel } from "./support/made-library.ts";
import { startServer } from "./support/server-process.ts";

const LATENCY = 300;
const CONCURRENCY = 16;
const { values } = parseArgs({
  options: {
    segments: { type: "string", default: "40" },
    runs: { type: "string", default: "5" },
    books: { type: "string", default: "1" },
  },
});
const runs = Number(values.runs);
const folder = await mkdtemp(join(tmpdir(), "fabula-time-"));
const server = await startServer({ latency: LATENCY });
try {
  const files = await Promise.all(
    Array.from({ length: Number(values.books) }, async (_, at) => {
      const file = join(folder, `novel-${at}.md`);
      await writeFile(file, madeNovel(Number(values.segments), 1000, at + 1));
      return file;
    }),
  );
  const segments = segmentBook(await readBook(files[0]!), { size: 900 }).length;
  const least = ((segments + (segments * runs * files.length) / CONCURRENCY) * LATENCY) / 1000;
  const started = performance.now();
  const { result, run } = await judgeBooks(
    { kind: "books", files },
    {
      judges: [`m@${server.url}/v1`],
      method: "aggregate",
      runs,
      segmentWords: 900,
      settings: {
        store: join(folder, "calls.db"),
        command: [],
        folder,
        connections: {},
        concurrency: CONCURRENCY,
      },
      services: { signal: new AbortController().signal },
    },
  );
  const seconds = (performance.now() - started) / 1000;
  const scored = result.filter(({ overall }) => overall.kind === "scored").length;
  console.log(
    `${files.length} book(s) of ${segments} segments, ${runs} runs, ${run.summary.calls} calls, ${scored} scored`,
  );
  console.log(
    `${seconds.toFixed(1)} s; the least possible is ${least.toFixed(1)} s: ${(seconds / least).toFixed(2)} times`,
  );
} finally {
  await server.close();
  await rm(folder, { recursive: true, force: true });
}
