import { dirname } from "node:path";
import type { EvaluationPlan } from "../../api/jobs.ts";
import type { TrustCheckName } from "../../api/trust.ts";
import { FabulaError } from "../../core/errors.ts";
import { checkedRequest } from "../jobs/checked-request.ts";
import { addPlans, planEvaluation, shownPlan } from "../jobs/plan-evaluation.ts";
import { checkJudges } from "../judges.ts";
import { runTask } from "../threads/run-task.ts";
import { nextStep } from "./next-step.ts";
import type { Situation } from "./situation.ts";

/** Calls, tokens and cost of measuring a check, from the planner of whatever measures it. */
export async function planCheck(check: TrustCheckName, situation: Situation, client: string): Promise<EvaluationPlan> {
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
  // One after the other: each is a process that counts the tokens of a book.
  for (const one of requests) plans.push(await planEvaluation(await checkedRequest(one, services), services, client));
  return addPlans(plans);
}
