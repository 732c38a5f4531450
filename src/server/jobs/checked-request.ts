import type { EvaluationRequest } from "../../api/jobs.ts";
import { FabulaError } from "../../core/errors.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { topLevel } from "../../criteria/rubric.ts";
import { METHOD_NAMES } from "../../judge/methods/method.ts";
import { checkJudges, checkLanguage } from "../judges.ts";
import { describedBook } from "../library/book-files.ts";
import type { Services } from "../services.ts";

/** A request whose judge, method and aspects this server has. */
export async function checkedRequest(
  request: EvaluationRequest,
  { books, settings }: Services,
): Promise<EvaluationRequest> {
  const { language } = describedBook(books.card(request.bookId));
  checkJudges(request.judges, settings);
  checkLanguage(request.judges, language);
  if (!METHOD_NAMES.some((name) => name === request.method)) {
    throw new FabulaError("E_METHOD", `There is no method "${request.method}": choose ${METHOD_NAMES.join(", ")}.`);
  }
  const known = topLevel(await loadRubric("long-story")).map(({ id }) => id);
  const unknown = request.aspects.find((aspect) => !known.includes(aspect));
  if (unknown !== undefined) {
    throw new FabulaError("E_ASPECT_UNKNOWN", `There is no aspect "${unknown}": choose among ${known.join(", ")}.`);
  }
  return request;
}
