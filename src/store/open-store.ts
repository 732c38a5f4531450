import { FabulaError } from "../core/errors.ts";
import { openSqliteStore } from "./sqlite/sqlite-store.ts";
import type { Store } from "./store.ts";

/** A store by its location: the path of a file, made when it is not there. */
export async function openStore(location: string): Promise<Store> {
  if (/^[a-z]+:\/\//i.test(location)) {
    throw new FabulaError("E_STORE_UNKNOWN", `No store can be opened at "${location}": give the path of a file.`);
  }
  return openSqliteStore(location);
}
