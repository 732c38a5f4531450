import { useCallback, useState } from "react";
import type { EvaluationPlan, EvaluationRequest, Job } from "../../../../src/api/jobs.ts";
import { send } from "../../../api/request.ts";
import { money } from "../../../parts/formats.ts";
import { useAction } from "../../../parts/use-action.ts";
import { ProblemNotice } from "../../../parts/waiting.tsx";
import { to } from "../../../routing.ts";
import { useTexts } from "../../../texts/preferences.tsx";

interface Total {
  readonly calls: number;
  readonly known: number;
  /** Null when a price is not known. */
  readonly cost: number | null;
}

/** What measuring it would ask and cost, without asking anything; then, if wanted, the start. */
export function PlanCheck({ requests }: { readonly requests: readonly EvaluationRequest[] }) {
  const texts = useTexts();
  const [total, setTotal] = useState<Total | null>(null);
  const [isStarted, setStarted] = useState(false);
  const plan = useAction(useCallback(async () => setTotal(await planned(requests)), [requests]));
  const start = useAction(
    useCallback(async () => {
      for (const request of requests) await send<Job>("POST", "/api/jobs", request);
      setStarted(true);
    }, [requests]),
  );
  return (
    <div className="plan-check">
      <div className="actions">
        <button type="button" disabled={plan.isBusy} onClick={() => void plan.run()}>
          {texts.planIt}
        </button>
        <span className="muted">{texts.planOf(requests.length, requests[0]?.runs ?? 1)}</span>
      </div>
      {plan.problem ? <ProblemNotice problem={plan.problem} /> : null}
      {total ? (
        <p role="status">
          {texts.planResult(total.calls, total.known, total.cost === null ? texts.unknown : money(total.cost))}{" "}
          {isStarted ? (
            <a href={to(["runs"])}>{texts.startedIt}</a>
          ) : (
            <button type="button" className="primary" disabled={start.isBusy} onClick={() => void start.run()}>
              {texts.startIt}
            </button>
          )}
        </p>
      ) : null}
      {start.problem ? <ProblemNotice problem={start.problem} /> : null}
    </div>
  );
}

async function planned(requests: readonly EvaluationRequest[]): Promise<Total> {
  let total: Total = { calls: 0, known: 0, cost: 0 };
  for (const request of requests) {
    const { calls, known, cost } = await send<EvaluationPlan>("POST", "/api/plans", request);
    total = {
      calls: total.calls + calls,
      known: total.known + known,
      cost: total.cost === null || cost === null ? null : total.cost + cost,
    };
  }
  return total;
}
