import type { EvaluationPlan, EvaluationRequest } from "../../api/jobs.ts";
import { isCloudProvider } from "../../models/adapters/clouds.ts";
import { judgeNameOf } from "../../models/judge-name.ts";
import { isNamedProvider, PROVIDERS } from "../../models/providers.ts";
import type { Plan } from "../../runner/planning.ts";
import { sum } from "../../stats/distribution.ts";
import type { Store } from "../../store/store.ts";
import type { Services } from "../services.ts";
import { runTask } from "../threads/run-task.ts";
import { runSettingsFor } from "./run-settings.ts";

/** An embedded judge makes no calls: its cost is known to be zero. */
const FREE: EvaluationPlan = {
  calls: 0,
  known: 0,
  inputTokens: 0,
  outputTokens: 0,
  cost: 0,
  mostCost: 0,
  seconds: 0,
  obstacles: [],
};

/** Reply tokens a second, the time to read the request included: what hosted models write on an ordinary day. */
const USUAL_SPEED = 50;
/** Fewer measured reply tokens say little about a judge's speed. */
const FEWEST_TOKENS = 500;
const MEASURED_RUNS = 3;
const MEASURED_CALLS = 100;

/** What an evaluation would ask and cost; nothing is sent. */
export async function planEvaluation(
  request: EvaluationRequest,
  services: Services,
  client: string,
): Promise<EvaluationPlan> {
  const { books, settings } = services;
  const folder = books.folderOf(request.bookId);
  const own = runSettingsFor(request, null, { settings, folder, card: books.card(request.bookId) });
  const plan = await runTask("plan-book", { folder, request, settings: { ...own, timed: true } }, { client });
  const shown = shownPlan(plan);
  const tokens = plan?.sequentialTokens;
  if (tokens === undefined) return shown;
  const speeds = await Promise.all(request.judges.map(async (judge) => speedOf(judge, await services.store())));
  // Judges of a panel wait for the slowest.
  const slowest = speeds.reduce((one, other) => (one === null || other === null ? null : Math.min(one, other)));
  return { ...shown, seconds: tokens === 0 ? 0 : slowest && tokens / slowest };
}

/** Reply tokens a second of this judge in its last runs; where it has none, what is usual for hosted models, and null for others. */
async function speedOf(judge: string, store: Store): Promise<number | null> {
  const runs = await store.listRuns({ model: judge }, { limit: MEASURED_RUNS, after: null });
  const filter = { model: judge, outcome: "asked" } as const;
  const calls = (
    await Promise.all(runs.map(({ id }) => store.runCalls(id, { limit: MEASURED_CALLS, after: null }, filter)))
  ).flatMap((page) => page.flatMap(({ answer }) => answer ?? []));
  const tokens = sum(calls.map(({ outputTokens }) => outputTokens));
  const milliseconds = sum(calls.map(({ latencyMilliseconds }) => latencyMilliseconds));
  if (tokens >= FEWEST_TOKENS && milliseconds > 0) return (1000 * tokens) / milliseconds;
  const provider = judgeNameOf(judge)?.provider ?? "";
  const isHosted = isNamedProvider(provider) ? PROVIDERS[provider].needsKey : isCloudProvider(provider);
  return isHosted ? USUAL_SPEED : null;
}

export function shownPlan(plan: Plan | null): EvaluationPlan {
  if (!plan) return FREE;
  const { calls, cached, inputTokens, outputTokens, expectedCost, maximumCost, obstacles } = plan;
  return {
    calls,
    known: cached,
    inputTokens,
    outputTokens,
    cost: expectedCost,
    mostCost: maximumCost,
    seconds: null,
    obstacles,
  };
}

/** Adds up several plans; one unknown price makes the sum unknown. */
export function addPlans(plans: readonly EvaluationPlan[]): EvaluationPlan {
  const either = (one: number | null, other: number | null) => (one === null || other === null ? null : one + other);
  return plans.reduce(
    (all, plan) => ({
      calls: all.calls + plan.calls,
      known: all.known + plan.known,
      inputTokens: all.inputTokens + plan.inputTokens,
      outputTokens: all.outputTokens + plan.outputTokens,
      cost: either(all.cost, plan.cost),
      mostCost: either(all.mostCost, plan.mostCost),
      seconds: either(all.seconds, plan.seconds),
      obstacles: [...new Set([...all.obstacles, ...plan.obstacles])],
    }),
    FREE,
  );
}
