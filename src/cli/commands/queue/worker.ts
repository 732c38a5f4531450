import { FabulaError } from "../../../core/errors.ts";
import { connectionsFromEnvironment } from "../../../models/connection.ts";
import { redact } from "../../../models/model-error.ts";
import type { WorkerEvent } from "../../../queue/worker-events.ts";
import { isPostgres, withoutPassword } from "../../../store/postgres/address.ts";
import { defineCommand, STORE_FLAG } from "../../command.ts";
import { storeLocation } from "../../paths.ts";

export const workerCommand = defineCommand({
  summary: "Join the queue of a shared store and process it until it is stopped.",
  operands: "",
  flags: {
    store: STORE_FLAG,
    judges: { type: "string", value: "A,B", help: "take only work that needs no other models than these [any]" },
    concurrency: {
      type: "number",
      value: "N",
      minimum: 1,
      maximum: 1000,
      integer: true,
      help: "this worker's concurrent calls to each provider [its share of the run's]",
    },
    drain: { type: "boolean", help: "exit when the queue is empty" },
    "metrics-port": {
      type: "number",
      value: "PORT",
      minimum: 0,
      maximum: 65_535,
      integer: true,
      help: "serve /metrics (Prometheus) and /healthz on this port",
    },
    "metrics-host": { type: "string", value: "HOST", default: "127.0.0.1", help: "the address to serve them on" },
  },
  examples: [
    "fabula worker --store postgres://fabula@db.example/fabula",
    "fabula worker --store postgres://fabula@db.example/fabula --judges openai:gpt-4.1 --concurrency 16 --metrics-port 9464",
    "fabula worker --drain",
  ],
  // Its log is JSON, and reports what is being finished.
  finishing: null,
  logsJson: true,
  async run({ flags, signal }) {
    const location = storeLocation(flags.store, process.env);
    if (!isPostgres(location)) {
      throw new FabulaError(
        "E_USAGE",
        "A worker needs a store that others can reach: give one with --store postgres://user@host/database.",
      );
    }
    // The log is one JSON document per line, so Node's warnings about libraries are logged in the same way.
    process.removeAllListeners("warning");
    process.on("warning", ({ message }) => log({ level: "info", event: "node", detail: message }));
    // An uncaught error ends the worker, and the others take over, but it is logged first.
    process.on("uncaughtException", (error) => {
      log({ level: "error", event: "crashed", detail: error.stack ?? error.message });
      process.exit(1);
    });
    const { work } = await import("../../../queue/worker.ts");
    const { performPiece } = await import("../../../tasks/jobs/registry.ts");
    const { startMetricsServer } = await import("../../../queue/metrics-server.ts");
    const port = flags["metrics-port"];
    let metrics: { close(): Promise<void> } | null = null;
    try {
      await work({
        perform: performPiece,
        location,
        connections: connectionsFromEnvironment(process.env),
        judges: flags.judges === undefined ? null : list(flags.judges),
        concurrency: flags.concurrency ?? null,
        untilEmpty: flags.drain,
        signal,
        log,
        async onReady(worker) {
          if (port === undefined) return;
          const server = await startMetricsServer({ host: flags["metrics-host"], port }, worker);
          metrics = server;
          log({ level: "info", event: "metrics", detail: `http://${flags["metrics-host"]}:${server.port}/metrics` });
        },
      });
      return 0;
    } catch (error) {
      log({ level: "error", event: "cannot-go-on", detail: error instanceof Error ? error.message : String(error) });
      return 1;
    } finally {
      await (metrics as { close(): Promise<void> } | null)?.close();
    }
  },
});

/** Keys and passwords never reach the log, even when a message contains them. */
function log(event: WorkerEvent): void {
  const line = JSON.stringify({ at: new Date().toISOString(), ...event });
  process.stderr.write(`${withoutPassword(redact(line))}\n`);
}

function list(words: string): string[] {
  return words
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}
