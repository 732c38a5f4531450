import type { EvalPart } from "./part.ts";
import answers from "./parts/answers.ts";
import forecast from "./parts/forecast.ts";
import jury from "./parts/jury.ts";
import personal from "./parts/personal.ts";
import pocket from "./parts/pocket.ts";
import pocketLength from "./parts/pocket-length.ts";
import quotations from "./parts/quotations.ts";
import readingReplies from "./parts/reading-replies.ts";
import reviews from "./parts/reviews.ts";
import writers from "./parts/writers.ts";

/** Everything on the scorecard, in the order it is shown. */
export const PARTS: readonly EvalPart[] = [
  jury,
  pocket,
  pocketLength,
  forecast,
  reviews,
  personal,
  writers,
  answers,
  quotations,
  readingReplies,
];
