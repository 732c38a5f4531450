import { answerWords } from "./answer-words.ts";
import { metricFrom } from "./metric.ts";

/** 1 when both answers have the same normalised words in the same order, else 0: SQuAD's rule (Rajpurkar et al., 2016). */
export const exactMatch = metricFrom({
  id: "em",
  name: "Exact match",
  seesLatinOnly: true,
  read: (text) => answerWords(text).join(" "),
  compare: (prediction, reference) => (prediction === reference ? 1 : 0),
});
