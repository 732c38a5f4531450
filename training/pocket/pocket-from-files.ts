import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProgressListener } from "../../src/core/progress.ts";
import { seededRandom } from "../../src/core/random.ts";
import { encodeModel, readModel, WEIGHTS_FILE } from "../../src/jury/model-file.ts";
import { MINIMUM_WORDS } from "../../src/jury/pocket-judge.ts";
import { type Agreement, judgedPieces, pieceAgreement, writerAgreement } from "./agreement.ts";
import { buildCorpus, type Corpus } from "./corpus.ts";
import { loadJudgedChapters, OUTPUTS } from "./judged-chapters.ts";
import type { HeldOutPredictions } from "./predict-chapters.ts";
import { type Selection, selectSettings } from "./select-settings.ts";
import { SHIPPED_SETTINGS, type TrainingSettings } from "./settings.ts";
import { trainPocket } from "./train-pocket.ts";

export interface PocketTrainingReport {
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

export async function loadPocketCorpus(data: string): Promise<Corpus> {
  return buildCorpus(await loadJudgedChapters(data), MINIMUM_WORDS);
}

/** Trains the judge with the shipped settings and writes its weights: the same data gives the same bytes. */
export async function trainPocketJudge(
  data: string,
  folder: string,
  onProgress: ProgressListener,
): Promise<PocketTrainingReport> {
  const corpus = await loadPocketCorpus(data);
  const { model, heldOut } = trainPocket(corpus, SHIPPED_SETTINGS, onProgress);
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
export async function selectPocketSettings(data: string, onProgress: ProgressListener): Promise<Selection> {
  return selectSettings(await loadPocketCorpus(data), onProgress);
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
