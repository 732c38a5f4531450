/** `reference`: the judge sees the reference answers. `summary`: it sees the book's summary as well. */
export const GRADING_SETTINGS = ["reference", "summary"] as const;
export type GradingSetting = (typeof GRADING_SETTINGS)[number];

/**
 * How a judge is asked and answers. `json`: our own prompt, a JSON object. `prometheus`: the layout that Prometheus 2 was trained
 * on, with sections for instruction, response, reference and rubric, and `Feedback: … [RESULT] 4`.
 */
export const GRADING_PROTOCOLS = ["json", "prometheus"] as const;
export type GradingProtocol = (typeof GRADING_PROTOCOLS)[number];
