import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { killAndResume } from "../../../benchmarks/support/kill-and-resume.ts";
import { seededRandom } from "../../../src/core/random.ts";

let folder: string;
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("kill -9", () => {
  it("loses no answer, pays for none twice, and changes nothing about the result", async () => {
    folder = await mkdtemp(join(tmpdir(), "fabula-kill-"));
    const outcome = await killAndResume({
      folder,
      calls: 200,
      words: 50,
      concurrency: 10,
      latency: [10, 110],
      kills: 4,
      idempotent: true,
      random: seededRandom(11),
    });
    expect(outcome.kills).toBe(4);
    expect(outcome.storedByTheKilled).toBeGreaterThan(0);
    expect(outcome.disturbed).toMatchObject({ asked: 200, failed: 0, digest: outcome.undisturbed.digest });
    expect(outcome).toMatchObject({ storedButAskedAgain: 0, billedTwice: 0 });
  });
});
