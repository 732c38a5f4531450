import type pg from "pg";

/** All of it or nothing. */
export async function inTransaction<T>(
  client: pg.PoolClient,
  work: (client: pg.PoolClient) => Promise<T>,
  begin = "BEGIN",
): Promise<T> {
  await client.query(begin);
  try {
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    // On a broken connection there is nothing to take back, and the first error is the one that says why.
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}
