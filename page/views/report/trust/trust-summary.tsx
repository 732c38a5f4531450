import type { TrustPanel } from "../../../../src/api/trust.ts";
import { useAnswer } from "../../../api/use-answer.ts";
import { JudgeLabel } from "../../../parts/judges/judge-label.tsx";
import { to } from "../../../routing.ts";
import { useTexts } from "../../../texts/preferences.tsx";
import { checkNames, figureOf, labelOf, stateNames } from "./check-names.ts";
import "./trust.css";

/** Beside a verdict: what is known of who gave it, in a line for each judge. */
export function TrustSummary({ id }: { readonly id: string }) {
  const texts = useTexts();
  const { answer } = useAnswer<readonly TrustPanel[]>(`/api/evaluations/${encodeURIComponent(id)}/trust`);
  if (!answer || answer.length === 0) return null;
  return (
    <aside className="panel trust-summary" aria-label={texts.trustHeading}>
      <p>
        <a href={to(["evaluations", id], { tab: "trust" })}>{texts.trustHeading}</a>{" "}
        <span className="muted">{texts.trustSummaryNote}</span>
      </p>
      {answer.map((panel) => (
        <div key={panel.name}>
          {answer.length > 1 ? (
            <h4>
              <JudgeLabel {...labelOf(panel.judge, panel.name)} />
            </h4>
          ) : null}
          <ul>
            {panel.checks
              .filter(({ state }) => state !== "none")
              .map((check) => (
                <li key={check.check} data-state={check.state}>
                  <span>{texts[checkNames[check.check][0]]}</span>{" "}
                  <strong>
                    {texts[stateNames[check.state]]}
                    {check.figure ? ` · ${figureOf(check)}` : ""}
                  </strong>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </aside>
  );
}
