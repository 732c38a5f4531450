import { join } from "node:path";
import type { TrustPanel } from "../../api/trust.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { topLevel } from "../../criteria/rubric.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { cardChecks } from "../../workflows/trust/panel/card-figures.ts";
import { measuredChecks } from "../../workflows/trust/panel/measured-checks.ts";
import { readTrustFiles, TRUST_FOLDER } from "../../workflows/trust/panel/trust-files.ts";
import { type Heard, onePerWay } from "../../workflows/trust/votes/heard.ts";
import { outcomesOf } from "../../workflows/trust/votes/vote-agreement.ts";
import type { Services } from "../services.ts";
import type { EvidenceBench } from "../votes/evidence-bench.ts";
import { withNextStep } from "./next-step.ts";

interface TrustSources extends EvidenceBench {
  readonly services: Services;
}

/** What is known of every judge that spoke in an evaluation, and for what is not, how to measure it. */
export async function trustPanels(id: string, { services, index, votes }: TrustSources): Promise<TrustPanel[]> {
  const { evaluations, settings } = services;
  const { bookId } = evaluations.summary(id);
  const evaluation = await evaluations.evaluation(id);
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
    files: await readTrustFiles(join(settings.library, TRUST_FOLDER)),
  };
  const aspects = await topAspects(evaluation);
  return seatsIn(heard, id).map(({ judge, name }) => ({
    ...{ judge, name },
    checks: measuredChecks(name, judge, records).map((check) =>
      withNextStep(check, {
        services,
        request: { bookId, judges: [judge], method: evaluation.method, aspects, runs: 1, maximumCost: null },
        repeated: titlesOf(kept, name, 2),
        judged: titlesOf(kept, name, 1),
      }),
    ),
  }));
}

function seatsIn(heard: readonly Heard[], id: string): readonly { readonly judge: string; readonly name: string }[] {
  return heard.flatMap(({ seats }) => seats).filter(({ evaluationId }) => evaluationId === id);
}

/** Books that this judge gave at least so many scores. */
function titlesOf(kept: readonly Heard[], name: string, atLeast: number): ReadonlySet<string> {
  return new Set(
    kept.flatMap(({ bookId, judgements }) => {
      const scored = judgements.filter(({ judge, score }) => judge === name && !Number.isNaN(score));
      return scored.length >= atLeast ? [bookId] : [];
    }),
  );
}

/** As the web app would ask for them; parts of aspects are asked for on the command line only. */
async function topAspects({ settings, aspects }: BookEvaluation): Promise<string[]> {
  const known = topLevel(await loadRubric("long-story")).map(({ id }) => id);
  const asked = settings?.aspects ?? aspects.map(({ id }) => id);
  const own = asked.filter((aspect) => known.includes(aspect));
  return own.length === known.length ? [] : own;
}
