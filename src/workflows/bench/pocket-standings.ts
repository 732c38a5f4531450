import { type ScoredChapter, UNKNOWN_WRITER } from "../../bench/scored-chapter.ts";
import { isScored } from "../../core/verdict.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { loadPocketReference, type PocketReference } from "../../jury/reference.ts";
import { mean } from "../../stats/distribution/mean.ts";
import { populationFromScores } from "./population.ts";
import { type Standings, standingsOn } from "./standings.ts";

export interface PocketStandings extends Standings {
  /** The percentile of each book as its report gives it, by its name in the standings. */
  readonly reported: ReadonlyMap<string, number>;
}

/**
 * Books that the pocket judge has read, among the published novels that it was shown: each book stands for a writer. Books
 * are placed by their overall score, as their reports place them: a book has one percentile, wherever it is shown.
 */
export async function pocketStandings(evaluations: readonly BookEvaluation[]): Promise<PocketStandings> {
  const [reference, rubric] = await Promise.all([loadPocketReference(), loadRubric("long-story")]);
  const { population } = populationFromScores(publishedNovels(reference), {
    id: reference.id,
    description: reference.description,
    judge: { id: "pocket", version: reference.judgeVersion },
    rubric: { ...rubric, criteria: [{ ...rubric.criteria[0]!, id: "overall", name: "Overall" }] },
  });
  // One that another version of the judge made has no place here.
  const own = evaluations.filter((evaluation) => evaluation.population?.id === reference.id);
  const names = distinctTitles(own);
  return {
    ...standingsOn(
      population,
      own.flatMap((evaluation, index) => chaptersOf(evaluation, names[index]!)),
      "books",
    ),
    reported: new Map(
      own.flatMap(({ overallPercentile }, index) =>
        overallPercentile === null ? [] : [[names[index]!, overallPercentile]],
      ),
    ),
  };
}

function publishedNovels({ books }: PocketReference): ScoredChapter[] {
  return books.map(({ title, author, words, overall }) => ({
    novel: title,
    writer: author ?? UNKNOWN_WRITER,
    chapter: 1,
    words,
    scores: [overall],
  }));
}

/** Drafts of a book share its title, and each has a place of its own: the newest keeps the title, the others are numbered. */
function distinctTitles(evaluations: readonly BookEvaluation[]): string[] {
  const seen = new Map<string, number>();
  return evaluations.map(({ book: { title } }) => {
    const count = (seen.get(title) ?? 0) + 1;
    seen.set(title, count);
    return count === 1 ? title : `${title} (${count})`;
  });
}

/** The chapters as they were scored, moved together so that their mean is the book's own score. */
function chaptersOf({ book, overall, overallCourse }: BookEvaluation, name: string): ScoredChapter[] {
  if (!isScored(overall)) return [];
  const scored = overallCourse.flatMap(({ chapter, verdict }) =>
    isScored(verdict) ? [{ chapter, score: verdict.score }] : [],
  );
  const whole = { novel: name, writer: name };
  if (scored.length === 0) return [{ ...whole, chapter: 1, words: book.words, scores: [overall.score] }];
  const shift = overall.score - mean(scored.map(({ score }) => score));
  return scored.map(({ chapter, score }) => ({
    ...whole,
    chapter,
    scores: [score + shift],
    words: book.chapters.find(({ index }) => index === chapter)?.words ?? null,
  }));
}
