import type { ModelError, ModelFailure } from "../../models/model-error.ts";

/** A call whose reply arrived broken or too late is tried again, but not paid for more often than this. */
export const MAXIMUM_BILLED_ATTEMPTS = 3;

/** How often a reply that arrived but cannot be used is asked for again. */
export const REASKS = 1;

const BILLED: ReadonlySet<ModelFailure> = new Set(["malformed", "cut-off", "timeout", "too-large"]);

/** A reply that arrived broken, in part, too late or too long for us is billed all the same. */
export function mayBeBilled({ failure }: ModelError): boolean {
  return BILLED.has(failure);
}

/**
 * The maximum number of times one answer can be billed: each time it is asked for, by the runner or by the caller, as often
 * as its reply may arrive broken.
 */
export function maximumBilledAttempts({
  unusable,
  attempts = 1,
}: {
  readonly unusable?: unknown;
  readonly attempts?: number;
}): number {
  return attempts * (unusable === undefined ? 1 : 1 + REASKS) * MAXIMUM_BILLED_ATTEMPTS;
}
