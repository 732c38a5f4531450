/**
 * Loaded into the server that is watched: collects all garbage twice a minute and writes down how much memory is left. Between
 * two collections a process keeps as much as V8 thinks is worth keeping, which says nothing about what it holds on to.
 */
import { appendFileSync } from "node:fs";
import { Session } from "node:inspector";
import { setTimeout as wait } from "node:timers/promises";

const EVERY_MILLISECONDS = 30_000;
/** Freed pages go back to the system a little later. */
const GIVEN_BACK_MILLISECONDS = 1000;

// The processes that the server starts load this too.
const file = process.argv[2] === "serve" ? process.env.HELD_MEMORY_FILE : undefined;
if (file !== undefined) {
  const session = new Session();
  session.connect();
  setInterval(() => {
    session.post("HeapProfiler.collectGarbage", async () => {
      await wait(GIVEN_BACK_MILLISECONDS, undefined, { ref: false });
      appendFileSync(file, `${process.pid} ${Date.now()} ${process.memoryUsage.rss()}\n`);
    });
  }, EVERY_MILLISECONDS).unref();
}
