import type { EvaluationPlan, EvaluationRequest } from "../../api/jobs.ts";
import type { Plan } from "../../runner/planning.ts";
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
  obstacles: [],
};

/** What an evaluation would ask and cost; nothing is sent. */
export async function planEvaluation(
  request: EvaluationRequest,
  { books, settings }: Services,
  client: string,
): Promise<EvaluationPlan> {
  const folder = books.folderOf(request.bookId);
  const own = runSettingsFor(request, null, { settings, folder, card: books.card(request.bookId) });
  return shownPlan(await runTask("plan-book", { folder, request, settings: own }, { client }));
}

export function shownPlan(plan: Plan | null): EvaluationPlan {
  if (!plan) return FREE;
  const { calls, cached, inputTokens, outputTokens, expectedCost, maximumCost, obstacles } = plan;
  return { calls, known: cached, inputTokens, outputTokens, cost: expectedCost, mostCost: maximumCost, obstacles };
}

/** Several as one. What has no known price makes the price of all of them unknown. */
export function addPlans(plans: readonly EvaluationPlan[]): EvaluationPlan {
  const either = (one: number | null, other: number | null) => (one === null || other === null ? null : one + other);
  return plans.reduce(
    (sum, plan) => ({
      calls: sum.calls + plan.calls,
      known: sum.known + plan.known,
      inputTokens: sum.inputTokens + plan.inputTokens,
      outputTokens: sum.outputTokens + plan.outputTokens,
      cost: either(sum.cost, plan.cost),
      mostCost: either(sum.mostCost, plan.mostCost),
      obstacles: [...new Set([...sum.obstacles, ...plan.obstacles])],
    }),
    FREE,
  );
}
