import type { Damage } from "./damage.ts";
import { INSERTIONS } from "./insertions.ts";
import { LAYOUT_CHANGES } from "./layout-changes.ts";
import { ORDER_DAMAGES } from "./order-damages.ts";
import { WORDING_DAMAGES } from "./wording-damages.ts";

/** Everything a stress test does to a book: damages first, then changes that must not matter. */
export const DAMAGES: readonly Damage[] = [...ORDER_DAMAGES, ...WORDING_DAMAGES, ...LAYOUT_CHANGES].sort(
  (left, right) => Number(left.harmless) - Number(right.harmless),
);

/** The damages, and the passages that speak to a judge. */
export const ALL_CHANGES: readonly Damage[] = [...DAMAGES, ...INSERTIONS];
