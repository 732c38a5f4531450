import { join } from "node:path";
import type { EvaluationRequest } from "../../api/jobs.ts";
import type { TrustCheck, TrustCheckName } from "../../api/trust.ts";
import { TRUST_FOLDER } from "../../workflows/trust/panel/trust-files.ts";
import { originalName } from "../library/book-files.ts";
import type { Services } from "../services.ts";
import { ownTextRequests } from "./own-texts.ts";
import type { CommandCheck } from "./plan-command.ts";
import type { Situation } from "./situation.ts";

/** How a check that was not measured can be: by evaluations that the server plans and starts, or by a command it plans. */
export interface NextStep {
  readonly command: string | null;
  readonly requests: readonly EvaluationRequest[];
  readonly planned: { readonly check: CommandCheck; readonly files: readonly string[] } | null;
}

const BOOKS_REPEATED = 3;
const BOOKS_JUDGED = 10;
const REPEATS = 3;
const NOTHING: NextStep = { command: null, requests: [], planned: null };

export function withNextStep(check: TrustCheck, situation: Situation): TrustCheck {
  if (check.state !== "unknown") return check;
  const { command, requests, planned } = nextStep(check.check, situation);
  return { ...check, command, requests, canPlan: requests.length > 0 || planned !== null };
}

export function nextStep(check: TrustCheckName, situation: Situation): NextStep {
  const { request, services } = situation;
  const judge = request.judges[0]!;
  const own = fileOf(services, request.bookId);
  const shown = own === null ? "BOOK" : quoted(own);
  const kept = (name: string) => quoted(join(services.settings.library, TRUST_FOLDER, `${name}.json`));
  const asked = (name: CommandCheck, files: readonly (string | null)[]) => {
    const known = files.flatMap((file) => file ?? []);
    return known.length === files.length ? { check: name, files: known } : null;
  };
  switch (check) {
    case "repeatability": {
      const requests = missing(situation, situation.repeated, BOOKS_REPEATED).map((one) => ({ ...one, runs: REPEATS }));
      const command = `fabula evaluate ${shown} --judge ${judge} --method ${request.method} --runs ${REPEATS}`;
      return { ...NOTHING, command, requests };
    }
    case "length-bias": {
      const requests = missing(situation, situation.judged, BOOKS_JUDGED);
      return { ...NOTHING, command: `fabula evaluate BOOKS --judge ${judge} --method ${request.method}`, requests };
    }
    case "position-bias": {
      const other = otherFile(situation);
      const command = `fabula compare ${shown} ${other === null ? "OTHER-BOOK" : quoted(other)} --judge ${judge} --json > ${kept("compare")}`;
      return { ...NOTHING, command, planned: asked(check, [own, other]) };
    }
    case "self-preference": {
      const command = `fabula health SCORES-WITH-WRITERS.jsonl --json > ${kept("health")}`;
      return { ...NOTHING, command, requests: ownTextRequests(situation) };
    }
    case "contamination": {
      const command = `fabula probe ${shown} --judge ${judge} --json > ${kept("probe")}`;
      return { ...NOTHING, command, planned: asked(check, [own]) };
    }
    case "stress": {
      const command = `fabula stress ${shown} --judge ${judge} --method ${request.method} --json > ${kept("stress")}`;
      return { ...NOTHING, command, planned: asked(check, [own]) };
    }
    case "agreement":
      return NOTHING;
    default:
      return check satisfies never;
  }
}

/** As many books of the library as are missing: the one that is looked at first, then the shortest. */
function missing(situation: Situation, done: ReadonlySet<string>, needed: number): EvaluationRequest[] {
  const { services, request } = situation;
  const open = shortestFirst(services).filter((id) => !done.has(id));
  const ordered = [...open.filter((id) => id === request.bookId), ...open.filter((id) => id !== request.bookId)];
  return ordered.slice(0, Math.max(0, needed - done.size)).map((bookId) => ({ ...request, bookId }));
}

function otherFile({ services, request }: Situation): string | null {
  const other = shortestFirst(services).find((id) => id !== request.bookId);
  return other === undefined ? null : fileOf(services, other);
}

function shortestFirst({ books }: Services): string[] {
  return books
    .list()
    .sort((left, right) => left.words - right.words)
    .map(({ id }) => id);
}

/** The book's file in the library; null for a book that was removed. */
function fileOf({ books }: Services, bookId: string): string | null {
  try {
    return join(books.folderOf(bookId), originalName(books.card(bookId).format));
  } catch {
    return null;
  }
}

function quoted(path: string): string {
  return /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
