import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { mapBounded } from "../../src/runner/map-bounded.ts";
import { openRun, type Run, type RunServices, type RunSettings } from "../../src/runner/open-run.ts";
import type { RunnerEvent } from "../../src/runner/runner-event.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { StoredBatch } from "../../src/store/records.ts";
import type { Store } from "../../src/store/store.ts";
import { createSimulatedServer, type SimulatedServer, type SimulatedServerOptions } from "../../src/testing/index.ts";
import { hurriedClock } from "./hurried-clock.ts";

const never = new AbortController().signal;

type OpenServices = Partial<Pick<RunServices, "signal" | "fetch" | "store" | "clock">> & {
  readonly onSubmitted?: () => void;
};

/** Runs with `--batch` on a simulated server and a store in a new folder, for each test of a file. */
export function batchRuns() {
  let folder: string;
  let server: SimulatedServer;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "fabula-batch-"));
  });
  afterEach(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function serve(options: SimulatedServerOptions = {}): Promise<SimulatedServer> {
    server = await createSimulatedServer(options);
    return server;
  }

  async function open(
    settings: Partial<RunSettings> = {},
    { onSubmitted = () => {}, ...services }: OpenServices = {},
  ): Promise<{ run: Run; events: RunnerEvent[] }> {
    const events: RunnerEvent[] = [];
    const onEvent = (event: RunnerEvent) => {
      events.push(event);
      if (event.kind === "batch-submitted") onSubmitted();
    };
    const run = await openRun(
      { store: join(folder, "s.db"), command: [], folder, connections: server.connections, batch: true, ...settings },
      { signal: never, clock: hurriedClock, ...services, onEvent },
    );
    return { run, events };
  }

  async function askAll(run: Run, judge: string, count: number, subject = "text"): Promise<string[]> {
    const model = await run.model(judge);
    return mapBounded(Array.from({ length: count }).keys(), run.concurrency, async (position) => {
      const messages = [{ role: "user", content: `${subject} ${position}` }] as const;
      return (await model.complete({ purpose: "judge", sample: 0, maximumTokens: 50, messages }, never)).text;
    });
  }

  async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const store = await openStore(join(folder, "s.db"));
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }

  return {
    serve,
    open,
    askAll,
    withStore,
    path: (name: string) => join(folder, name),
    openBatches: (judge: string): Promise<StoredBatch[]> => withStore((store) => store.openBatches(judge)),
    /** As if the process had died before it learnt the names of its batches. */
    forgetNames: (judge: string): Promise<void> =>
      withStore(async (store) => {
        for (const batch of await store.openBatches(judge)) await store.saveBatch({ ...batch, providerId: null });
      }),
    billed: () => server.exchanges.filter(({ outcome }) => outcome === "answered").length,
  };
}
