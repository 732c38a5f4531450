import { mean } from "../../stats/distribution/mean.ts";
import { memoised } from "./memoised.ts";
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
  /** The published rules know Latin letters only; where a reference is in another script, its words are spelt out for the metric. */
  readonly seesLatinOnly?: boolean;
  /** What the metric sees of a text: read once per text, however often it is compared. */
  read(text: string): Reading;
  compare(prediction: Reading, reference: Reading): number;
}

const otherScript = new WeakMap<readonly string[], boolean>();

/** Every metric asks this of the same references, so it is looked up once. */
function areOfOtherScript(references: readonly string[]): boolean {
  const known = otherScript.get(references) ?? references.some(hasOtherScript);
  otherScript.set(references, known);
  return known;
}

export function metricFrom<Reading>(comparison: Comparison<Reading>): AnswerMetric {
  const { id, name, compare, seesLatinOnly = false } = comparison;
  // Systems are compared with the same references, while no two give all the same answers.
  const readReference = memoised((text) => ({ reading: comparison.read(text) }));
  return {
    id,
    name,
    score(prediction, references, rule = "best") {
      if (references.length === 0) throw new RangeError("an answer is compared with at least one reference");
      const isSpelt = seesLatinOnly && areOfOtherScript(references);
      const predicted = comparison.read(isSpelt ? spellOut(prediction) : prediction);
      const compareWith = (reference: string) =>
        compare(predicted, readReference(isSpelt ? spellOut(reference) : reference).reading);
      if (rule === "first") return compareWith(references[0]!);
      const scores = references.map(compareWith);
      return rule === "best" ? Math.max(...scores) : mean(scores);
    },
  };
}
