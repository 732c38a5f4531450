// Runs all tests several times in a row beside processes that keep every core busy: a test that waits for a moment that load
// can push away fails here.
//   npm run test:busy [-- RUNS] [BUSY PROCESSES]
import { spawn, spawnSync } from "node:child_process";
import { availableParallelism, loadavg } from "node:os";

const [runs = 3, busyProcesses = availableParallelism()] = process.argv.slice(2).map(Number);
const busy = Array.from({ length: busyProcesses }, () => spawn(process.execPath, ["-e", "for (;;);"]));
process.on("exit", () => {
  for (const one of busy) one.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

for (let run = 1; run <= runs; run += 1) {
  const started = performance.now();
  const { status } = spawnSync("npx", ["vitest", "run"], { stdio: "inherit" });
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  const [, , load] = loadavg();
  console.log(
    `test:busy: run ${run} of ${runs}: ${status === 0 ? "passed" : "FAILED"} after ${minutes} minutes, load ${load.toFixed(1)}`,
  );
  if (status !== 0) process.exit(1);
}
// The busy processes would keep this one alive.
process.exit(0);
