import type { EvalPart } from "./part.ts";

/** Everything on the scorecard, in the order it is shown. */
export const PARTS: readonly EvalPart[] = [];
