import { type Random, shuffled } from "../../src/core/random.ts";
import { DESIGNS, designComponents, type ForecastDesign } from "../../src/forecast/forecast-design.ts";
import { FIELDS, type KnownBook } from "../../src/forecast/forecast-input.ts";
import { modelReader } from "../../src/forecast/linear-model.ts";
import { kendallTau, leaveOneOut } from "../../src/stats/index.ts";
import { type BlockReader, blockReader, learn, spread, type Target } from "./learn.ts";

/** A design with Kendall's τ between the true ratings and what all other books forecast for each. */
export interface DesignScore {
  readonly design: ForecastDesign;
  readonly kendall: number;
}

export interface DesignChoice {
  readonly design: ForecastDesign;
  readonly scores: readonly DesignScore[];
}

/** The design that orders books best when each is forecast from all the others, among the given books alone. */
export function selectDesign(blockOf: BlockReader, target: Target): DesignChoice {
  const width = spread(target);
  const scores = DESIGNS.map((design) => {
    const kernels = FIELDS.map((field) => blockOf(design, field).kernel);
    const said = leaveOneOut(kernels, target.values, designComponents(design, width), target.variance);
    return { design, kendall: kendallTau(said, target.values).value ?? -1 };
  });
  const best = scores.reduce((left, right) => (right.kendall > left.kendall ? right : left));
  return { design: best.design, scores };
}

/** What models that never saw a book say of it, field by field: what calibration and every stated figure rest on. */
export interface OutOfFold {
  readonly fold: Uint8Array;
  /** By fold: the design that the books outside it chose. */
  readonly designs: readonly ForecastDesign[];
  readonly outputs: number;
  /** `baselines[book * outputs + output]`. */
  readonly baselines: Float64Array;
  /** By field: `effects[field][book * outputs + output]`; zero where the field is missing. */
  readonly effects: readonly Float64Array[];
}

export interface CrossValidationOptions {
  readonly folds: number;
  readonly random: Random;
  readonly onFold?: (done: number) => void;
}

/**
 * Everything is decided again inside each fold, from the books outside it: the design (by leaving those books out one by one), the
 * vocabulary, the weights of the fields and the regression.
 */
export function crossValidate(
  books: readonly KnownBook[],
  targets: readonly [Target, ...Target[]],
  options: CrossValidationOptions,
): OutOfFold {
  const { folds, random } = options;
  const outputs = targets.length;
  const fold = new Uint8Array(books.length);
  shuffled([...books.keys()], random).forEach((book, position) => {
    fold[book] = position % folds;
  });
  const designs: ForecastDesign[] = [];
  const baselines = new Float64Array(books.length * outputs);
  const effects = FIELDS.map(() => new Float64Array(books.length * outputs));
  for (let held = 0; held < folds; held++) {
    const training = [...books.keys()].filter((book) => fold[book] !== held);
    const blockOf = blockReader(training.map((book) => books[book]!));
    const [main, ...others] = targets;
    const rating = selected(main, training);
    const { design } = selectDesign(blockOf, rating);
    designs.push(design);
    const rest = others.map((target) => selected(target, training));
    const model = learn(blockOf, design, [rating, ...rest]);
    const read = modelReader(model);
    for (const [book, known] of books.entries()) {
      if (fold[book] !== held) continue;
      baselines.set(model.baselines, book * outputs);
      read(known).forEach((reading, field) => {
        if (reading.effects) effects[field]!.set(reading.effects, book * outputs);
      });
    }
    options.onFold?.(held + 1);
  }
  return { fold, designs, outputs, baselines, effects };
}

function selected({ values, variance }: Target, rows: readonly number[]): Target {
  return {
    values: Float64Array.from(rows, (row) => values[row]!),
    variance: Float64Array.from(rows, (row) => variance[row]!),
  };
}
