import { useCallback, useRef, useState } from "react";
import type { EvaluationPlan, Job } from "../../../../src/api/jobs.ts";
import type { TrustCheck, TrustPlanRequest } from "../../../../src/api/trust.ts";
import { send } from "../../../api/request.ts";
import { money, shortNumber } from "../../../parts/formats.ts";
import { useAction } from "../../../parts/use-action.ts";
import { ProblemNotice } from "../../../parts/waiting.tsx";
import { to } from "../../../routing.ts";
import { useTexts } from "../../../texts/preferences.tsx";

interface PlanCheckProps {
  readonly evaluation: string;
  /** The panel's. */
  readonly name: string;
  readonly check: TrustCheck;
}

/** One click says what measuring it would ask and cost, without asking anything; where evaluations do it, a second one starts them. */
export function PlanCheck({ evaluation, name, check: { check, requests } }: PlanCheckProps) {
  const texts = useTexts();
  const [found, setFound] = useState<EvaluationPlan | null>(null);
  const started = useRef(0);
  const [isStarted, setStarted] = useState(false);
  const plan = useAction(
    useCallback(async () => {
      const path = `/api/evaluations/${encodeURIComponent(evaluation)}/trust/plans`;
      setFound(await send<EvaluationPlan>("POST", path, { name, check } satisfies TrustPlanRequest));
    }, [evaluation, name, check]),
  );
  const start = useAction(
    useCallback(async () => {
      // What was started before one failed is not started a second time.
      for (const request of requests.slice(started.current)) {
        await send<Job>("POST", "/api/jobs", request);
        started.current += 1;
      }
      setStarted(true);
    }, [requests]),
  );
  return (
    <div className="plan-check">
      <div className="actions">
        <button type="button" disabled={plan.isBusy} onClick={() => void plan.run()}>
          {texts.planIt}
        </button>
        {requests.length > 0 ? (
          <span className="muted">{texts.planOf(requests.length, requests[0]?.runs ?? 1)}</span>
        ) : null}
      </div>
      <div role="status">
        {plan.isBusy ? <progress aria-label={texts.planning} /> : null}
        {found ? <PlanInWords plan={found} /> : null}
      </div>
      {plan.problem ? <ProblemNotice problem={plan.problem} /> : null}
      {found && requests.length > 0 ? (
        <p>
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

/** An unknown price is shown as unknown, never as zero. */
function PlanInWords({ plan }: { readonly plan: EvaluationPlan }) {
  const texts = useTexts();
  const { calls, known, inputTokens, outputTokens, cost, mostCost, obstacles } = plan;
  return (
    <>
      <p>
        <strong>{cost === null ? texts.planCostUnknown : texts.planCost(money(cost))}</strong>
        {" · "}
        {texts.planCalls(calls)}
        {known > 0 ? ` · ${texts.planKnown(known)}` : ""}
      </p>
      <p className="muted">
        {texts.planTokens(shortNumber(inputTokens), shortNumber(outputTokens))}
        {mostCost === null || mostCost === 0 ? "" : ` · ${texts.planMost(money(mostCost))}`}
      </p>
      {obstacles.map((obstacle) => (
        <p key={obstacle} className="muted">
          {obstacle}
        </p>
      ))}
    </>
  );
}
