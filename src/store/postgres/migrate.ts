import type pg from "pg";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import type { Address } from "./address.ts";
import { MIGRATIONS } from "./migrations.ts";
import { inTransaction } from "./transaction.ts";

const OLDEST_SERVER = 13;
/** Any number, as long as every Fabula uses the same: its holder may change the tables. */
const LOCK = 7_220_641_107;

/** Brings the tables up to date. Of many workers that start at once, one does it and the others wait and find it done. */
export async function migrate(client: pg.PoolClient, address: Address): Promise<void> {
  await refuseUnsuited(client, address);
  if ((await version(client, address)) === MIGRATIONS.length) return;
  await inTransaction(client, async () => {
    await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
    await client.query("CREATE SCHEMA IF NOT EXISTS fabula");
    await client.query("CREATE TABLE IF NOT EXISTS fabula.schema_version (version INTEGER NOT NULL)");
    const from = await version(client, address);
    for (const step of MIGRATIONS.slice(from)) await client.query(step);
    await client.query("DELETE FROM fabula.schema_version");
    await client.query("INSERT INTO fabula.schema_version (version) VALUES ($1)", [MIGRATIONS.length]);
  });
}

async function version(client: pg.PoolClient, { shown }: Address): Promise<number> {
  const { rows: known } = await client.query("SELECT to_regclass('fabula.schema_version') IS NOT NULL AS there");
  if (!z.object({ there: z.boolean() }).parse(known[0]).there) return 0;
  const { rows } = await client.query("SELECT coalesce(max(version), 0) AS version FROM fabula.schema_version");
  const { version } = z.object({ version: z.number() }).parse(rows[0]);
  if (version > MIGRATIONS.length) {
    throw new FabulaError(
      "E_STORE_NEWER",
      `The store ${shown} was written by a newer version of Fabula: update Fabula, or give another store with --store.`,
    );
  }
  return version;
}

async function refuseUnsuited(client: pg.PoolClient, { shown, database }: Address): Promise<void> {
  const { rows } = await client.query(
    "SELECT current_setting('server_version_num')::int / 10000 AS server, current_setting('server_encoding') AS encoding",
  );
  const { server, encoding } = z.object({ server: z.number(), encoding: z.string() }).parse(rows[0]);
  if (server < OLDEST_SERVER) {
    throw new FabulaError(
      "E_STORE_OPEN",
      `The store ${shown} runs on PostgreSQL ${server}, and Fabula needs ${OLDEST_SERVER} or later: update the server.`,
    );
  }
  if (encoding !== "UTF8") {
    throw new FabulaError(
      "E_STORE_OPEN",
      `The database of ${shown} keeps text as ${encoding}, which cannot hold every book: make one with \`createdb --encoding=UTF8 --template=template0 ${database}\`.`,
    );
  }
}
