import { join } from "node:path";
import type { EvaluationRequest } from "../../api/jobs.ts";
import type { TrustCheck } from "../../api/trust.ts";
import { TRUST_FOLDER } from "../../workflows/trust/panel/trust-files.ts";
import { originalName } from "../library/book-files.ts";
import type { Services } from "../services.ts";

interface Situation {
  readonly services: Services;
  /** The evaluation that is looked at, as it would be asked for again. */
  readonly request: EvaluationRequest;
  /** Books that this judge judged more than once, and at all. */
  readonly repeated: ReadonlySet<string>;
  readonly judged: ReadonlySet<string>;
}

const BOOKS_REPEATED = 3;
const BOOKS_JUDGED = 10;
const REPEATS = 3;

/** For what is not measured: the command that measures it, and the evaluations that would, where the server can plan them. */
export function withNextStep(check: TrustCheck, situation: Situation): TrustCheck {
  if (check.state !== "unknown") return check;
  const { request } = situation;
  const judge = request.judges[0]!;
  const file = fileOf(situation.services, request.bookId);
  const kept = (name: string) => quoted(join(situation.services.settings.library, TRUST_FOLDER, `${name}.json`));
  switch (check.check) {
    case "repeatability": {
      const requests = missing(situation, situation.repeated, BOOKS_REPEATED).map((one) => ({ ...one, runs: REPEATS }));
      const command = `fabula evaluate ${file} --judge ${judge} --method ${request.method} --runs ${REPEATS}`;
      return { ...check, command, requests };
    }
    case "length-bias": {
      const requests = missing(situation, situation.judged, BOOKS_JUDGED);
      return { ...check, command: `fabula evaluate BOOKS --judge ${judge} --method ${request.method}`, requests };
    }
    case "position-bias":
      return { ...check, command: `fabula compare ${file} OTHER-BOOK --judge ${judge} --json > ${kept("compare")}` };
    case "self-preference":
      return { ...check, command: `fabula health SCORES-WITH-WRITERS.jsonl --json > ${kept("health")}` };
    case "contamination":
      return { ...check, command: `fabula probe ${file} --judge ${judge} --json > ${kept("probe")}` };
    case "stress":
      return { ...check, command: `fabula stress ${file} --judge ${judge} --json > ${kept("stress")}` };
    case "agreement":
      return check;
    default:
      return check.check satisfies never;
  }
}

/** As many books of the library as are missing: the one that is looked at first, then the shortest. */
function missing({ services, request }: Situation, done: ReadonlySet<string>, needed: number): EvaluationRequest[] {
  const cards = services.books.list().filter(({ id }) => !done.has(id));
  const own = cards.filter(({ id }) => id === request.bookId);
  const others = cards.filter(({ id }) => id !== request.bookId).sort((left, right) => left.words - right.words);
  const chosen = [...own, ...others].slice(0, Math.max(0, needed - done.size));
  return chosen.map(({ id }) => ({ ...request, bookId: id }));
}

/** The book's file in the library; a book that was removed is named by a placeholder. */
function fileOf({ books }: Services, bookId: string): string {
  try {
    return quoted(join(books.folderOf(bookId), originalName(books.card(bookId).format)));
  } catch {
    return "BOOK";
  }
}

function quoted(path: string): string {
  return /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
