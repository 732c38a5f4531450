import type { ModelHead } from "../model.ts";
import type { Corpus } from "./corpus.ts";
import type { HeldOutPredictions } from "./predict-chapters.ts";

/**
 * Split-conformal half-widths from held-out residuals: the ⌈(n + 1) × coverage⌉-th smallest miss, so that a new chapter
 * of the same kind falls inside at least that often (Lei et al. 2018). Short pieces miss by more and have their own.
 */
export function calibrate(corpus: Corpus, held: HeldOutPredictions, coverage: number): ModelHead["calibration"] {
  const width = held.outputs.length;
  const chapters = corpus.chapters.map((_, chapter) => ({
    chapter,
    predictions: held.whole.subarray(chapter * width, (chapter + 1) * width),
  }));
  const wholeWords = corpus.prose.reduce((sum, { wordCount }) => sum + wordCount, 0) / corpus.prose.length;
  return [
    ...[...held.pieces].map(([words, list]) => ({ words, list })),
    { words: Math.round(wholeWords), list: chapters },
  ]
    .filter(({ list }) => list.length > 0)
    .map(({ words, list }) => ({
      words,
      halfWidths: held.outputs.map((output, slot) =>
        conformalQuantile(
          list.flatMap(({ chapter, predictions }) => {
            const miss = Math.abs(predictions[slot]! - corpus.chapters[chapter]!.targets[output]!);
            return Number.isNaN(miss) ? [] : [miss];
          }),
          coverage,
        ),
      ),
    }));
}

export function conformalQuantile(misses: readonly number[], coverage: number): number {
  const sorted = Float64Array.from(misses).sort();
  return sorted[Math.min(sorted.length, Math.ceil((sorted.length + 1) * coverage)) - 1]!;
}
