import { afterAll, beforeAll, expect, it } from "vitest";
import { FleetDatabase, simulateFleets } from "../../benchmarks/support/fleet.ts";
import { inputs } from "../../test/support/inputs.ts";
import { startPostgres, type TestPostgres } from "../../test/support/postgres.ts";

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

it("two thousand simulated fleets lose nothing, keep to caps and limits, and bring every run to its end, whatever happens", async () => {
  const outcomes = await simulateFleets(postgres, 1, inputs(2000));
  expect(outcomes.some(({ crashes }) => crashes > 0)).toBe(true);
  expect(Math.max(...outcomes.map(({ longestWait }) => longestWait))).toBeLessThanOrEqual(10);
}, 900_000);

it("a seed always takes the same steps, in any database and after any other seed", async () => {
  const databases = [await postgres.freshDatabase(), await postgres.freshDatabase()];
  const [one, other] = await Promise.all(databases.map((location) => FleetDatabase.open(location)));
  await other!.simulate(7);
  expect(await one!.simulate(4)).toEqual(await other!.simulate(4));
  await Promise.all([one!.close(), other!.close()]);
});
