import type { TrustCheck, TrustPanel } from "../../../../src/api/trust.ts";
import { useAnswer } from "../../../api/use-answer.ts";
import { ColumnNames } from "../../../parts/column-names.tsx";
import { TableScroller } from "../../../parts/table-scroller.tsx";
import { Waiting } from "../../../parts/waiting.tsx";
import { to } from "../../../routing.ts";
import { usePreferences, useTexts } from "../../../texts/preferences.tsx";
import { checkNames, figureOf, sourceNames, stateNames } from "./check-names.ts";
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
      <Waiting asked={asked}>{(panels) => panels.map((panel) => <OneJudge key={panel.name} panel={panel} />)}</Waiting>
    </>
  );
}

function OneJudge({ panel: { name, checks } }: { readonly panel: TrustPanel }) {
  const texts = useTexts();
  return (
    <section className="one-judge" aria-label={name}>
      <h3>{name}</h3>
      <TableScroller label={name}>
        <table className="trust-checks">
          <ColumnNames names={[texts.trustCheck, texts.status, texts.trustFigure, texts.whatWasFound]} />
          <tbody>
            {checks.map((check) => (
              <CheckRow key={check.check} check={check} />
            ))}
          </tbody>
        </table>
      </TableScroller>
    </section>
  );
}

function CheckRow({ check }: { readonly check: TrustCheck }) {
  const texts = useTexts();
  const [name, question] = checkNames[check.check];
  const isCardAgreement = check.check === "agreement" && check.source === "card";
  return (
    <tr data-state={check.state}>
      <th scope="row">
        {texts[name]}
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
        {check.state === "unknown" ? <NextStep check={check} /> : null}
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

function NextStep({ check }: { readonly check: TrustCheck }) {
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
      {check.command ? (
        <>
          <p>{texts.runThis}</p>
          <pre className="command-line">{check.command}</pre>
        </>
      ) : null}
      {check.requests.length > 0 ? (
        <PlanCheck requests={check.requests} />
      ) : check.command?.includes("--judge") ? (
        <p className="hint">{texts.costThis}</p>
      ) : null}
    </>
  );
}
