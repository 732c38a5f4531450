import type { ProgressListener } from "../../core/progress.ts";
import { seededRandom } from "../../core/random.ts";
import { type Agreement, judgedPieces, pieceAgreement, writerAgreement } from "./agreement.ts";
import type { Corpus } from "./corpus.ts";
import { type Cell, doubleLeaveOut } from "./folds.ts";
import { newestWriterCells } from "./newest-writers.ts";
import { predictHeldOut } from "./predict-chapters.ts";
import { SHIPPED_SETTINGS, type TrainingSettings } from "./settings.ts";

export interface SelectionRow {
  readonly features: string;
  readonly settings: TrainingSettings;
  /** Whole families of writers and whole stories left out at once. */
  readonly chapters: Agreement;
  readonly writers: Agreement;
  readonly shortPieces: Agreement;
  /** Learnt from older writers, tested on the newest, on other stories. */
  readonly newestChapters: Agreement;
  readonly newestWriters: Agreement;
}

const SHORT = 200;
const OVERALL = [0];

const FEATURES: Readonly<Record<string, Partial<TrainingSettings>>> = {
  "n-grams alone": { styleScale: 0 },
  "style alone": { ngramScale: 0 },
  "n-grams half, style": { ngramScale: 0.5 },
  "n-grams and style": {},
  "n-grams of 6 families and 4 stories, style": { minimumFamilies: 6, minimumStories: 4 },
};
const PENALTIES = [2, 5, 12];

/** Every choice of features with every penalty, measured on the overall score by the same held-out chapters. */
export function* compareSettings(corpus: Corpus, onProgress: ProgressListener): Generator<SelectionRow> {
  const families = corpus.chapters.map(({ family, story }) => ({ writer: family, story }));
  const double = doubleLeaveOut(families, { writers: 3, stories: 3 }, seededRandom(1));
  const newest = newestWriterCells(corpus, seededRandom(2));
  const choices = Object.entries(FEATURES).flatMap(([features, choice]) =>
    PENALTIES.map((penalty) => ({ features, settings: { ...SHIPPED_SETTINGS, ...choice, penalty } })),
  );
  for (const [done, { features, settings }] of choices.entries()) {
    onProgress({ stage: "Comparing", done, total: choices.length, note: features });
    yield { features, settings, ...measured(corpus, double, newest, settings) };
  }
}

function measured(corpus: Corpus, double: readonly Cell[], newest: readonly Cell[], settings: TrainingSettings) {
  const held = predictHeldOut(corpus, double, settings, OVERALL);
  const young = predictHeldOut(corpus, newest, settings, OVERALL);
  const chapters = judgedPieces(corpus, held.whole, 0, 0);
  const youngChapters = judgedPieces(corpus, young.whole, 0, 0);
  return {
    chapters: pieceAgreement(chapters, seededRandom(1)),
    writers: writerAgreement(chapters, seededRandom(1)),
    shortPieces: pieceAgreement(judgedPieces(corpus, held.pieces.get(SHORT) ?? [], 0, 0), seededRandom(1)),
    newestChapters: pieceAgreement(youngChapters, seededRandom(1)),
    newestWriters: writerAgreement(youngChapters, seededRandom(1)),
  };
}
