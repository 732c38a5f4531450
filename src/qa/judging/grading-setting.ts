/** `reference`: the judge sees the reference answers. `summary`: it sees the book's summary as well. */
export const GRADING_SETTINGS = ["reference", "summary"] as const;
export type GradingSetting = (typeof GRADING_SETTINGS)[number];
