import type { ScoredChapter } from "../../bench/population/novel-scores.ts";
import { panelChapters } from "../../bench/population/panel.ts";
import type { PanelMember, ReferencePopulation } from "../../bench/population/reference-population.ts";
import { alignScores, assertRowFits, readScores } from "../../bench/read-scores.ts";
import { FabulaError } from "../../core/errors.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import type { Rubric } from "../../criteria/rubric.ts";

/**
 * Reads scores from files, in the order of a population's dimensions, for one judge or for every judge of a panel.
 * Refuses scores that were made differently from the population; with `onMisfit` such files are skipped instead,
 * which is right for files that the user did not name.
 */
export async function chaptersOn(
  population: ReferencePopulation,
  files: readonly string[],
  rubric: Rubric | null = null,
  onMisfit: OnMisfit | null = null,
): Promise<ScoredChapter[]> {
  if (!population.panel) {
    const own = rubric ?? (await loadRubric(population.rubric.id));
    const accept: Accept = (row, file) => {
      assertRowFits(row, population, file);
      return true;
    };
    return judgeChapters(population, files, own, { accept, onMisfit });
  }
  const opinions: ScoredChapter[][] = [];
  for (const member of population.panel) {
    const own = rubric?.id === member.rubric.id ? rubric : await loadRubric(member.rubric.id);
    const accept = panelRows(population.panel, member);
    const chapters = await judgeChapters(member, files, own, { accept, onMisfit });
    if (chapters.length === 0) {
      if (onMisfit) return [];
      throw new FabulaError(
        "E_PANEL_SCORES",
        `None of the files has scores of ${member.judge.id}, a member of the panel: give the scores of every judge.`,
      );
    }
    opinions.push(chapters);
  }
  return panelChapters(population.panel, opinions);
}

/** Accepts the rows of one judge; refuses a row without a judge or of a judge outside the panel. */
function panelRows(members: readonly PanelMember[], member: PanelMember): Accept {
  return (row, file) => {
    if (!members.some(({ judge }) => judge.id === row.judge)) {
      throw new FabulaError(
        "E_SCORES_BASIS",
        `"${file}" has scores of ${row.judge ?? "a judge it does not name"}, and the panel is ${members.map(({ judge }) => judge.id).join(" and ")}: leave the file out.`,
        { evidence: `scores of ${row.judge ?? "a judge it does not name"}, who is not on the panel` },
      );
    }
    if (row.judge !== member.judge.id) return false;
    assertRowFits(row, member, file);
    return true;
  };
}

/** `found` says what in the file does not fit the population. */
type OnMisfit = (file: string, found: string) => void;
type Accept = NonNullable<NonNullable<Parameters<typeof readScores>[2]>["accept"]>;

async function judgeChapters(
  base: PanelMember | ReferencePopulation,
  files: readonly string[],
  rubric: Rubric,
  { accept, onMisfit }: { readonly accept: Accept; readonly onMisfit: OnMisfit | null },
): Promise<ScoredChapter[]> {
  const chapters: ScoredChapter[] = [];
  for (const file of files) {
    try {
      const own = await readScores(file, rubric, { accept, needed: base.dimensions });
      for (const chapter of own) chapters.push(chapter);
    } catch (error) {
      if (!onMisfit || !(error instanceof FabulaError) || error.code !== "E_SCORES_BASIS") throw error;
      onMisfit(file, String(error.evidence));
    }
  }
  return alignScores(chapters, rubric, base);
}
