import { seededRandom } from "../../src/core/random.ts";
import {
  type Agreement,
  type Judged,
  judgedPieces,
  pieceAgreement,
  writerAgreement,
} from "../../training/grader/agreement.ts";
import type { Corpus } from "../../training/grader/corpus.ts";
import { type Cell, doubleLeaveOut, newestWriterCells } from "../../training/grader/folds.ts";
import { loadGraderCorpus } from "../../training/grader/grader-from-files.ts";
import { type Piece, predictHeldOut } from "../../training/grader/predict-chapters.ts";
import { SHIPPED_SETTINGS } from "../../training/grader/settings.ts";
import { defineEval, type Figure } from "../part.ts";

const OVERALL = [0];
const FOLDS = { writers: 8, stories: 6 } as const;
const FAMILY_FOLDS = { writers: 5, stories: 4 } as const;
/** How the folds are dealt; more seeds give the mean over as many deals. None is a deal that the settings were chosen by. */
const SEEDS = [1, 2, 3];

/** How well the embedded grader follows the grader where it can know neither the writer nor the story. */
export default defineEval({
  id: "grader",
  title: "The embedded grader against the language model it learnt from",
  data: { "judged-chapters": "graded chapters, JSONL.gz" },
  async run(paths, onProgress) {
    const corpus = await loadGraderCorpus(paths["judged-chapters"]);
    const families = corpus.chapters.map(({ family, story }) => ({ writer: family, story }));
    const hold = (stage: string, cells: readonly Cell[]) =>
      predictHeldOut(corpus, cells, SHIPPED_SETTINGS, OVERALL, (done, total) => onProgress({ stage, done, total }));
    const judged = (pieces: readonly Piece[]) => judgedPieces(corpus, pieces, 0, 0);

    const byWriter = SEEDS.map((seed, repeat) =>
      hold(
        `Leaving out writers and stories, ${repeat + 1} of ${SEEDS.length}`,
        doubleLeaveOut(corpus.chapters, FOLDS, seededRandom(seed)),
      ),
    );
    const byFamily = hold(
      "Leaving out families and stories",
      doubleLeaveOut(families, FAMILY_FOLDS, seededRandom(SEEDS[0]!)),
    );
    const newest = hold(
      "Leaving out the newest writers",
      newestWriterCells(corpus, FOLDS.stories, seededRandom(SEEDS[0]!)),
    );
    const whole = byWriter.map((held) => judged(held.whole));
    const unseen = "writers and stories never seen";
    return [
      {
        ...chapters("chapter-pearson", `Pearson per chapter, ${unseen}`, whole),
        compare: { name: "trial of words and pairs", value: 0.844 },
      },
      {
        ...writers("writer-kendall", `Kendall τ across writers, ${unseen}`, whole),
        compare: { name: "trial of words and pairs", value: 0.81 },
      },
      writers(
        "every-name-kendall",
        `Kendall τ across all names, four of them second names of a writer with the same texts, ${unseen}`,
        byWriter.map((held) => underEveryName(corpus, held.whole)),
      ),
      ...[...byWriter[0]!.pieces.keys()].map((words) =>
        chapters(
          `piece-${words}-pearson`,
          `Pearson per piece of ${words} words, ${unseen}`,
          byWriter.map((held) => judged(held.pieces.get(words)!)),
        ),
      ),
      chapters("family-chapter-pearson", "Pearson per chapter, families of writers and stories never seen", [
        judged(byFamily.whole),
      ]),
      writers("family-writer-kendall", "Kendall τ across writers, families and stories never seen", [
        judged(byFamily.whole),
      ]),
      chapters("newest-chapter-pearson", "Pearson per chapter of the newest writers, learnt from older ones", [
        judged(newest.whole),
      ]),
      writers("newest-writer-kendall", "Kendall τ across the newest writers, learnt from older ones", [
        judged(newest.whole),
      ]),
    ];
  },
});

function underEveryName(corpus: Corpus, pieces: readonly Piece[]): Judged[] {
  return pieces.flatMap((piece) =>
    judgedPieces(corpus, [piece], 0, 0).flatMap((judged) =>
      corpus.chapters[piece.chapter]!.names.map((writer) => ({ ...judged, writer })),
    ),
  );
}

function chapters(id: string, name: string, repeats: readonly (readonly Judged[])[]): Figure {
  return figure(id, name, pieceAgreement(repeats, seededRandom(1)));
}

function writers(id: string, name: string, repeats: readonly (readonly Judged[])[]): Figure {
  return figure(id, name, writerAgreement(repeats, seededRandom(1)));
}

function figure(id: string, name: string, { value, interval, n }: Agreement): Figure {
  return { id, name, value, interval: interval ? [interval[0], interval[1]] : null, n, better: "higher" };
}
