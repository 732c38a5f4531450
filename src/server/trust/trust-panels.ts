import { dirname, join } from "node:path";
import type { EvaluationPlan, EvaluationRequest } from "../../api/jobs.ts";
import type { TrustCheck, TrustCheckName, TrustPanel, TrustPlanRequest } from "../../api/trust.ts";
import { FabulaError } from "../../core/errors.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { topLevel } from "../../criteria/rubric.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { JURY } from "../../jury/juror.ts";
import { FEWEST_TEXTS, isWriter } from "../../stats/judge-health/biases.ts";
import { cardChecks, measuredChecks } from "../../tasks/trust/panel/card-figures.ts";
import { readTrustFiles, TRUST_FOLDER } from "../../tasks/trust/panel/trust-files.ts";
import { type JudgedBook, onePerWay } from "../../tasks/trust/votes/scorers.ts";
import { outcomesOf } from "../../tasks/trust/votes/vote.ts";
import { notFound } from "../ids.ts";
import { addPlans, planEvaluation, shownPlan } from "../jobs/plan-evaluation.ts";
import { checkedRequest, checkJudges } from "../judges.ts";
import { describedBook, originalName } from "../library/book-files.ts";
import type { Services } from "../services.ts";
import { runTask } from "../threads/run-task.ts";
import type { EvidenceBench } from "../votes/evidence-bench.ts";
import type { CommandCheck } from "./trust-tasks.ts";

/** How a missing check can be measured: by evaluations that the server plans and starts, or by a command whose cost it plans. */
interface NextStep {
  readonly command: string | null;
  readonly requests: readonly EvaluationRequest[];
  readonly planned: { readonly check: CommandCheck; readonly files: readonly string[] } | null;
}

const BOOKS_REPEATED = 3;
const BOOKS_JUDGED = 10;
const REPEATS = 3;
const NOTHING: NextStep = { command: null, requests: [], planned: null };

function withNextStep(check: TrustCheck, situation: Situation): TrustCheck {
  if (check.state !== "unknown") return check;
  const { command, requests, planned } = nextStep(check.check, situation);
  return { ...check, command, requests, canPlan: requests.length > 0 || planned !== null };
}

function nextStep(check: TrustCheckName, situation: Situation): NextStep {
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

/** The books still needed for a check: the one being viewed, then the shortest. */
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

/**
 * The evaluations that would show whether a judge favours its own writing: texts of which it is the author and texts of others,
 * each judged by it and by another judge. None where the library holds too few texts by it.
 */
function ownTextRequests({ services, request, judged, others }: Situation): EvaluationRequest[] {
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

interface TrustSources extends EvidenceBench {
  readonly services: Services;
}

/** The known figures of every judge in an evaluation and, for missing ones, how to measure them. */
export async function trustPanels(id: string, sources: TrustSources): Promise<TrustPanel[]> {
  const { services, index, votes } = sources;
  const evaluation = await services.evaluations.evaluation(id);
  if (evaluation.jury) {
    return Promise.all(
      evaluation.jury.jurors.map(async ({ id }) => ({ judge: id, name: id, checks: await cardChecks(id) })),
    );
  }
  const { judged } = await index.current();
  const kept = onePerWay(judged);
  const records = {
    judgements: kept.flatMap(({ judgements }) => judgements),
    votes: outcomesOf(await votes.list()).map(({ name, outcome }) => ({ judge: name, outcome })),
    files: await readTrustFiles(join(services.settings.library, TRUST_FOLDER)),
  };
  const situations = await situationsIn(id, evaluation, judged, services);
  return situations.map(({ judge, name, situation }) => ({
    judge,
    name,
    checks: measuredChecks(name, judge, records).map((check) => withNextStep(check, situation)),
  }));
}

/** What it would take to measure one check of one of its judges. */
export async function planTrust(
  id: string,
  { name, check }: TrustPlanRequest,
  { services, index }: TrustSources,
  client: string,
): Promise<EvaluationPlan> {
  const { judged } = await index.current();
  const situations = await situationsIn(id, await services.evaluations.evaluation(id), judged, services);
  const found = situations.find((one) => one.name === name);
  if (!found) throw notFound("judge of this evaluation");
  return planCheck(check, found.situation, client);
}

interface JudgeInPlace {
  readonly judge: string;
  readonly name: string;
  readonly situation: Situation;
}

async function situationsIn(
  id: string,
  evaluation: BookEvaluation,
  judged: readonly JudgedBook[],
  services: Services,
): Promise<JudgeInPlace[]> {
  const kept = onePerWay(judged);
  const { bookId } = services.evaluations.summary(id);
  const aspects = await topAspects(evaluation);
  const scorers = judged.flatMap((one) => one.scorers).filter(({ evaluationId }) => evaluationId === id);
  return scorers.map(({ judge, name }) => ({
    judge,
    name,
    situation: {
      services,
      request: { bookId, judges: [judge], method: evaluation.method, aspects, runs: 1, maximumCost: null },
      repeated: booksOf(kept, name, 2),
      judged: booksOf(kept, name, 1),
      others: otherJudges(kept, judge),
    },
  }));
}

/** The books that this judge has scored at least this often. */
function booksOf(kept: readonly JudgedBook[], name: string, atLeast: number): ReadonlySet<string> {
  return new Set(
    kept.flatMap(({ bookId, judgements }) => {
      const scored = judgements.filter(({ judge, score }) => judge === name && !Number.isNaN(score));
      return scored.length >= atLeast ? [bookId] : [];
    }),
  );
}

function otherJudges(kept: readonly JudgedBook[], judge: string): Situation["others"] {
  const books = new Map<string, Set<string>>();
  for (const { bookId, making } of kept) {
    if (making.judge !== judge) books.set(making.judge, (books.get(making.judge) ?? new Set()).add(bookId));
  }
  return [...books]
    .map(([name, judged]) => ({ judge: name, judged }))
    .sort((left, right) => right.judged.size - left.judged.size);
}

/** The aspects as the web app would request them; sub-aspects can only be requested on the command line. */
async function topAspects({ settings, aspects }: BookEvaluation): Promise<string[]> {
  const known = topLevel(await loadRubric("long-story")).map(({ id }) => id);
  const asked = settings?.aspects ?? aspects.map(({ id }) => id);
  const own = asked.filter((aspect) => known.includes(aspect));
  return own.length === known.length ? [] : own;
}

/** Calls, tokens and cost of measuring a check, from the planner of whatever measures it. */
async function planCheck(check: TrustCheckName, situation: Situation, client: string): Promise<EvaluationPlan> {
  const { services, request } = situation;
  const { requests, planned } = nextStep(check, situation);
  if (planned) {
    checkJudges(request.judges, services.settings);
    const { store, connections, prices } = services.settings;
    const settings = {
      store,
      connections,
      folder: dirname(planned.files[0]!),
      ...(prices !== undefined && { prices }),
    };
    const input = { ...planned, judge: request.judges[0]!, method: request.method, settings };
    return shownPlan(await runTask("plan-command", input, { client }));
  }
  if (requests.length === 0) {
    throw new FabulaError("E_REQUEST", "This check cannot be planned here: what it needs is not in the library.");
  }
  const plans: EvaluationPlan[] = [];
  // One at a time: each starts a process that counts a book's tokens.
  for (const one of requests) plans.push(await planEvaluation(await checkedRequest(one, services), services, client));
  return addPlans(plans);
}

/** A judge of an evaluation, and which books of the library it and others have judged. */
interface Situation {
  readonly services: Services;
  /** The request that would repeat the evaluation being viewed. */
  readonly request: EvaluationRequest;
  /** Books that this judge judged more than once, and those it judged at all. */
  readonly repeated: ReadonlySet<string>;
  readonly judged: ReadonlySet<string>;
  /** Other judges with the books they judged, the busiest first. */
  readonly others: readonly { readonly judge: string; readonly judged: ReadonlySet<string> }[];
}
