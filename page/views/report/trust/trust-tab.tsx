import type { TrustCheck, TrustPanel } from "../../../../src/api/trust.ts";
import { useAnswer } from "../../../api/use-answer.ts";
import { ColumnNames } from "../../../parts/column-names.tsx";
import { JudgeLabel } from "../../../parts/judges/judge-label.tsx";
import { TableScroller } from "../../../parts/table-scroller.tsx";
import { Waiting } from "../../../parts/waiting.tsx";
import { to } from "../../../routing.ts";
import { usePreferences, useTexts } from "../../../texts/preferences.tsx";
import { checkNames, figureOf, labelOf, sourceNames, stateNames } from "./check-names.ts";
import { CommandLine } from "./command-line.tsx";
import { PlanCheck } from "./plan-check.tsx";
import "./trust.css";

/** Everything that is known of the judges of a report, and how to measure the rest. */
export function TrustTab({ id }: { readonly id: string }) {
  const texts = useTexts();
  const asked = useAnswer<readonly TrustPanel[]>(`/api/evaluations/${encodeURIComponent(id)}/trust`);
  return (
    <>
      <h2>{texts.trustHeading}</h2>
      <p className="muted">{texts.trustIntroduction}</p>
      <Waiting asked={asked}>
        {(panels) => panels.map((panel) => <OneJudge key={panel.name} evaluation={id} panel={panel} />)}
      </Waiting>
    </>
  );
}

interface OneJudgeProps {
  readonly evaluation: string;
  readonly panel: TrustPanel;
}

function OneJudge({ evaluation, panel: { judge, name, checks } }: OneJudgeProps) {
  const texts = useTexts();
  return (
    <section className="one-judge" aria-label={name}>
      <h3>
        <JudgeLabel {...labelOf(judge, name)} />
      </h3>
      <TableScroller label={name}>
        <table className="trust-checks">
          <ColumnNames names={[texts.trustCheck, texts.status, texts.trustFigure, texts.whatWasFound]} />
          <tbody>
            {checks.map((check) => (
              <CheckRow key={check.check} {...{ evaluation, name, check }} />
            ))}
          </tbody>
        </table>
      </TableScroller>
    </section>
  );
}

interface CheckProps {
  readonly evaluation: string;
  /** The panel's. */
  readonly name: string;
  readonly check: TrustCheck;
}

function CheckRow({ evaluation, name, check }: CheckProps) {
  const texts = useTexts();
  const [title, question] = checkNames[check.check];
  const isCardAgreement = check.check === "agreement" && check.source === "card";
  return (
    <tr data-state={check.state}>
      <th scope="row">
        {texts[title]}
        <p className="hint">{isCardAgreement ? texts.trustAgreementCard : texts[question]}</p>
      </th>
      <td>
        <span className="tag trust-state">{texts[stateNames[check.state]]}</span>
      </td>
      <td className="number">
        {figureOf(check)}
        {check.n > 0 ? <p className="hint">{texts.trustN(check.n)}</p> : null}
      </td>
      <td>
        {check.source ? <p className="muted">{texts[sourceNames[check.source]]}</p> : null}
        <Detail detail={check.detail} />
        {check.state === "unknown" ? <NextStep {...{ evaluation, name, check }} /> : null}
      </td>
    </tr>
  );
}

/** The server's sentence; in another language within reach, as it was said. */
function Detail({ detail }: { readonly detail: string }) {
  const { texts, language } = usePreferences();
  if (language === "en") return <p>{detail}</p>;
  return (
    <details>
      <summary>{texts.originalWords}</summary>
      <p lang="en">{detail}</p>
    </details>
  );
}

function NextStep({ evaluation, name, check }: CheckProps) {
  const texts = useTexts();
  return (
    <>
      {check.check === "agreement" ? (
        <p>
          <a className="button" href={to(["disagreements"])}>
            {texts.voteNow}
          </a>
        </p>
      ) : null}
      {check.canPlan ? <PlanCheck {...{ evaluation, name, check }} /> : null}
      {check.command ? (
        <>
          <p>{check.requests.length > 0 ? texts.orRunThis : texts.runThis}</p>
          <CommandLine command={check.command} />
        </>
      ) : null}
    </>
  );
}
