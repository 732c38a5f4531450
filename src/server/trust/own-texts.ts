import type { EvaluationRequest } from "../../api/jobs.ts";
import { FEWEST_TEXTS, isWriter } from "../../stats/judge-health/self-preference.ts";
import { JURY } from "../../workflows/books/jury/embedded-judge.ts";
import { describedBook } from "../library/book-files.ts";
import type { Situation } from "./situation.ts";

/**
 * The evaluations that would show whether a judge favours its own writing: texts of which it is the author and texts of others,
 * each judged by it and by another judge. None where the library holds too few texts by it.
 */
export function ownTextRequests({ services, request, judged, others }: Situation): EvaluationRequest[] {
  const judge = request.judges[0]!;
  const cards = services.books.list().sort((left, right) => left.words - right.words);
  const byJudge = cards.filter((card) => isWriter(describedBook(card).author, judge));
  const byOthers = cards.filter((card) => {
    const { author } = describedBook(card);
    return author !== null && !isWriter(author, judge);
  });
  if (byJudge.length < FEWEST_TEXTS || byOthers.length < FEWEST_TEXTS) return [];
  const other = others[0] ?? { judge: JURY, judged: new Set<string>() };
  return [...byJudge.slice(0, FEWEST_TEXTS), ...byOthers.slice(0, FEWEST_TEXTS)].flatMap(({ id }) => [
    ...(judged.has(id) ? [] : [{ ...request, bookId: id }]),
    ...(other.judged.has(id) ? [] : [{ ...request, bookId: id, judges: [other.judge] }]),
  ]);
}
