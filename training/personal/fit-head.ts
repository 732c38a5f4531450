import type { Head } from "../../src/reader/predictor/personal-model.ts";
import { type GroupedSpread, levelOf, RESIDUAL_SHARES } from "../../src/reader/predictor/spread.ts";
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
const FOLDS = 5;

/** A prediction for a reader that the fit did not see. */
interface Held {
  readonly length: number;
  readonly predicted: number;
  readonly level: number;
  readonly residual: number;
}

/** Votes and expectation → the rating, by ridge regression; the spread comes from readers the fit did not see. */
export function fitHead(examples: readonly HeadExample[], centres: Centres, shrinkage: number): Head {
  const held: Held[] = [];
  for (let fold = 0; fold < FOLDS; fold++) {
    const part = solve(
      examples.filter(({ reader }) => reader % FOLDS !== fold),
      centres,
      shrinkage,
    );
    for (const example of examples) {
      if (example.reader % FOLDS !== fold) continue;
      // What is known of a reader can be cut short: every example serves every length up to its own.
      for (let length = 0; length <= example.history.length; length++) {
        const history = example.history.slice(0, length);
        const predicted = applyHead(part, history, example.expectation, centres, shrinkage);
        held.push({ length, predicted, level: levelOf(history), residual: example.rating - predicted });
      }
    }
  }
  const longest = Math.max(...held.map(({ length }) => length), 0);
  const spread = Array.from({ length: longest + 1 }, (_, length) =>
    groupedSpread(held.filter((one) => one.length === length)),
  );
  return { ...solve(examples, centres, shrinkage), spread };
}

/** A group of fewer is taken together with its whole fifth. */
const FEWEST_RESIDUALS = 150;

/**
 * Conformal, group by group: ratings crowd at the top of the scale, so that a high prediction is off in another way than a low
 * one, and a strict reader's in another way than a kind one's. One width for all covered 69 to 90 % by fifth of the prediction.
 */
function groupedSpread(held: readonly Held[]): GroupedSpread {
  const predictions = held.map(({ predicted }) => predicted);
  const fifths = [0.2, 0.4, 0.6, 0.8].map((share) => quantile(predictions, share));
  const known = held.map(({ level }) => level);
  const levels: [number, number] = [quantile(known, 0.2), quantile(known, 0.8)];
  const inFifth = Array.from({ length: fifths.length + 1 }, (_, fifth) =>
    held.filter(({ predicted }) => fifths.filter((bound) => predicted >= bound).length === fifth),
  );
  const residuals = inFifth.map((members) =>
    [0, 1, 2].map((kind) => {
      const own = members.filter(({ level }) => (level < levels[0] ? 0 : level > levels[1] ? 2 : 1) === kind);
      return conformalResiduals((own.length >= FEWEST_RESIDUALS ? own : members).map(({ residual }) => residual));
    }),
  );
  return { fifths, levels, residuals };
}

/** The ranks are taken as if the new case were one more of the held-out ones. */
function conformalResiduals(residuals: readonly number[]): number[] {
  const correction = (residuals.length + 1) / Math.max(1, residuals.length);
  return RESIDUAL_SHARES.map((share) => {
    const rank = share < 0.5 ? share * (2 - correction) : share * correction;
    return Math.round(quantile(residuals, Math.min(1, Math.max(0, rank))) * 1000) / 1000;
  });
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
