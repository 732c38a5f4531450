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
  return standingsOn(
    population,
    own.flatMap((evaluation) => chaptersOf(evaluation, population.dimensions)),
  );
}

function publishedNovels({ books }: PocketReference, aspects: readonly string[]): ScoredChapter[] {
  return books.map(({ title, author, words, aspects: scores }) => ({
    ...{ novel: title, writer: author ?? "unknown", chapter: 1, words },
    scores: aspects.map((id) => scores[id] ?? null),
  }));
}

function chaptersOf({ book, aspects, overallCourse }: BookEvaluation, dimensions: readonly string[]): ScoredChapter[] {
  return overallCourse.map(({ chapter }) => ({
    ...{ novel: book.title, writer: book.title, chapter },
    words: book.chapters.find(({ index }) => index === chapter)?.words ?? null,
    scores: dimensions.map((id) => {
      const verdict = aspects
        .find((aspect) => aspect.id === id)
        ?.course.find((step) => step.chapter === chapter)?.verdict;
      return verdict && isScored(verdict) ? verdict.score : null;
    }),
  }));
}
