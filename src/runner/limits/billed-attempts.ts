import type { ModelError, ModelFailure } from "../../models/model-error.ts";

/** A call whose reply arrived broken or too late is tried again, but not paid for more often than this. */
export const MAXIMUM_BILLED_ATTEMPTS = 3;

const BILLED: ReadonlySet<ModelFailure> = new Set(["malformed", "cut-off", "timeout", "too-large"]);

/** A reply that arrived broken, in part, too late or too long for us is billed all the same. */
export function mayBeBilled({ failure }: ModelError): boolean {
  return BILLED.has(failure);
}

/** The maximum number of times one answer can be billed: each time it is asked for, as often as its reply may arrive broken. */
export function maximumBilledAttempts({ attempts = 1 }: { readonly attempts?: number }): number {
  return attempts * MAXIMUM_BILLED_ATTEMPTS;
}
