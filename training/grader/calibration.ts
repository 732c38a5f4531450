import type { ModelHead } from "../../src/jury/model-file.ts";
import { judgedPieces } from "./agreement.ts";
import type { Corpus } from "./corpus.ts";
import type { HeldOutPredictions } from "./predict-chapters.ts";

/**
 * Split-conformal half-widths from held-out residuals: the ⌈(n + 1) × coverage⌉-th smallest miss, so that a new chapter
 * of the same kind falls inside at least that often (Lei et al. 2018). Short pieces miss by more and have their own.
 */
export function calibrate(corpus: Corpus, held: HeldOutPredictions, coverage: number): ModelHead["calibration"] {
  const wholeWords = corpus.prose.reduce((sum, { wordCount }) => sum + wordCount, 0) / corpus.prose.length;
  return [...held.pieces, [Math.round(wholeWords), held.whole] as const]
    .filter(([, pieces]) => pieces.length > 0)
    .map(([words, pieces]) => ({
      words,
      halfWidths: held.outputs.map((output, slot) => {
        const judged = judgedPieces(corpus, pieces, output, slot);
        return conformalQuantile(
          judged.map(({ predicted, given }) => Math.abs(predicted - given)),
          coverage,
        );
      }),
    }));
}

export function conformalQuantile(misses: readonly number[], coverage: number): number {
  const sorted = Float64Array.from(misses).sort();
  return sorted[Math.min(sorted.length, Math.ceil((sorted.length + 1) * coverage)) - 1]!;
}
