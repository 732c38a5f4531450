import { toSafeText } from "./safe-text.ts";
import type { RunFilter, RunPage } from "./store.ts";

/** The conditions as parameters: null where there is none; what is searched for as a pattern of LIKE. */
export function filterValues({ search, status, seenBefore, seenSince }: RunFilter) {
  return {
    search: search ? `%${toSafeText(search).replace(/[\\%_]/g, "\\$&")}%` : null,
    status: status ?? null,
    seenBefore: seenBefore ?? null,
    seenSince: seenSince ?? null,
  };
}

/** The place after which a page starts; before the newest run when there is no page before. */
export function placeOf({ after }: RunPage): { readonly startedAt: string; readonly id: string } {
  return after ? { startedAt: after.startedAt, id: toSafeText(after.id) } : { startedAt: "9999", id: "" };
}
