import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { chaos } from "../../../benchmarks/support/chaos.ts";
import { seededRandom } from "../../../src/core/random.ts";
import { startPostgres, type TestPostgres } from "../../support/postgres.ts";

let postgres: TestPostgres;
let folder: string;
beforeAll(async () => {
  postgres = await startPostgres();
  folder = await mkdtemp(join(tmpdir(), "fabula-chaos-"));
});
afterAll(async () => {
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
});

it("killed workers, a database that comes and goes and a provider that fails change nothing but the time", async () => {
  const outcome = await chaos({
    folder,
    postgres,
    calls: 120,
    events: 4,
    workers: 2,
    concurrency: 8,
    latency: [50, 250],
    maximumCost: 1,
    random: seededRandom(1),
  });
  expect(outcome.code, outcome.stderr).toBe(0);
  expect(Object.values(outcome.events).reduce((sum, count) => sum + count, 0)).toBe(4);
  expect(outcome.events.kill).toBeGreaterThan(0);
  expect([outcome.answers, outcome.uses]).toEqual([120, 120]);
  expect(outcome.isIdentical).toBe(true);
  expect(outcome.billedTwiceForNoReason, outcome.gaveUp.join("\n")).toBe(0);
  expect(outcome.billed).toBeLessThan(1);
  expect(outcome.mostUnderWay).toBeLessThanOrEqual(8);
}, 300_000);
