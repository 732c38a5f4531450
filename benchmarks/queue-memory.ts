/**
 * Memory with a long queue: 100,000 calls of 4,000 words are queued; after the first few thousand answers the run is interrupted.
 *
 *   npx tsx benchmarks/queue-memory.ts [--queued 100000] [--answers 5000]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ModelError } from "../src/models/model-error.ts";
import { mapBounded } from "../src/runner/map-bounded.ts";
import { openRun } from "../src/runner/open-run.ts";
import { report, resultOf, startChild } from "./support/child.ts";
import { positions, promptRequest } from "./support/prompts.ts";
import { startServer } from "./support/server-process.ts";

const [mode, url = "", queued = "", answers = "", store = ""] = process.argv.slice(2);
if (process.send && mode === "work") {
  const abort = new AbortController();
  const started = performance.now();
  let answered = 0;
  const run = await openRun(
    { store, command: ["benchmark"], folder: ".", connections: {}, concurrency: 50 },
    {
      signal: abort.signal,
      onEvent: ({ kind }) => {
        if (kind === "answered" && ++answered === Number(answers)) abort.abort(new Error("enough"));
      },
    },
  );
  const model = await run.model(`m@${url}/v1`);
  const signal = new AbortController().signal;
  const results = await mapBounded(positions(Number(queued)), run.concurrency, async (position) => {
    if (abort.signal.aborted) return "left";
    return model.complete(promptRequest(position), signal).then(
      () => "answered",
      (error: unknown) => {
        if (error instanceof ModelError && error.failure === "interrupted") return "left";
        throw error;
      },
    );
  });
  const { summary } = await run.finish();
  const left = results.filter((result) => result === "left").length;
  report({ asked: summary.asked, left, seconds: (performance.now() - started) / 1000 });
} else {
  const { values } = parseArgs({
    options: { queued: { type: "string", default: "100000" }, answers: { type: "string", default: "5000" } },
  });
  const folder = await mkdtemp(join(tmpdir(), "fabula-benchmark-"));
  const server = await startServer({});
  const result = await resultOf<{ asked: number; left: number; seconds: number; peakMegabytes: number }>(
    startChild("../queue-memory.ts", "work", server.url, values.queued, values.answers, join(folder, "store.db")),
  );
  server.close();
  await rm(folder, { recursive: true, force: true });
  console.log(
    `${values.queued} calls of 4,000 words queued, 50 at a time: ${result.asked} answered and stored in ${result.seconds.toFixed(0)} s, ` +
      `${result.left} left for a resume, peak ${result.peakMegabytes.toFixed(0)} MB`,
  );
}
