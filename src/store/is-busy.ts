import { FabulaError } from "../core/errors.ts";

/** Another program has the lock. SQLite has waited for it already: whatever is written next would wait as long again. */
export function isBusy(error: unknown): boolean {
  return error instanceof FabulaError && error.code === "E_STORE_BUSY";
}
