/** A durable run of made-up calls in a process of its own, to be killed and resumed. Its settings are the first argument. */
import { contentHash } from "../../src/core/hash.ts";
import { mapBounded } from "../../src/runner/map-bounded.ts";
import { openRun } from "../../src/runner/open-run.ts";
import { report } from "./child.ts";
import { positions, promptRequest } from "./prompts.ts";

export interface DurableRunSettings {
  readonly url: string;
  readonly store: string;
  readonly calls: number;
  readonly words: number;
  readonly concurrency: number;
  readonly resume?: string;
}

export interface DurableRunResult {
  readonly id: string | null;
  /** Changes with any reply. */
  readonly digest: string;
  readonly asked: number;
  readonly failed: number;
  readonly peakMegabytes: number;
}

const settings = JSON.parse(process.argv[2] ?? "{}") as DurableRunSettings;
const { url, store, calls, words, concurrency, resume } = settings;
const signal = new AbortController().signal;
const run = await openRun(
  { store, command: ["benchmark"], folder: ".", connections: {}, concurrency, ...(resume ? { resume } : {}) },
  { signal },
);
const model = await run.model(`m@${url}/v1`);
process.send?.("started");
const replies = await mapBounded(positions(calls), concurrency, async (position) => {
  const { text } = await model.complete(promptRequest(position, words), signal);
  return text;
});
const { id, summary } = await run.finish();
report({ id, digest: contentHash(replies), asked: summary.asked, failed: summary.failed });
