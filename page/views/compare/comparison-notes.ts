import type { ComparisonNote } from "../../../src/api/comparisons.ts";

/** Which words of the page say what a difference may be due to. */
export const comparisonNotes = {
  "other-scales": "otherScale",
  "other-judges-and-books": "otherJudgesAndBooks",
  "other-methods-and-books": "otherMethodsAndBooks",
  "other-judges": "otherJudges",
  "other-methods": "otherMethods",
  chance: "onlyChance",
  independent: "takenAsIndependent",
} as const satisfies Readonly<Record<ComparisonNote, string>>;
