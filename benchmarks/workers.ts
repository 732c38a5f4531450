/**
 * How close four workers come to the limit they share: 10,000 calls of 300 ms against one simulated server, each worker a
 * process of its own, a limit of so many calls at a time over all of them. The server counts how many were under way at once.
 * With --requests-per-minute it counts instead how many arrived in any minute.
 *
 *   npx tsx benchmarks/workers.ts [--calls 10000] [--workers 4] [--concurrency 50] [--requests-per-minute N]
 */
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { spawnFabula } from "../test/e2e/run-fabula.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { startWorker } from "../test/support/worker-process.ts";
import { busiestWindow, peakUnderWay } from "./support/arrivals.ts";
import { answering, madeQuestions } from "./support/made-library.ts";
import { startServer } from "./support/server-process.ts";

/** What a process has used so far, where the system says so. */
function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.NaN;
  }
}

/** Seconds for which the machine's cores had nothing to do, since it was started. */
function idleSeconds(): number {
  return cpus().reduce((sum, { times }) => sum + times.idle / 1000, 0);
}

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "10000" },
    workers: { type: "string", default: "4" },
    concurrency: { type: "string", default: "50" },
    "requests-per-minute": { type: "string" },
    latency: { type: "string", default: "300" },
  },
});
const calls = Number(values.calls);
const concurrency = Number(values.concurrency);
const perMinute = values["requests-per-minute"] === undefined ? null : Number(values["requests-per-minute"]);
const latency = Number(values.latency);

const folder = await mkdtemp(join(tmpdir(), "fabula-benchmark-"));
const postgres = await startPostgres({ durable: true });
const server = await startServer({ latency });
const store = await postgres.freshDatabase();
await writeFile(join(folder, "questions.jsonl"), madeQuestions(calls));
const workers = Array.from({ length: Number(values.workers) }, () => startWorker(store));
try {
  await Promise.all(workers.map((worker) => worker.said("ready")));
  const started = Date.now();
  const idleBefore = idleSeconds();
  const finished = await spawnFabula(
    [
      ...[...answering("out.jsonl", `m@${server.url}/v1`), "--json"],
      ...["--concurrency", String(perMinute === null ? concurrency : 1000)],
      ...(perMinute === null ? [] : ["--requests-per-minute", String(perMinute)]),
    ],
    { folder, environment: { FABULA_STORE: store } },
  );
  const total = (Date.now() - started) / 1000;
  const idle = (idleSeconds() - idleBefore) / total;
  if (finished.code !== 0) throw new Error(finished.stderr);
  const { answered } = JSON.parse(finished.stdout);
  const exchanges = await server.exchanges();
  const first = Math.min(...exchanges.map(({ at }) => at));
  const last = Math.max(...exchanges.map(({ endedAt }) => endedAt ?? 0));
  const seconds = (last - first) / 1000;
  const ideal = perMinute === null ? (calls / concurrency) * (latency / 1000) : (calls / perMinute) * 60;
  const cpu = workers.map(({ child }) => cpuSeconds(child.pid ?? 0));
  const shares = workers.map(({ log }) => log.filter(({ event }) => event === "done").length);
  console.log(
    `${calls} calls of ${latency} ms by ${workers.length} workers, ${perMinute === null ? `${concurrency} at a time` : `${perMinute} a minute`} over all: ideal ${ideal.toFixed(1)} s`,
  );
  console.log(
    `  from the first request to the last reply  ${seconds.toFixed(1)} s = ${(ideal / seconds).toFixed(3)} × ideal throughput`,
  );
  console.log(
    `  the whole command, queueing and report included  ${total.toFixed(1)} s = ${(ideal / total).toFixed(3)} × ideal`,
  );
  console.log(`  calls at a time as the server saw them, at most   ${peakUnderWay(exchanges)}`);
  console.log(`  requests in any 60 s, at most                     ${busiestWindow(exchanges, 60_000)}`);
  const underWay = exchanges.reduce((sum, { at, endedAt }) => sum + ((endedAt ?? at) - at), 0) / exchanges.length;
  console.log(`  a call was under way at the server, on average    ${underWay.toFixed(0)} ms`);
  console.log(
    `  cores of the machine that were busy, on average   ${(cpus().length - idle).toFixed(2)} of ${cpus().length}`,
  );
  console.log(`  CPU of each worker, in seconds                    ${cpu.map((one) => one.toFixed(1)).join(", ")}`);
  console.log(`  requests ${exchanges.length}, answered ${answered}; pieces by worker: ${shares.join(", ")}`);
} finally {
  for (const worker of workers) worker.child.kill("SIGTERM");
  await Promise.all(workers.map(({ ended }) => ended));
  server.close();
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
}
