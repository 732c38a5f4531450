import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { contentHash } from "../../src/core/hash.ts";
import type { ProgressListener } from "../../src/core/progress.ts";
import { seededRandom } from "../../src/core/random.ts";
import { MINIMUM_WORDS } from "../../src/jury/grader.ts";
import { encodeModel, type GraderModel, readModel, WEIGHTS_FILE } from "../../src/jury/model-file.ts";
import { FIRST_NGRAM_COLUMN, FIRST_STYLE_COLUMN, LENGTH_COLUMN } from "../../src/jury/window-features.ts";
import { STYLE_FEATURES } from "../../src/prose/style-features.ts";
import type { RidgeModel } from "../../src/stats/linear/ridge-regression.ts";
import { type Agreement, judgedPieces, pieceAgreement, writerAgreement } from "./agreement.ts";
import { calibrate } from "./calibration.ts";
import { buildCorpus, type Corpus } from "./corpus.ts";
import { featureSpace } from "./feature-space.ts";
import { fitOutputs } from "./fit.ts";
import { doubleLeaveOut } from "./folds.ts";
import { loadJudgedChapters, OUTPUTS } from "./judged-chapters.ts";
import { featureRows, type HeldOutPredictions, predictHeldOut } from "./predict-chapters.ts";
import { type Selection, selectSettings } from "./select-settings.ts";
import { lessonRows, SHIPPED_SETTINGS, type TrainingSettings } from "./settings.ts";

const COVERAGE = 0.9;
const FOLDS = { writers: 4, stories: 4 } as const;
const SEED = 20250;

interface TrainedGrader {
  readonly model: GraderModel;
  readonly heldOut: HeldOutPredictions;
}

/** Cross-validates, fits the judge on every chapter and gives it the intervals that cross-validation found. */
export function trainGrader(corpus: Corpus, settings: TrainingSettings, onProgress: ProgressListener): TrainedGrader {
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
  const model: GraderModel = {
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

/** Splits fitted weights into the parts the file holds: style as it is, n-grams as eight bits times a scale of their own. */
function quantise(model: RidgeModel) {
  const { outputs, weights, intercepts } = model;
  const columns = weights.length / outputs;
  const ngrams = columns - FIRST_NGRAM_COLUMN;
  const ngramWeights = new Int8Array(ngrams * outputs);
  const ngramScales = new Float32Array(ngrams);
  for (let ngram = 0; ngram < ngrams; ngram++) {
    const row = (FIRST_NGRAM_COLUMN + ngram) * outputs;
    let largest = 0;
    for (let o = 0; o < outputs; o++) largest = Math.max(largest, Math.abs(weights[row + o]!));
    const scale = Math.fround(largest / 127);
    ngramScales[ngram] = scale;
    if (scale === 0) continue;
    for (let o = 0; o < outputs; o++) {
      ngramWeights[ngram * outputs + o] = Math.max(-127, Math.min(127, Math.round(weights[row + o]! / scale)));
    }
  }
  const firstStyle = FIRST_STYLE_COLUMN * outputs;
  return {
    intercepts: [...intercepts],
    lengthWeights: [...weights.subarray(LENGTH_COLUMN * outputs, (LENGTH_COLUMN + 1) * outputs)],
    styleWeights: Float32Array.from(weights.subarray(firstStyle, firstStyle + STYLE_FEATURES.length * outputs)),
    ngramWeights,
    ngramScales,
  };
}

export interface GraderTrainingReport {
  readonly chapters: number;
  readonly writers: number;
  readonly stories: number;
  readonly settings: TrainingSettings;
  readonly weights: { readonly file: string; readonly bytes: number; readonly digest: string };
  readonly agreement: HeldOutAgreement;
}

/** Agreement with the grader on writers and stories that were both left out. */
interface HeldOutAgreement {
  readonly outputs: readonly { readonly id: string; readonly chapters: Agreement; readonly writers: Agreement }[];
  /** The overall score of single pieces of about so many words. */
  readonly pieces: readonly { readonly words: number; readonly agreement: Agreement }[];
}

export async function loadGraderCorpus(data: string): Promise<Corpus> {
  return buildCorpus(await loadJudgedChapters(data), MINIMUM_WORDS);
}

/** Trains the judge with the shipped settings and writes its weights: the same data gives the same bytes. */
export async function trainGraderFromFile(
  data: string,
  folder: string,
  onProgress: ProgressListener,
): Promise<GraderTrainingReport> {
  const corpus = await loadGraderCorpus(data);
  const { model, heldOut } = trainGrader(corpus, SHIPPED_SETTINGS, onProgress);
  await mkdir(folder, { recursive: true });
  const bytes = encodeModel(model);
  await writeFile(join(folder, WEIGHTS_FILE), bytes);
  return {
    chapters: model.head.training.chapters,
    writers: model.head.training.writers,
    stories: model.head.training.stories,
    settings: SHIPPED_SETTINGS,
    weights: { file: join(folder, WEIGHTS_FILE), bytes: bytes.length, digest: readModel(folder).digest },
    agreement: agreementOf(corpus, heldOut),
  };
}

/** The table that the shipped settings were chosen from. */
export async function selectGraderSettings(data: string, onProgress: ProgressListener): Promise<Selection> {
  return selectSettings(await loadGraderCorpus(data), onProgress);
}

function agreementOf(corpus: Corpus, held: HeldOutPredictions): HeldOutAgreement {
  return {
    outputs: held.outputs.map((output, slot) => {
      const judged = judgedPieces(corpus, held.whole, output, slot);
      return {
        id: OUTPUTS[output]!,
        chapters: pieceAgreement([judged], seededRandom(1)),
        writers: writerAgreement([judged], seededRandom(1)),
      };
    }),
    pieces: [...held.pieces].map(([words, pieces]) => ({
      words,
      agreement: pieceAgreement([judgedPieces(corpus, pieces, 0, 0)], seededRandom(1)),
    })),
  };
}
