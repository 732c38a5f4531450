/** A way to compare an answer with reference answers. Values run from 0 to 1. */
export interface AnswerMetric {
  readonly id: string;
  readonly name: string;
  /** The best over the references, as in the published evaluations: one good reference is enough. */
  score(prediction: string, references: readonly string[]): number;
}

interface Comparison<Reading> {
  readonly id: string;
  readonly name: string;
  /** What the metric sees of a text: read once per text, however often it is compared. */
  read(text: string): Reading;
  compare(prediction: Reading, reference: Reading): number;
}

export function metricFrom<Reading>({ id, name, read, compare }: Comparison<Reading>): AnswerMetric {
  return {
    id,
    name,
    score(prediction, references) {
      if (references.length === 0) throw new RangeError("an answer is compared with at least one reference");
      const predicted = read(prediction);
      return Math.max(...references.map((reference) => compare(predicted, read(reference))));
    },
  };
}
