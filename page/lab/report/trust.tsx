import type { TrustCheck, TrustCheckName, TrustPanel, TrustState } from "../../../src/api/trust.ts";
import { api, ask } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { Coded } from "../../parts/coded.tsx";
import { money, percent, shortNumber, signed } from "../../parts/formats.ts";
import { JudgeLabel } from "../../parts/judges/judge-label.tsx";
import { ColumnNames, TableScroller } from "../../parts/table.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { to } from "../../routing.ts";
import type { Texts } from "../../texts/english.ts";
import { usePreferences, useTexts } from "../../texts/preferences.tsx";
import "./trust/trust.css";
import { useRef, useState } from "react";
import type { EvaluationPlan } from "../../../src/api/jobs.ts";
import { useAction } from "../../parts/use-action.ts";

export const checkNames = {
  repeatability: ["trustRepeatability", "trustRepeatabilityQuestion"],
  "length-bias": ["trustLength", "trustLengthQuestion"],
  "position-bias": ["trustPosition", "trustPositionQuestion"],
  "self-preference": ["trustSelf", "trustSelfQuestion"],
  contamination: ["trustContamination", "trustContaminationQuestion"],
  stress: ["trustStress", "trustStressQuestion"],
  agreement: ["trustAgreement", "trustAgreementQuestion"],
} as const satisfies Readonly<Record<TrustCheckName, readonly [keyof Texts, keyof Texts]>>;

export const stateNames = {
  sound: "trustSound",
  watch: "trustWatch",
  problem: "trustProblem",
  unknown: "trustUnknown",
  none: "trustNone",
} as const satisfies Readonly<Record<TrustState, keyof Texts>>;

export const sourceNames = {
  library: "trustFromLibrary",
  votes: "trustFromVotes",
  file: "trustFromFile",
  card: "trustFromCard",
} as const;

/** A juror of the jury in the reader's language; a model with its method. */
export function labelOf(judge: string, name: string): { readonly judge: string; readonly name?: string } {
  return judge === name ? { judge } : { judge, name };
}

/** The figure with its interval; a dash where there is none. */
export function figureOf({ figure }: TrustCheck): string {
  if (!figure) return "–";
  const inFigures = (value: number) =>
    figure.isShare ? (value < 0 ? `−${percent(-value)}` : percent(value)) : signed(value, 2).replace("+", "");
  if (!figure.interval) return inFigures(figure.value);
  return `${inFigures(figure.value)} (${figure.interval.map(inFigures).join(" … ")})`;
}

/** Everything that is known of the judges of a report, and how to measure the rest. */
export function TrustTab({ id }: { readonly id: string }) {
  const texts = useTexts();
  const asked = useAnswer(api.evaluations[":id"].trust, { param: { id } });
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
  if (language === "en")
    return (
      <p>
        <Coded text={detail} />
      </p>
    );
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
        <details>
          <summary>{check.canPlan ? texts.orRunThis : texts.runThis}</summary>
          <CommandLine command={check.command} />
        </details>
      ) : null}
    </>
  );
}

/** A command to run elsewhere, with a button that copies it where the browser allows that. */
function CommandLine({ command }: { readonly command: string }) {
  const texts = useTexts();
  const [isCopied, setCopied] = useState(false);
  // Browsers offer it on this machine and over TLS only.
  const { clipboard } = navigator as { readonly clipboard?: Clipboard };
  return (
    <div className="command-to-copy">
      <pre className="command-line">{command}</pre>
      {clipboard ? (
        <button
          type="button"
          className="quiet"
          onClick={() =>
            void clipboard.writeText(command).then(
              () => setCopied(true),
              () => setCopied(false),
            )
          }
        >
          {isCopied ? texts.copied : texts.copyCommand}
        </button>
      ) : null}
    </div>
  );
}

interface PlanCheckProps {
  readonly evaluation: string;
  /** The panel's. */
  readonly name: string;
  readonly check: TrustCheck;
}

/** One click says what measuring it would ask and cost, without asking anything; where evaluations do it, a second one starts them. */
function PlanCheck({ evaluation, name, check: { check, requests } }: PlanCheckProps) {
  const texts = useTexts();
  const [found, setFound] = useState<EvaluationPlan | null>(null);
  const started = useRef(0);
  const [isStarted, setStarted] = useState(false);
  const plan = useAction(async () => {
    setFound(await ask(api.evaluations[":id"].trust.plans.$post, { param: { id: evaluation }, json: { name, check } }));
  });
  const start = useAction(async () => {
    // What was started before one failed is not started a second time.
    for (const request of requests.slice(started.current)) {
      await ask(api.jobs.$post, { json: request });
      started.current += 1;
    }
    setStarted(true);
  });
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
      <ProblemNotice problem={plan.problem} />
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
      <ProblemNotice problem={start.problem} />
    </div>
  );
}

/** An unknown price is shown as unknown, never as zero. */
function PlanInWords({ plan }: { readonly plan: EvaluationPlan }) {
  const { texts, language } = usePreferences();
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
        {texts.planTokens(shortNumber(inputTokens, language), shortNumber(outputTokens, language))}
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
