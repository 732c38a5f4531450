import type { ComparisonNote } from "../../../src/api/comparisons.ts";

/** The texts that explain what may cause a difference. */
export const comparisonNotes = {
  "other-scales": "otherScale",
  "other-judges-and-books": "otherJudgesAndBooks",
  "other-methods-and-books": "otherMethodsAndBooks",
  "other-judges": "otherJudges",
  "other-methods": "otherMethods",
  chance: "onlyChance",
  independent: "takenAsIndependent",
} as const satisfies Readonly<Record<ComparisonNote, string>>;
