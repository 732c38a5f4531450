import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { seededRandom } from "../../src/core/random.ts";
import type { ChatModel, ChatRequest } from "../../src/models/chat-model.ts";
import { ModelError } from "../../src/models/model-error.ts";
import { mapBounded } from "../../src/runner/map-bounded.ts";
import { openRun, type Run, type RunServices, type RunSettings } from "../../src/runner/open-run.ts";
import type { RunnerEvent } from "../../src/runner/runner-event.ts";
import { createSimulatedServer, type SimulatedServer, type SimulatedServerOptions } from "../../src/testing/index.ts";
import { hurriedClock } from "./hurried-clock.ts";

export const never = new AbortController().signal;

/** A folder with a store, and a simulated server that runs of this store ask: new for every test, gone after it. */
export function runsUnderTest() {
  let folder: string;
  let server: SimulatedServer;
  const cleanUp: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "fabula-run-"));
  });
  afterEach(async () => {
    for (const close of cleanUp.splice(0)) await close();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    /** What is named so in the folder of this test. */
    path: (name: string) => join(folder, name),
    async start(options: SimulatedServerOptions = {}): Promise<SimulatedServer> {
      server = await createSimulatedServer(options);
      cleanUp.push(server.close);
      return server;
    },
    async open(
      settings: Partial<RunSettings> = {},
      signal = new AbortController().signal,
      services: Partial<RunServices> = {},
    ) {
      const events: RunnerEvent[] = [];
      const run = await openRun(
        {
          store: join(folder, "store.db"),
          command: ["evaluate", "book.txt"],
          folder,
          connections: server.connections,
          concurrency: 20,
          ...settings,
        },
        { signal, clock: hurriedClock, random: seededRandom(7), onEvent: (event) => events.push(event), ...services },
      );
      cleanUp.push(() => run.finish());
      return { run, events, model: await run.model(server.judge("m")) };
    },
    /** How many calls the server answered, and so would have charged for. */
    billed: () => server.exchanges.filter(({ outcome }) => outcome === "answered").length,
  };
}

export const request = (text: string, changes: Partial<ChatRequest> = {}): ChatRequest => ({
  purpose: "judge",
  sample: 0,
  maximumTokens: 200,
  messages: [{ role: "user", content: text }],
  ...changes,
});

export const ask = (model: ChatModel, text: string, changes?: Partial<ChatRequest>) =>
  model.complete(request(text, changes), never);

/** Each reply, or the error in its place. */
export function askMany(run: Run, model: ChatModel, count: number): Promise<(string | ModelError)[]> {
  const texts = Array.from({ length: count }, (_, at) => `text number ${at}`);
  return mapBounded(texts, run.concurrency, (text) =>
    ask(model, text).then(
      ({ text: reply }) => reply,
      (error: unknown) => {
        if (!(error instanceof ModelError)) throw error;
        return error;
      },
    ),
  );
}
