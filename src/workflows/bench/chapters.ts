import { alignScores } from "../../bench/align-scores.ts";
import { panelChapters } from "../../bench/population/panel.ts";
import type { PanelSeat, ReferencePopulation } from "../../bench/population/reference-population.ts";
import { readScores } from "../../bench/read-scores.ts";
import type { ScoredChapter } from "../../bench/scored-chapter.ts";
import { FabulaError } from "../../core/errors.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import type { Rubric } from "../../criteria/rubric.ts";

/** Scores out of files, in the order of a population's dimensions: one judge's, or those of every judge of a panel. */
export async function chaptersOn(
  population: ReferencePopulation,
  files: readonly string[],
  rubric: Rubric | null = null,
): Promise<ScoredChapter[]> {
  if (!population.panel) return judgeChapters(population, files, rubric ?? (await loadRubric(population.rubric.id)));
  const opinions: ScoredChapter[][] = [];
  for (const seat of population.panel) {
    const own = rubric?.id === seat.rubric.id ? rubric : await loadRubric(seat.rubric.id);
    opinions.push(await judgeChapters(seat, files, own, seat.judge.id));
  }
  return panelChapters(population.panel, opinions);
}

async function judgeChapters(
  base: PanelSeat | ReferencePopulation,
  files: readonly string[],
  rubric: Rubric,
  judge?: string,
): Promise<ScoredChapter[]> {
  const chapters: ScoredChapter[] = [];
  for (const file of files) chapters.push(...(await readScores(file, rubric, judge)));
  if (judge !== undefined && chapters.length === 0) {
    throw new FabulaError(
      "E_PANEL_SCORES",
      `None of the files has scores of ${judge}, who sits on the panel: give the scores of every judge.`,
    );
  }
  return alignScores(chapters, rubric, base);
}
