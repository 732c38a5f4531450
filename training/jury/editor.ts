import { join } from "node:path";
import type { TrainedJuror } from "../../src/jury/juror-file.ts";
import { calibrate } from "./calibrate.ts";
import { familySplits, predictSplits, type Settings } from "./cross-validate.ts";
import { type FigureRow, heldOutRows } from "./figures.ts";
import { prepareMaterial } from "./material.ts";
import { rewrittenRow } from "./rewritten-pairs.ts";
import { type ExpertEdits, expertLessons, loadExpertEdits } from "./sources/expert-edits.ts";
import { COVERAGE, trainJuror } from "./train-juror.ts";

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
