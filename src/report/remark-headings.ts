/** Over what a judge praised and blamed. */
export const JUDGED = {
  section: "Passages that made the difference",
  strengths: "Strongest",
  weaknesses: "Weakest",
} as const;

/** Over line notes, which say what an editor would do and not what is good. */
export const NOTED = {
  section: "Line notes: what a professional editor would leave and change",
  strengths: "Least likely to be changed",
  weaknesses: "Most likely to be changed",
} as const;
