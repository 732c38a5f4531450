/**
 * Attacks that once succeeded, tried again on the command line and on a server: what each takes of the attacked process, what the
 * attacker is told, and how long an honest visitor waits meanwhile, for a page and for an upload. Linux only.
 *
 *   npx tsx benchmarks/attacks.ts
 *
 * Exits 1 when one takes 300 MB or 10 s, or an honest visitor waits for a second.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { serveFabula } from "../test/e2e/serve-fabula.ts";
import type { AttackResult } from "./support/attacks/attack-result.ts";
import { hostileFiles, writeHostileFiles } from "./support/attacks/hostile-files.ts";
import { killDuringUpload } from "./support/attacks/killed-server.ts";
import { attackCommand } from "./support/attacks/on-command-line.ts";
import { attackByGuesses, attackByUploads } from "./support/attacks/on-server.ts";

const MOST = { megabytes: 300, seconds: 10, honestMilliseconds: 1000 };

function print(result: AttackResult): void {
  const { name, seconds, megabytes, sentence, honestMilliseconds: honest } = result;
  const problems = [
    ...(result.problem ? [result.problem] : []),
    ...(megabytes < MOST.megabytes ? [] : ["too much memory"]),
    ...(seconds < MOST.seconds ? [] : ["too slow"]),
    ...(honest === null || honest < MOST.honestMilliseconds ? [] : ["an honest visitor waited too long"]),
  ];
  const waited = honest === null ? "" : `, honest visitor ${Math.round(honest)} ms`;
  console.log(
    `${problems.length === 0 ? "✓" : "✗"} ${name}: ${seconds.toFixed(1)} s, ${Math.round(megabytes)} MB${waited}`,
  );
  console.log(`    ${sentence.slice(0, 200)}`);
  for (const problem of problems) console.log(`    ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

const folder = await mkdtemp(join(tmpdir(), "fabula-attacks-"));
try {
  const files = writeHostileFiles(folder);
  for (const command of ["read", "evaluate"])
    for (const file of files) print(await attackCommand(command, file, folder));

  const token = randomBytes(24).toString("base64url");
  const server = await serveFabula(folder, ["--trust-proxy"], { FABULA_TOKEN: token });
  try {
    const attacked = { url: server.url, pid: server.pid, token };
    for (const file of hostileFiles()) for (const times of [2, 12]) print(await attackByUploads(attacked, file, times));
    print(await attackByGuesses(attacked, 300));
  } finally {
    await server.stop("SIGTERM");
  }
  print(await killDuringUpload(folder));
  console.log(`load average ${loadavg()[0]!.toFixed(1)}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
