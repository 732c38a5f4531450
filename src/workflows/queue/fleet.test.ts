import { afterAll, beforeAll, expect, it } from "vitest";
import { type FleetOutcome, prepareFleet, simulateFleet } from "../../../benchmarks/support/fleet.ts";
import { inputs } from "../../../test/support/inputs.ts";
import { startPostgres, type TestPostgres } from "../../../test/support/postgres.ts";
import { Database } from "../../store/postgres/database.ts";

let postgres: TestPostgres;
let database: Database;
beforeAll(async () => {
  postgres = await startPostgres();
  database = new Database(await postgres.freshDatabase(), { connections: 1 });
  await database.open();
  await prepareFleet(database);
});
afterAll(async () => {
  await database.close();
  await postgres.close();
});

it("a simulated fleet loses nothing, keeps to caps and limits, and brings every run to its end, whatever happens", async () => {
  const outcomes: FleetOutcome[] = [];
  for (let seed = 1; seed <= inputs(30); seed++) outcomes.push(await simulateFleet(database, seed));
  expect(outcomes.some(({ crashes }) => crashes > 0)).toBe(true);
  expect(Math.max(...outcomes.map(({ longestWait }) => longestWait))).toBeLessThanOrEqual(10);
}, 900_000);

it("a seed always takes the same steps", async () => {
  expect(await simulateFleet(database, 4)).toEqual(await simulateFleet(database, 4));
});
