import type { EvalPart } from "./part.ts";
import answers from "./parts/answers.ts";
import personal from "./parts/personal.ts";

/** Everything on the scorecard, in the order it is shown. */
export const PARTS: readonly EvalPart[] = [personal, answers];
