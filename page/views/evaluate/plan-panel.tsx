import { useEffect, useState } from "react";
import type { EvaluationPlan, EvaluationRequest } from "../../../src/api/jobs.ts";
import { money, shortNumber } from "../../parts/formats.ts";
import { isEmbedded } from "../../parts/judges/judge-name.ts";
import type { Texts } from "../../texts/english.ts";
import { useTexts } from "../../texts/preferences.tsx";

/** What would be asked and paid, before anything is. */
export function PlanPanel({
  plan,
  isPlanning,
  request,
}: {
  readonly plan: EvaluationPlan | null;
  readonly isPlanning: boolean;
  readonly request: EvaluationRequest;
}) {
  const texts = useTexts();
  return (
    <div role="status" className="plan-figures">
      <h2>{texts.plan}</h2>
      {isPlanning ? <Planning /> : null}
      {plan ? (
        <>
          {plan.obstacles.map((obstacle) => (
            <p key={obstacle}>{obstacle}</p>
          ))}
          {plan.calls === 0 && plan.known === 0 ? (
            plan.obstacles.length === 0 && <p>{texts.planFree}</p>
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
          <ul className="muted">
            {planNotes(plan, request, texts).map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  );
}

/** Counting the tokens of a long novel takes a while: it shows that it goes on, and for how long it has. */
function Planning() {
  const texts = useTexts();
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <p className="muted">
        {texts.planning} {seconds > 1 ? texts.planningSeconds(seconds) : ""}
      </p>
      <progress aria-label={texts.planning} />
    </>
  );
}

function planNotes({ mostCost }: EvaluationPlan, { judges, maximumCost }: EvaluationRequest, texts: Texts): string[] {
  if (judges.some(isEmbedded)) return [texts.planEmbedded];
  if (mostCost === null) return [texts.planPriceUnknown];
  return [
    texts.planMost(money(mostCost)),
    ...(maximumCost !== null && mostCost > maximumCost ? [texts.planLimit(money(maximumCost))] : []),
  ];
}
