import type { EvaluationPlan } from "../../../api/jobs.ts";
import { money, shortNumber } from "../../parts/formats.ts";
import { useTexts } from "../../texts/preferences.tsx";

/** What would be asked and paid, before anything is. */
export function PlanPanel({
  plan,
  isPlanning,
}: {
  readonly plan: EvaluationPlan | null;
  readonly isPlanning: boolean;
}) {
  const texts = useTexts();
  return (
    <div role="status" className="plan-figures">
      <h2>{texts.plan}</h2>
      {isPlanning ? <p className="muted">{texts.planning}</p> : null}
      {plan ? (
        <>
          {plan.calls === 0 && plan.known === 0 ? (
            <p>{texts.planFree}</p>
          ) : (
            <>
              <p className="plan-cost">
                {plan.cost === null ? texts.planCostUnknown : texts.planCost(money(plan.cost))}
              </p>
              <p>
                {texts.planCalls(plan.calls)}
                {plan.known > 0 ? ` · ${texts.planKnown(plan.known)}` : ""}
              </p>
              <p className="muted">{texts.planTokens(shortNumber(plan.inputTokens), shortNumber(plan.outputTokens))}</p>
            </>
          )}
          {plan.notes.length > 0 ? (
            <ul className="muted">
              {plan.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          ) : null}
        </>
      ) : null}
    </div>
  );
}
