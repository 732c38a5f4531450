import type { ProgressListener } from "../../src/core/progress.ts";
import { seededRandom } from "../../src/core/random.ts";
import { mean } from "../../src/stats/distribution.ts";
import {
  type Agreement,
  type Judged,
  judgedPieces,
  pieceAgreement,
  pieceCorrelation,
  writerAgreement,
  writerCorrelation,
} from "./agreement.ts";
import type { Corpus } from "./corpus.ts";
import { doubleLeaveOut, newestWriterCells } from "./folds.ts";
import { predictHeldOutByEach } from "./predict-chapters.ts";
import { SHIPPED_SETTINGS, type TrainingSettings } from "./settings.ts";

/** How one choice of settings did on the overall score. */
export interface SelectionRow extends SelectionFigures {
  readonly features: string;
  readonly settings: TrainingSettings;
  /** The mean of the five figures: what the choice goes by. */
  readonly mean: number;
}

interface SelectionFigures {
  /** Whole families of writers and whole stories left out at once: Pearson per chapter, Kendall's τ across writers. */
  readonly chapters: number;
  readonly writers: number;
  /** The same judges on single pieces of 200 words. */
  readonly shortPieces: number;
  /** Learnt from older writers, tested on the newest, on other stories. */
  readonly newestChapters: number;
  readonly newestWriters: number;
}

export interface Selection {
  readonly rows: readonly SelectionRow[];
  readonly chosen: SelectionRow;
  /**
   * Agreement where each family of writers is judged by the settings that the others alone would have chosen: what is
   * left when a family's own chapters have no say in the choice.
   */
  readonly chosenByOthers: { readonly chapters: Agreement; readonly writers: Agreement };
}

const SHORT = 200;
const OVERALL = [0];
const FOLDS = { writers: 3, stories: 3 } as const;
const FAMILY_SEED = 11;
const NEWEST_SEED = 12;

/** What a choice has where nothing else is said. */
const PLAIN = {
  lesson: "judged",
  ngramScale: 1,
  styleScale: 1,
  writerWeight: 0.5,
  penalty: 1.5,
} satisfies Partial<TrainingSettings>;

interface Choice {
  readonly features: string;
  readonly settings: TrainingSettings;
}

/** What can be chosen; and, once each, what was tried on the way. */
function choices(): Choice[] {
  const choice = (features: string, settings: Partial<TrainingSettings>): Choice => ({
    features,
    settings: { ...SHIPPED_SETTINGS, ...PLAIN, ...settings },
  });
  return [
    ...[1, 0.5, 0.25].flatMap((writerWeight) =>
      [0.7, 1.5].map((penalty) => choice("style, n-grams", { writerWeight, penalty })),
    ),
    choice("style, n-grams, two lengths", { lesson: "lengths" }),
    choice("style, n-grams × 0.7", { ngramScale: 0.7 }),
    choice("style, n-grams × 1.4", { ngramScale: 1.4 }),
    choice("style, rarer n-grams too", { familyShare: 0.2, storyShare: 1 / 3 }),
    choice("style alone", { ngramScale: 0 }),
    choice("n-grams alone", { styleScale: 0 }),
  ];
}

/** One choice with its predictions of chapters that its judges never saw. */
interface Tried extends Choice {
  readonly chapters: readonly Judged[];
  readonly shortPieces: readonly Judged[];
  readonly newest: readonly Judged[];
}

/** Measures every choice of settings by the same held-out chapters and takes the best. */
export function selectSettings(corpus: Corpus, onProgress: ProgressListener): Selection {
  const tried = tryAll(corpus, choices(), onProgress);
  const rows = tried.map((one): SelectionRow => {
    const figures = figuresOf(one);
    return { features: one.features, settings: one.settings, ...figures, mean: meanOf(figures) };
  });
  const judgedByOthers = familiesOf(tried[0]!.chapters).flatMap((family) =>
    best(tried, (one) => meanOf(figuresOf(one, family))).chapters.filter((judged) => judged.family === family),
  );
  return {
    rows,
    chosen: best(rows, (row) => row.mean),
    chosenByOthers: {
      chapters: pieceAgreement([judgedByOthers], seededRandom(1)),
      writers: writerAgreement([judgedByOthers], seededRandom(1)),
    },
  };
}

function tryAll(corpus: Corpus, all: readonly Choice[], onProgress: ProgressListener): Tried[] {
  const families = corpus.chapters.map(({ family, story }) => ({ writer: family, story }));
  const settings = all.map((choice) => choice.settings);
  const predict = (stage: string, cells: ReturnType<typeof doubleLeaveOut>) =>
    predictHeldOutByEach(corpus, cells, settings, OVERALL, (done, total) => onProgress({ stage, done, total }));
  const held = predict("Leaving out families and stories", doubleLeaveOut(families, FOLDS, seededRandom(FAMILY_SEED)));
  const newest = predict(
    "Leaving out the newest writers",
    newestWriterCells(corpus, FOLDS.stories, seededRandom(NEWEST_SEED)),
  );
  return all.map((choice, position) => ({
    ...choice,
    chapters: judgedPieces(corpus, held[position]!.whole, 0, 0),
    shortPieces: judgedPieces(corpus, held[position]!.pieces.get(SHORT)!, 0, 0),
    newest: judgedPieces(corpus, newest[position]!.whole, 0, 0),
  }));
}

function figuresOf({ chapters, shortPieces, newest }: Tried, withoutFamily?: string): SelectionFigures {
  const others = (judged: readonly Judged[]) => judged.filter(({ family }) => family !== withoutFamily);
  return {
    chapters: pieceCorrelation(others(chapters)).value ?? 0,
    writers: writerCorrelation(others(chapters)).value ?? 0,
    shortPieces: pieceCorrelation(others(shortPieces)).value ?? 0,
    newestChapters: pieceCorrelation(others(newest)).value ?? 0,
    newestWriters: writerCorrelation(others(newest)).value ?? 0,
  };
}

function meanOf({ chapters, writers, shortPieces, newestChapters, newestWriters }: SelectionFigures): number {
  return mean([chapters, writers, shortPieces, newestChapters, newestWriters]);
}

function familiesOf(judged: readonly Judged[]): string[] {
  return [...new Set(judged.map(({ family }) => family))];
}

function best<T>(items: readonly T[], merit: (item: T) => number): T {
  const merits = items.map(merit);
  return items[merits.indexOf(Math.max(...merits))]!;
}
