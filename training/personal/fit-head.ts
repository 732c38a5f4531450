import type { Head } from "../../src/reader/predictor/personal-model.ts";
import { type Centres, type EarlierReview, historyRow, VOTES } from "../../src/reader/predictor/votes.ts";
import { quantile } from "../../src/stats/distribution.ts";
import { fitRidge } from "../../src/stats/linear/ridge-regression.ts";
import { sparseRows } from "../../src/stats/linear/sparse-rows.ts";

/** A history with what readers in general give the story asked about, and what the reader gave it. */
export interface HeadExample {
  readonly reader: number;
  readonly history: readonly EarlierReview[];
  readonly expectation: number;
  readonly rating: number;
  readonly weight: number;
}

const HEAD_PENALTY = 1;
const COVERAGE = 0.8;
const FOLDS = 5;
const LONGEST_HISTORY = 5;

/** Votes and expectation → the rating, by ridge regression; the spread comes from readers the fit did not see. */
export function fitHead(examples: readonly HeadExample[], centres: Centres, shrinkage: number): Head {
  const residuals = examples.map(() => 0);
  const residualsWithout: number[] = [];
  for (let fold = 0; fold < FOLDS; fold++) {
    const part = solve(
      examples.filter(({ reader }) => reader % FOLDS !== fold),
      centres,
      shrinkage,
    );
    examples.forEach((example, index) => {
      if (example.reader % FOLDS !== fold) return;
      residuals[index] = example.rating - applyHead(part, example.history, example.expectation, centres, shrinkage);
      residualsWithout.push(example.rating - applyHead(part, [], example.expectation, centres, shrinkage));
    });
  }
  const spread = Array.from({ length: LONGEST_HISTORY + 1 }, (_, length) =>
    conformalSpread(
      length === 0 ? residualsWithout : residuals.filter((_, i) => examples[i]!.history.length === length),
    ),
  );
  return { ...solve(examples, centres, shrinkage), spread };
}

export function applyHead(
  head: Omit<Head, "spread">,
  history: readonly EarlierReview[],
  expectation: number,
  centres: Centres,
  shrinkage: number,
): number {
  const row = historyRow(history, centres, shrinkage);
  let rating = head.intercept + head.expectation * (expectation - head.expectationCentre);
  for (let i = 0; i < VOTES; i++) rating += head.votes[i]! * row[i]!;
  return rating;
}

function solve(examples: readonly HeadExample[], centres: Centres, shrinkage: number): Omit<Head, "spread"> {
  const expectationCentre = examples.reduce((sum, { expectation }) => sum + expectation, 0) / examples.length;
  const rows = examples.map(({ history, expectation }) =>
    [...historyRow(history, centres, shrinkage), expectation - expectationCentre].map((value, index) => ({
      index,
      value,
    })),
  );
  const model = fitRidge(
    sparseRows(VOTES + 1, rows),
    Float64Array.from(examples, ({ rating }) => rating),
    1,
    {
      penalty: HEAD_PENALTY,
      tolerance: 1e-9,
      rowWeights: Float64Array.from(examples, ({ weight }) => weight),
    },
  );
  return {
    intercept: model.intercepts[0]!,
    votes: model.weights.slice(0, VOTES),
    expectation: model.weights[VOTES]!,
    expectationCentre,
  };
}

/**
 * Conformal, with a tail of its own on each side because ratings crowd at the top: the ranks are taken as if the new case
 * were one more of the held-out ones.
 */
function conformalSpread(residuals: readonly number[]): readonly [number, number] {
  const tail = (1 - COVERAGE) / 2;
  const correction = (residuals.length + 1) / Math.max(1, residuals.length);
  return [
    quantile(residuals, Math.max(0, tail * (2 - correction))),
    quantile(residuals, Math.min(1, (1 - tail) * correction)),
  ];
}
