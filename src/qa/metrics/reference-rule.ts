/**
 * How several references make one score. `best`: one good reference is enough, as most published evaluations have it.
 * `first`: the others are ignored. `mean`: the average over all of them. Figures by different rules cannot be compared.
 */
export const REFERENCE_RULES = ["best", "first", "mean"] as const;
export type ReferenceRule = (typeof REFERENCE_RULES)[number];

const IN_WORDS: Readonly<Record<ReferenceRule, string>> = {
  best: "the best of the references counts",
  first: "only the first reference counts",
  mean: "the mean over the references counts",
};

export function ruleInWords(rule: ReferenceRule): string {
  return IN_WORDS[rule];
}
