import { FabulaError } from "../core/errors.ts";
import { withOptionalPackage } from "../core/loading/optional-package.ts";
import { isPostgres } from "./postgres/address.ts";
import type { Store } from "./store.ts";

/**
 * A store by its location: the path of a file, made when it is not there, or the address of a PostgreSQL database. Its driver is
 * loaded when it is needed: a machine that keeps its calls in a file needs none for PostgreSQL.
 */
export async function openStore(location: string): Promise<Store> {
  if (isPostgres(location)) {
    const { openPostgresStore } = await withOptionalPackage(() => import("./postgres/postgres-store.ts"));
    return openPostgresStore(location);
  }
  if (/^[a-z]+:\/\//i.test(location)) {
    throw new FabulaError(
      "E_STORE_UNKNOWN",
      `No store can be opened at "${location.replace(/:\/\/\S*@/, "://***@")}": give the path of a file, or postgres://user@host/database.`,
    );
  }
  const { openSqliteStore } = await import("./sqlite/sqlite-store.ts");
  return openSqliteStore(location);
}
