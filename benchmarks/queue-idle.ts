/**
 * What a fleet costs the database while there is nothing to do: workers that wait for work, and commands that wait for runs which
 * none of these workers can do.
 *
 *   npx tsx benchmarks/queue-idle.ts [--workers 20] [--runs 50] [--seconds 20]
 */
import { parseArgs } from "node:util";
import { shareWork } from "../src/queue/share-work.ts";
import { work } from "../src/queue/worker.ts";
import { performPiece } from "../src/tasks/jobs/registry.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { serverLoad } from "./support/server-process.ts";

const { values } = parseArgs({
  options: {
    workers: { type: "string", default: "20" },
    runs: { type: "string", default: "50" },
    seconds: { type: "string", default: "20" },
  },
});
const postgres = await startPostgres();
const location = await postgres.freshDatabase();
const end = new AbortController();
const everyone: Promise<unknown>[] = [];
const ended = (error: unknown) => {
  if (!end.signal.aborted) throw error;
};
const show = async (what: string) => {
  const { transactionsPerSecond, processorShare } = await serverLoad(location, Number(values.seconds));
  console.log(
    `${what.padEnd(48)} ${transactionsPerSecond.toFixed(0).padStart(5)} transactions a second, ${(processorShare * 100).toFixed(1)} % of a core`,
  );
};
try {
  for (let number = 0; number < Number(values.workers); number++) {
    await new Promise<void>((resolve) => {
      everyone.push(
        work({
          perform: performPiece,
          location,
          connections: {},
          judges: ["openai:other"],
          concurrency: null,
          untilEmpty: false,
          signal: end.signal,
          log: ({ event, detail }) => event === "watch" && console.error(detail),
          onReady: async () => resolve(),
        }).catch(ended),
      );
    });
  }
  await show(`${values.workers} workers, nothing queued`);
  for (let number = 0; number < Number(values.runs); number++) {
    await new Promise<void>((resolve) => {
      everyone.push(
        shareWork(
          {
            kind: "score-items",
            options: {},
            models: ["openai:gpt-4o-mini"],
            pieces: [{ label: "a piece", data: {} }],
          },
          {
            settings: { store: location, command: ["score"], folder: ".", connections: { openai: { key: "none" } } },
            signal: end.signal,
            detach: false,
            owner: `owner ${number % 3}`,
            priority: 0,
            onProgress: () => {},
            onNote: () => resolve(),
          },
          async () => null,
        ).catch(ended),
      );
    });
  }
  await show(`…and ${values.runs} runs that somebody waits for`);
} finally {
  end.abort(new Error("over"));
  await Promise.all(everyone);
  await postgres.close();
}
