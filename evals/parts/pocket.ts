import type { ProgressListener } from "../../src/core/progress.ts";
import { seededRandom } from "../../src/core/random.ts";
import { type Agreement, judgedPieces, pieceAgreement, writerAgreement } from "../../src/pocket/training/agreement.ts";
import type { Corpus } from "../../src/pocket/training/corpus.ts";
import { type Cell, doubleLeaveOut } from "../../src/pocket/training/folds.ts";
import { newestWriterCells } from "../../src/pocket/training/newest-writers.ts";
import { type Piece, predictHeldOut } from "../../src/pocket/training/predict-chapters.ts";
import { SHIPPED_SETTINGS } from "../../src/pocket/training/settings.ts";
import { loadPocketCorpus } from "../../src/workflows/train-pocket.ts";
import { defineEval, type Figure } from "../part.ts";

const OVERALL = [0];

function figure(id: string, name: string, { value, interval, n }: Agreement): Figure {
  return { id, name, value, interval: interval ? [interval[0], interval[1]] : null, n, better: "higher" };
}

/** How well the pocket judge follows the grader where it can know neither the writer nor the story. */
export default defineEval({
  id: "pocket",
  title: "The pocket judge against the grader it learnt from",
  data: { "judged-chapters": "graded chapters, JSONL.gz" },
  async run(paths, onProgress) {
    const corpus = await loadPocketCorpus(paths["judged-chapters"]);
    const families = corpus.chapters.map(({ family, story }) => ({ writer: family, story }));
    const byWriter = held(corpus, doubleLeaveOut(corpus.chapters, { writers: 8, stories: 6 }, seededRandom(1)), {
      stage: "Leaving out writers and stories",
      onProgress,
    });
    const byFamily = held(corpus, doubleLeaveOut(families, { writers: 5, stories: 4 }, seededRandom(1)), {
      stage: "Leaving out families and stories",
      onProgress,
    });
    const newest = held(corpus, newestWriterCells(corpus, seededRandom(2)), {
      stage: "Leaving out the newest writers",
      onProgress,
    });
    const pieces = (list: readonly Piece[]) => pieceAgreement(judgedPieces(corpus, list, 0, 0), seededRandom(1));
    const writers = (list: readonly Piece[]) => writerAgreement(judgedPieces(corpus, list, 0, 0), seededRandom(1));
    return [
      {
        ...figure("chapter-pearson", "Pearson per chapter, writers and stories never seen", pieces(byWriter.whole)),
        compare: { name: "trial of words and pairs", value: 0.844 },
      },
      {
        ...figure(
          "writer-kendall",
          "Kendall τ across writers, writers and stories never seen",
          writers(byWriter.whole),
        ),
        compare: { name: "trial of words and pairs", value: 0.81 },
      },
      ...[...byWriter.pieces].map(([words, list]) =>
        figure(
          `piece-${words}-pearson`,
          `Pearson per piece of ${words} words, writers and stories never seen`,
          pieces(list),
        ),
      ),
      figure(
        "family-chapter-pearson",
        "Pearson per chapter, families of writers and stories never seen",
        pieces(byFamily.whole),
      ),
      figure(
        "family-writer-kendall",
        "Kendall τ across writers, families and stories never seen",
        writers(byFamily.whole),
      ),
      figure(
        "newest-chapter-pearson",
        "Pearson per chapter of the newest writers, learnt from older ones",
        pieces(newest.whole),
      ),
      figure(
        "newest-writer-kendall",
        "Kendall τ across the newest writers, learnt from older ones",
        writers(newest.whole),
      ),
    ];
  },
});

function held(
  corpus: Corpus,
  cells: readonly Cell[],
  { stage, onProgress }: { readonly stage: string; readonly onProgress: ProgressListener },
) {
  return predictHeldOut(corpus, cells, SHIPPED_SETTINGS, OVERALL, (done, total) => onProgress({ stage, done, total }));
}
