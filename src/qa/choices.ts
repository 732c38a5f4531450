/**
 * The choices in tasks about questions, kept apart from the code that implements them because task definitions load
 * this file.
 */

/** Every metric that only compares words, in the order of the reports. */
export const METRIC_IDS: readonly string[] = ["em", "f1", "rouge-1", "rouge-2", "rouge-l", "meteor"];

/** What a model may read to answer: the whole text, passages retrieved from it, the summary, or the title alone. */
export const ANSWER_SETTINGS = ["open", "retrieval", "summary", "closed"] as const;
export type AnswerSetting = (typeof ANSWER_SETTINGS)[number];

/**
 * How to treat a book that does not fit the model's context. `refuse`: do not ask, since half a book makes another
 * test. `truncate`: show the beginning. `window`: show the stretch with the passages that match the question best.
 * The share that was shown is recorded.
 */
export const OVERLONG_RULES = ["refuse", "truncate", "window"] as const;
export type OverlongRule = (typeof OVERLONG_RULES)[number];

/** `reference`: the judge sees the reference answers. `summary`: it sees the book's summary as well. */
export const GRADING_SETTINGS = ["reference", "summary"] as const;
export type GradingSetting = (typeof GRADING_SETTINGS)[number];

/**
 * How a judge is asked and answers. `json`: our own prompt, answered with a JSON object. `prometheus`: the layout
 * that Prometheus 2 was trained on, with sections for instruction, response, reference and rubric, answered with
 * `Feedback: … [RESULT] 4`.
 */
export const GRADING_PROTOCOLS = ["json", "prometheus"] as const;
export type GradingProtocol = (typeof GRADING_PROTOCOLS)[number];
