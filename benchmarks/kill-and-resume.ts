/**
 * What a `kill -9` costs: a run of 1,000 calls is killed at 50 random moments, each followed by a resume. Once against a server
 * that answers a repeated idempotency key without a second bill, once against one that does not know such keys.
 *
 *   npx tsx benchmarks/kill-and-resume.ts [--calls 1000] [--kills 50]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seededRandom } from "../src/core/random.ts";
import { killAndResume } from "./support/kill-and-resume.ts";

const { values } = parseArgs({
  options: { calls: { type: "string", default: "1000" }, kills: { type: "string", default: "50" } },
});
for (const idempotent of [true, false]) {
  const folder = await mkdtemp(join(tmpdir(), "fabula-benchmark-"));
  const outcome = await killAndResume({
    folder,
    calls: Number(values.calls),
    words: 400,
    concurrency: 50,
    latency: [20, 380],
    kills: Number(values.kills),
    idempotent,
    random: seededRandom(5),
  });
  await rm(folder, { recursive: true, force: true });
  const same = outcome.disturbed.digest === outcome.undisturbed.digest;
  console.log(`server ${idempotent ? "honours" : "ignores"} idempotency keys, killed ${outcome.kills} times:`);
  console.log(
    `  calls answered at the end        ${outcome.disturbed.asked} of ${values.calls}, ${outcome.disturbed.failed} failed`,
  );
  console.log(`  identical to an undisturbed run  ${same ? "yes" : "NO"}`);
  console.log(`  stored by the killed processes   ${outcome.storedByTheKilled}`);
  console.log(`  in the store, yet asked again    ${outcome.storedButAskedAgain}`);
  console.log(`  billed twice, the reply still on its way when killed: ${outcome.billedTwice}`);
}
