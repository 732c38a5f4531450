import { mean } from "../../stats/distribution/mean.ts";
import { hasOtherScript, spellOut } from "./other-scripts.ts";
import type { ReferenceRule } from "./reference-rule.ts";

/** A way to compare an answer with reference answers. Values run from 0 to 1. */
export interface AnswerMetric {
  readonly id: string;
  readonly name: string;
  /** By the rule for several references; the best counts when none is given. */
  score(prediction: string, references: readonly string[], rule?: ReferenceRule): number;
}

interface Comparison<Reading> {
  readonly id: string;
  readonly name: string;
  /** By its published rules the metric has no words of other scripts: they are spelt out for it where a reference has any. */
  readonly seesLatinOnly?: boolean;
  /** What the metric sees of a text: read once per text, however often it is compared. */
  read(text: string): Reading;
  compare(prediction: Reading, reference: Reading): number;
}

export function metricFrom<Reading>(comparison: Comparison<Reading>): AnswerMetric {
  const { id, name, compare, seesLatinOnly = false } = comparison;
  return {
    id,
    name,
    score(prediction, references, rule = "best") {
      if (references.length === 0) throw new RangeError("an answer is compared with at least one reference");
      const isSpelt = seesLatinOnly && references.some(hasOtherScript);
      const read = (text: string) => comparison.read(isSpelt ? spellOut(text) : text);
      const predicted = read(prediction);
      if (rule === "first") return compare(predicted, read(references[0]!));
      const scores = references.map((reference) => compare(predicted, read(reference)));
      return rule === "best" ? Math.max(...scores) : mean(scores);
    },
  };
}
