import { join } from "node:path";
import type { EvaluationPlan } from "../../api/jobs.ts";
import type { TrustPanel, TrustPlanRequest } from "../../api/trust.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { topLevel } from "../../criteria/rubric.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { cardChecks } from "../../workflows/trust/panel/card-figures.ts";
import { measuredChecks } from "../../workflows/trust/panel/measured-checks.ts";
import { readTrustFiles, TRUST_FOLDER } from "../../workflows/trust/panel/trust-files.ts";
import { type Heard, onePerWay } from "../../workflows/trust/votes/heard.ts";
import { outcomesOf } from "../../workflows/trust/votes/vote-agreement.ts";
import { notFound } from "../ids.ts";
import type { Services } from "../services.ts";
import type { EvidenceBench } from "../votes/evidence-bench.ts";
import { withNextStep } from "./next-step.ts";
import { planCheck } from "./plan-check.ts";
import type { Situation } from "./situation.ts";

interface TrustSources extends EvidenceBench {
  readonly services: Services;
}

/** What is known of every judge that spoke in an evaluation, and for what is not, how to measure it. */
export async function trustPanels(id: string, sources: TrustSources): Promise<TrustPanel[]> {
  const { services, index, votes } = sources;
  const evaluation = await services.evaluations.evaluation(id);
  if (evaluation.jury) {
    return Promise.all(
      evaluation.jury.jurors.map(async ({ id }) => ({ judge: id, name: id, checks: await cardChecks(id) })),
    );
  }
  const { heard } = await index.current();
  const kept = onePerWay(heard);
  const records = {
    judgements: kept.flatMap(({ judgements }) => judgements),
    votes: outcomesOf(await votes.list()).map(({ name, outcome }) => ({ judge: name, outcome })),
    files: await readTrustFiles(join(services.settings.library, TRUST_FOLDER)),
  };
  const situations = await situationsIn(id, evaluation, heard, services);
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
  const { heard } = await index.current();
  const situations = await situationsIn(id, await services.evaluations.evaluation(id), heard, services);
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
  heard: readonly Heard[],
  services: Services,
): Promise<JudgeInPlace[]> {
  const kept = onePerWay(heard);
  const { bookId } = services.evaluations.summary(id);
  const aspects = await topAspects(evaluation);
  const seats = heard.flatMap((one) => one.seats).filter(({ evaluationId }) => evaluationId === id);
  return seats.map(({ judge, name }) => ({
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

/** Books that this judge gave at least so many scores. */
function booksOf(kept: readonly Heard[], name: string, atLeast: number): ReadonlySet<string> {
  return new Set(
    kept.flatMap(({ bookId, judgements }) => {
      const scored = judgements.filter(({ judge, score }) => judge === name && !Number.isNaN(score));
      return scored.length >= atLeast ? [bookId] : [];
    }),
  );
}

function otherJudges(kept: readonly Heard[], judge: string): Situation["others"] {
  const books = new Map<string, Set<string>>();
  for (const { bookId, making } of kept) {
    if (making.judge !== judge) books.set(making.judge, (books.get(making.judge) ?? new Set()).add(bookId));
  }
  return [...books]
    .map(([name, judged]) => ({ judge: name, judged }))
    .sort((left, right) => right.judged.size - left.judged.size);
}

/** As the web app would ask for them; parts of aspects are asked for on the command line only. */
async function topAspects({ settings, aspects }: BookEvaluation): Promise<string[]> {
  const known = topLevel(await loadRubric("long-story")).map(({ id }) => id);
  const asked = settings?.aspects ?? aspects.map(({ id }) => id);
  const own = asked.filter((aspect) => known.includes(aspect));
  return own.length === known.length ? [] : own;
}
