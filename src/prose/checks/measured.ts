import type { Suspicion } from "./check.ts";

/**
 * How often a finding of each kind is right, where a book has one such fault in 100,000 words: recall on planted faults over recall
 * and false findings, from the figures that `npx tsx evals/scorecard.ts --only planted --check-data FOLDER` prints, for authors on
 * whom no setting was chosen. Findings that only first-person or only third-person books can have are counted over those. The
 * numbers of chapters are not planted: what is missing there is missing.
 */
export const MEASURED_PRECISION: Readonly<Record<string, number>> = {
  "repeated-passage": 0.87,
  "name-variant": 0.79,
  "tense-shift: third person": 0.74,
  "tense-shift: first person": 0.53,
  "person-shift": 0.8,
  "attribute-conflict": 0.69,
  "attribute-conflict: age": 0.75,
  "attribute-conflict: eyes": 0.96,
  "attribute-conflict: hair": 0.97,
  "attribute-conflict: side": 1,
  "attribute-conflict: number": 0.94,
  "attribute-conflict: kin": 1,
  "attribute-conflict: born": 1,
  "state-conflict": 0.86,
  "state-conflict: dead": 0.87,
  "state-conflict: gone": 1,
  "vanished-character": 0.58,
  "chapter-order": 0.95,
  "point-of-view": 0.7,
  "exposition-block": 0.6,
  "quiet-stretch": 0.67,
  overused: 0.84,
};

/** Null for what was never measured. */
export function measuredPrecision({ kind, detail }: Pick<Suspicion, "kind" | "detail">): number | null {
  return (
    (detail === undefined ? undefined : MEASURED_PRECISION[`${kind}: ${detail}`]) ?? MEASURED_PRECISION[kind] ?? null
  );
}
