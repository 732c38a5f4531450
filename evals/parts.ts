import type { EvalPart } from "./part.ts";
import answers from "./parts/answers.ts";
import forecast from "./parts/forecast.ts";
import personal from "./parts/personal.ts";
import reviews from "./parts/reviews.ts";

/** Everything on the scorecard, in the order it is shown. */
export const PARTS: readonly EvalPart[] = [forecast, reviews, personal, answers];
