import { FabulaError } from "../core/errors.ts";
import { isPostgres } from "./postgres/address.ts";
import { openSqliteStore } from "./sqlite/sqlite-store.ts";
import type { Store } from "./store.ts";

/** A store by its location: the path of a file, made when it is not there, or the address of a PostgreSQL database. */
export async function openStore(location: string): Promise<Store> {
  if (isPostgres(location)) {
    // Loaded when it is asked for: a machine that keeps its calls in a file needs no driver.
    const { openPostgresStore } = await import("./postgres/postgres-store.ts");
    return openPostgresStore(location);
  }
  if (/^[a-z]+:\/\//i.test(location)) {
    throw new FabulaError(
      "E_STORE_UNKNOWN",
      `No store can be opened at "${location.replace(/:\/\/\S*@/, "://***@")}": give the path of a file, or postgres://user@host/database.`,
    );
  }
  return openSqliteStore(location);
}
