import type { ScoredChapter } from "../../bench/scored-chapter.ts";
import { isScored } from "../../core/verdict.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { topLevel } from "../../criteria/rubric.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { loadPocketReference, type PocketReference } from "../../jury/reference.ts";
import { populationFromScores } from "./population.ts";
import { type Standings, standingsOn } from "./standings.ts";

/** Books that the pocket judge has read, among the published novels that it was shown: each book stands for a writer. */
export async function pocketStandings(evaluations: readonly BookEvaluation[]): Promise<Standings> {
  const [reference, rubric] = await Promise.all([loadPocketReference(), loadRubric("long-story")]);
  const criteria = topLevel(rubric);
  const { population } = populationFromScores(
    publishedNovels(
      reference,
      criteria.map(({ id }) => id),
    ),
    {
      id: reference.id,
      description: reference.description,
      judge: { id: "pocket", version: reference.judgeVersion },
      rubric: { ...rubric, criteria },
    },
  );
  // One that another version of the judge made has no place here.
  const own = evaluations.filter((evaluation) => evaluation.population?.id === reference.id);
  const names = distinctTitles(own);
  return standingsOn(
    population,
    own.flatMap((evaluation, index) => chaptersOf(evaluation, names[index]!, population.dimensions)),
  );
}

function publishedNovels({ books }: PocketReference, aspects: readonly string[]): ScoredChapter[] {
  return books.map(({ title, author, words, aspects: scores }) => ({
    ...{ novel: title, writer: author ?? "unknown", chapter: 1, words },
    scores: aspects.map((id) => scores[id] ?? null),
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

function chaptersOf(
  { book, aspects, overallCourse }: BookEvaluation,
  name: string,
  dimensions: readonly string[],
): ScoredChapter[] {
  return overallCourse.map(({ chapter }) => ({
    ...{ novel: name, writer: name, chapter },
    words: book.chapters.find(({ index }) => index === chapter)?.words ?? null,
    scores: dimensions.map((id) => {
      const verdict = aspects
        .find((aspect) => aspect.id === id)
        ?.course.find((step) => step.chapter === chapter)?.verdict;
      return verdict && isScored(verdict) ? verdict.score : null;
    }),
  }));
}
