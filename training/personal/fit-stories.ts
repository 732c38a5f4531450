import type { Story } from "../../src/reader/predictor/story.ts";
import { StorySpace, type StoryVector } from "../../src/reader/predictor/story-space.ts";
import { fitRidge } from "../../src/stats/linear/ridge-regression.ts";
import type { SparseRows } from "../../src/stats/linear/sparse-rows.ts";

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
