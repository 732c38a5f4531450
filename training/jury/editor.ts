import { join } from "node:path";
import type { TrainedJuror } from "../../src/jury/juror-file.ts";
import { calibrate, prepareMaterial } from "./calibrate.ts";
import { familySplits, predictSplits, type Settings } from "./cross-validate.ts";
import { type FigureRow, heldOutRows } from "./figures.ts";
import type { Lesson } from "./fit-lessons.ts";
import { pairsRight } from "./measures.ts";
import { survivingWords } from "./notes/edited-sentences.ts";
import { type ExpertEdits, expertLessons, loadExpertEdits } from "./sources/expert-edits.ts";
import { COVERAGE, trainJuror } from "./train-juror.ts";

/** Fewer of the draft's words left than this: the professional wrote the paragraph again. */
const REWRITTEN = 0.6;

/**
 * The nearest thing in the data to an author beside an imitation: drafts that a professional nearly wrote again. There are no
 * pairs of an author's own text and a model's imitation of it.
 */
function rewrittenRow(lessons: readonly Lesson[], predictions: Float64Array): FigureRow {
  const drafts = new Map(
    lessons.flatMap(({ pair, target, text }): [number, string][] =>
      pair !== undefined && target === 0 ? [[pair, text]] : [],
    ),
  );
  const rewritten = new Set(
    lessons.flatMap(({ pair, target, text }) => {
      if (pair === undefined || target !== 1) return [];
      const words = survivingWords(drafts.get(pair)!, text);
      return words.filter(({ survives }) => survives).length < REWRITTEN * words.length ? [pair] : [];
    }),
  );
  const own = predictions.map((value, place) => {
    const { pair } = lessons[place]!;
    return pair !== undefined && rewritten.has(pair) ? value : Number.NaN;
  });
  return {
    name: `rewritten (under ${100 * REWRITTEN}% of the words kept) above draft, share right, families held back`,
    measured: pairsRight(lessons, [own], "expert-pairs"),
  };
}

const FOLDS = 5;
const SEED = 1902;

/** Chosen inside the folds, by `npm run train -- select editor`; see the card. */
export const EDITOR_SETTINGS: Settings = { minimumTexts: 4, styleWeight: 0.05, penalty: 1 };

export function loadEditorData(data: string): Promise<ExpertEdits> {
  return loadExpertEdits(join(data, "expert-edits"));
}

export async function trainEditor(
  data: string,
  say: (line: string) => void,
): Promise<{ readonly juror: TrainedJuror; readonly figures: readonly FigureRow[] }> {
  const lessons = expertLessons(await loadEditorData(data));
  const material = prepareMaterial(lessons, EDITOR_SETTINGS.minimumTexts);
  say(`${material.counted.hashes.length} n-grams in ${material.counted.words.length} texts`);
  const held = predictSplits(material, familySplits(lessons, FOLDS, SEED), EDITOR_SETTINGS, (done, total) =>
    say(`fold ${done} of ${total}`),
  );
  const calibration = calibrate(material, { sources: ["expert-scores"], unit: 1, coverage: COVERAGE, inside: held });
  return {
    juror: trainJuror(material, EDITOR_SETTINGS, calibration),
    figures: [...heldOutRows(material, held, ["expert-scores", "expert-pairs"]), rewrittenRow(lessons, held.whole)],
  };
}
