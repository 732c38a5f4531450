import type { EvalPart } from "./part.ts";
import answers from "./parts/answers.ts";
import closeReading from "./parts/close-reading.ts";
import forecast from "./parts/forecast.ts";
import grader from "./parts/grader.ts";
import graderLength from "./parts/grader-length.ts";
import jury from "./parts/jury.ts";
import novelcritique from "./parts/novelcritique.ts";
import personal from "./parts/personal.ts";
import personalKnown from "./parts/personal-known.ts";
import planted from "./parts/planted.ts";
import questions from "./parts/questions.ts";
import quotations from "./parts/quotations.ts";
import readerTastes from "./parts/reader-tastes.ts";
import readingReplies from "./parts/reading-replies.ts";
import reviews from "./parts/reviews.ts";
import writers from "./parts/writers.ts";

/** Everything on the scorecard, in the order it is shown. */
export const PARTS: readonly EvalPart[] = [
  closeReading,
  planted,
  jury,
  grader,
  graderLength,
  forecast,
  novelcritique,
  reviews,
  personal,
  personalKnown,
  readerTastes,
  writers,
  answers,
  questions,
  quotations,
  readingReplies,
];
