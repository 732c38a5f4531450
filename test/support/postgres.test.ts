import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startPostgres, type TestPostgres } from "./postgres.ts";

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

it("gives each test a database of its own", async () => {
  const [one, other] = [await postgres.freshDatabase(), await postgres.freshDatabase()];
  await ask(one, "CREATE TABLE mine (x int)");
  await expect(ask(other, "SELECT * FROM mine")).rejects.toThrow("does not exist");
});

it.each(["fast", "crash"] as const)("keeps what was committed over a %s restart", async (mode) => {
  const url = await postgres.freshDatabase();
  await ask(url, "CREATE TABLE kept AS SELECT 7 AS x");
  await postgres.stop(mode);
  await expect(ask(url, "SELECT x FROM kept")).rejects.toThrow("ECONNREFUSED");
  await postgres.start();
  expect(await ask(url, "SELECT x FROM kept")).toEqual([{ x: 7 }]);
});

it("asks for its password", async () => {
  const url = (await postgres.freshDatabase()).replace(postgres.password, "wrong");
  await expect(ask(url, "SELECT 1")).rejects.toThrow("password authentication failed");
});
