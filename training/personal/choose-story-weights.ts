import type { Story } from "../../src/reader/predictor/story.ts";
import { STORY_DESIGNS, StorySpace, type StoryVector, storyWeights } from "../../src/reader/predictor/story-space.ts";
import { leaveOneOut } from "../../src/stats/linear/kernel-regression.ts";
import type { SquareMatrix } from "../../src/stats/linear/positive-definite.ts";
import { fitRidge } from "../../src/stats/linear/ridge-regression.ts";
import type { SparseRows } from "../../src/stats/linear/sparse-rows.ts";
import { BOOK_CAP } from "./sample-histories.ts";

export type RatedStory = Story & { readonly average_rating: number };

export const STORY_PENALTY = 2;

export interface StoryFit {
  readonly space: StorySpace;
  readonly weights: Float32Array;
  readonly intercept: number;
  forecast(story: Story): number;
}

/** Description → average rating, by ridge regression; how loudly each block speaks is given. */
export function fitStories(stories: readonly RatedStory[], blockWeights: readonly number[]): StoryFit {
  const space = StorySpace.fit(stories, blockWeights);
  const matrix = stackVectors(
    space.size,
    stories.map((story) => space.vector(story)),
  );
  const targets = Float64Array.from(stories, (story) => story.average_rating);
  const model = fitRidge(matrix, targets, 1, { penalty: STORY_PENALTY, tolerance: 1e-6 });
  const weights = Float32Array.from(model.weights);
  const intercept = model.intercepts[0]!;
  return {
    space,
    weights,
    intercept,
    forecast(story) {
      const { positions, values } = space.vector(story);
      return positions.reduce((sum, position, i) => sum + weights[position]! * values[i]!, intercept);
    },
  };
}

export function stackVectors(
  columns: number,
  vectors: readonly Pick<StoryVector, "positions" | "values">[],
): SparseRows {
  const entries = vectors.reduce((sum, vector) => sum + vector.positions.length, 0);
  const offsets = new Uint32Array(vectors.length + 1);
  const indices = new Uint32Array(entries);
  const values = new Float32Array(entries);
  let cursor = 0;
  vectors.forEach((vector, row) => {
    indices.set(vector.positions, cursor);
    values.set(vector.values, cursor);
    cursor += vector.positions.length;
    offsets[row + 1] = cursor;
  });
  return { rows: vectors.length, columns, offsets, indices, values };
}

/** What some regular readers make of each story, their own levels taken out, and how many of them it is that say so. */
export interface StoryAppeal {
  readonly value: Float64Array;
  readonly readers: Float64Array;
}

export interface StoryChoice {
  /** By block, the genres' last. */
  readonly weights: readonly number[];
  /** A forecast for each story from all the others, as the stories that are asked about later will be. */
  readonly forecasts: Float64Array;
}

/** One design is a matter of luck; the mean of the best of them is steadier than the best. */
const BEST_SHARE = 1 / 4;

/**
 * How loudly each part of a description speaks. Every design forecasts every story from all the others, and is held
 * against what each fold of readers makes of it, much-read stories counting for no more than the cap. The chosen weights
 * are those whose kernel is the mean of the best designs' kernels.
 */
export function chooseStoryWeights(stories: readonly RatedStory[], readerFolds: readonly StoryAppeal[]): StoryChoice {
  const plain = StorySpace.fit(
    stories,
    storyWeights(STORY_DESIGNS[0]!).map(() => 1),
  );
  const kernels = blockKernels(
    stories.map((story) => plain.vector(story)),
    plain.size,
  );
  const targets = Float64Array.from(stories, (story) => story.average_rating);
  const forecast = (squares: number[]) => leaveOneOut(kernels, targets, { components: squares, noise: STORY_PENALTY });
  const ranked = STORY_DESIGNS.map((design) => {
    const squares = storyWeights(design).map((weight) => weight ** 2);
    const said = forecast(squares);
    const score = readerFolds.reduce(
      (sum, appeal) => sum + weightedPearson(said, appeal.value, cappedReaders(appeal)) / readerFolds.length,
      0,
    );
    return { squares, score };
  }).sort((left, right) => right.score - left.score);
  const best = ranked.slice(0, Math.round(ranked.length * BEST_SHARE));
  const squares = best[0]!.squares.map(
    (_, block) => best.reduce((sum, design) => sum + design.squares[block]!, 0) / best.length,
  );
  return { weights: squares.map(Math.sqrt), forecasts: forecast(squares) };
}

/** How many readers each story has, much-read ones counting for no more than the cap. */
export function cappedReaders({ readers }: StoryAppeal): Float64Array {
  const cap = (BOOK_CAP * readers.reduce((total, count) => total + count, 0)) / readers.length;
  return readers.map((count) => Math.min(count, cap));
}

/** Likeness of every two stories in each block. */
function blockKernels(vectors: readonly StoryVector[], columns: number): SquareMatrix[] {
  const size = vectors.length;
  const blocks = vectors[0]!.ends.length;
  const kernels = Array.from({ length: blocks }, () => new Float64Array(size * size));
  const dense = new Float64Array(columns);
  vectors.forEach((left, row) => {
    for (let i = 0; i < left.positions.length; i++) dense[left.positions[i]!] = left.values[i]!;
    for (let column = 0; column <= row; column++) {
      const { positions, values, ends } = vectors[column]!;
      let entry = 0;
      ends.forEach((end, block) => {
        let sum = 0;
        for (; entry < end; entry++) sum += dense[positions[entry]!]! * values[entry]!;
        kernels[block]![row * size + column] = sum;
        kernels[block]![column * size + row] = sum;
      });
    }
    for (const position of left.positions) dense[position] = 0;
  });
  return kernels;
}

function weightedPearson(left: Float64Array, right: Float64Array, weights: Float64Array): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = (values: Float64Array) => values.reduce((sum, value, i) => sum + weights[i]! * value, 0) / total;
  const [leftMean, rightMean] = [mean(left), mean(right)];
  let shared = 0;
  let leftSpread = 0;
  let rightSpread = 0;
  for (let i = 0; i < left.length; i++) {
    const [l, r] = [left[i]! - leftMean, right[i]! - rightMean];
    shared += weights[i]! * l * r;
    leftSpread += weights[i]! * l * l;
    rightSpread += weights[i]! * r * r;
  }
  return leftSpread > 0 && rightSpread > 0 ? shared / Math.sqrt(leftSpread * rightSpread) : 0;
}
