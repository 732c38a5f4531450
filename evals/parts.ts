import type { EvalPart } from "./part.ts";
import personal from "./parts/personal.ts";

/** Everything on the scorecard, in the order it is shown. */
export const PARTS: readonly EvalPart[] = [personal];
