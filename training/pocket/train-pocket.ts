import { contentHash } from "../../src/core/hash.ts";
import type { ProgressListener } from "../../src/core/progress.ts";
import { seededRandom } from "../../src/core/random.ts";
import type { PocketModel } from "../../src/jury/model.ts";
import { calibrate } from "./calibration.ts";
import { lessonRows } from "./chapter-rows.ts";
import type { Corpus } from "./corpus.ts";
import { featureRows } from "./feature-rows.ts";
import { featureSpace } from "./feature-space.ts";
import { fitOutputs } from "./fit.ts";
import { doubleLeaveOut } from "./folds.ts";
import { OUTPUTS } from "./judged-chapters.ts";
import { type HeldOutPredictions, predictHeldOut } from "./predict-chapters.ts";
import { quantise } from "./quantise.ts";
import type { TrainingSettings } from "./settings.ts";

const COVERAGE = 0.9;
const FOLDS = { writers: 4, stories: 4 } as const;
const SEED = 20250;

interface TrainedPocket {
  readonly model: PocketModel;
  readonly heldOut: HeldOutPredictions;
}

/** Cross-validates, fits the judge on every chapter and gives it the intervals that cross-validation found. */
export function trainPocket(corpus: Corpus, settings: TrainingSettings, onProgress: ProgressListener): TrainedPocket {
  const heldOut = crossValidate(corpus, settings, onProgress);
  onProgress({ stage: "Fitting on all chapters", done: 0, total: null });
  const every = corpus.chapters.map((_, chapter) => chapter);
  const space = featureSpace(corpus, every, settings);
  const rows = lessonRows(corpus, every, settings.lesson, settings.window);
  const fitted = fitOutputs(
    corpus,
    rows,
    featureRows(space, rows),
    OUTPUTS.map((_, output) => output),
    settings,
    (iteration) => onProgress({ stage: "Fitting on all chapters", done: iteration, total: null }),
  );
  const { intercepts, lengthWeights, styleWeights, ngramWeights, ngramScales } = quantise(fitted);
  const model: PocketModel = {
    head: {
      outputs: [...OUTPUTS],
      intercepts,
      lengthWeights,
      window: settings.window,
      coverage: COVERAGE,
      calibration: calibrate(corpus, heldOut, COVERAGE),
      training: {
        chapters: corpus.chapters.length,
        writers: new Set(corpus.chapters.map(({ writer }) => writer)).size,
        stories: new Set(corpus.chapters.map(({ story }) => story)).size,
        penalty: settings.penalty,
        dataHash: contentHash(corpus.chapters.map(({ text, targets }) => [text, [...targets]])),
      },
    },
    rarityHashes: space.rarityHashes,
    rarityBands: space.rarityBands,
    styleScales: space.scales.style,
    styleWeights,
    ngramHashes: space.ngramHashes,
    inverseFrequency: space.scales.inverseFrequency,
    ngramWeights,
    ngramScales,
  };
  return { model, heldOut };
}

function crossValidate(corpus: Corpus, settings: TrainingSettings, onProgress: ProgressListener): HeldOutPredictions {
  const cells = doubleLeaveOut(corpus.chapters, FOLDS, seededRandom(SEED));
  return predictHeldOut(
    corpus,
    cells,
    settings,
    OUTPUTS.map((_, output) => output),
    (done, total) => onProgress({ stage: "Cross-validating", done, total }),
  );
}
