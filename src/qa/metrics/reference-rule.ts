/**
 * How scores against several references are combined. `best`: the highest, as in most published evaluations. `first`:
 * only the first reference counts. `mean`: the average over all. Figures made by different rules cannot be compared.
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
