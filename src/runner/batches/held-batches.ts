import { CONTENT_TABLES } from "../../store/contents.ts";
import { pagesOf } from "../../store/copy-contents.ts";
import { fromSafeText } from "../../store/safe-text.ts";
import type { Store } from "../../store/store.ts";

const BATCHES = CONTENT_TABLES.filter(({ name }) => name === "batches");

/** The providers' ids of all batches in the store, whichever model they are for: none of them can be one that is looked for. */
export async function heldBatches({ contents }: Store): Promise<ReadonlySet<string>> {
  const held = new Set<string>();
  for (const table of BATCHES) {
    for await (const rows of pagesOf(table, ["token", "provider_id"], contents)) {
      for (const { provider_id: id } of rows) if (typeof id === "string") held.add(fromSafeText(id));
    }
  }
  return held;
}
