import { toSafeText } from "./safe-text.ts";
import type { CallFilter, RunFilter, RunPage } from "./store.ts";

/** The conditions as parameters: null where there is none; what is searched for as a pattern of LIKE. */
export function filterValues({ search, status, seenBefore, seenSince, model, command }: RunFilter) {
  return {
    search: patternOf(search),
    status: status ?? null,
    seenBefore: seenBefore ?? null,
    seenSince: seenSince ?? null,
    model: model ? toSafeText(model) : null,
    command: patternOf(command),
  };
}

function patternOf(words: string | undefined): string | null {
  return words ? `%${toSafeText(words).replace(/[\\%_]/g, "\\$&")}%` : null;
}

/** Which calls, as parameters in the order of the statements. */
export function callFilterValues({ model, purpose, outcome }: CallFilter = {}): (string | null)[] {
  return [model, purpose, outcome].map((value) => (value ? toSafeText(value) : null));
}

/** The place after which a page starts; before the newest run when there is no page before. */
export function placeOf({ after }: RunPage): { readonly startedAt: string; readonly id: string } {
  return after ? { startedAt: after.startedAt, id: toSafeText(after.id) } : { startedAt: "9999", id: "" };
}
