import {
  STORY_DESIGNS,
  type StoryDesign,
  StorySpace,
  type StoryVector,
  storyWeights,
} from "../../src/reader/predictor/story-space.ts";
import { leaveOneOut } from "../../src/stats/linear/kernel-regression.ts";
import type { SquareMatrix } from "../../src/stats/linear/positive-definite.ts";
import { type RatedStory, STORY_PENALTY } from "./fit-stories.ts";

/** What regular readers make of each story, their own levels taken out, and how many of them it is that say so. */
export interface StoryAppeal {
  readonly value: Float64Array;
  readonly readers: Float64Array;
}

/**
 * The design whose forecasts agree best with what regular readers make of the stories, each story being forecast from all
 * the others. Stories that many of them read count for more, as they will when ratings are predicted.
 */
export function selectStoryDesign(stories: readonly RatedStory[], appeal: StoryAppeal): StoryDesign {
  const plain = StorySpace.fit(
    stories,
    storyWeights(STORY_DESIGNS[0]!).map(() => 1),
  );
  const kernels = blockKernels(
    stories.map((story) => plain.vector(story)),
    plain.size,
  );
  const targets = Float64Array.from(stories, (story) => story.average_rating);
  let best = { design: STORY_DESIGNS[0]!, score: Number.NEGATIVE_INFINITY };
  for (const design of STORY_DESIGNS) {
    const components = storyWeights(design).map((weight) => weight ** 2);
    const said = leaveOneOut(kernels, targets, { components, noise: STORY_PENALTY });
    const score = weightedPearson(said, appeal.value, appeal.readers);
    if (score > best.score) best = { design, score };
  }
  return best.design;
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
