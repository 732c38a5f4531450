import type { EvaluationDetails } from "../../../src/api/evaluations.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { Facts } from "../../parts/facts.tsx";
import { moment, spending, wordsSeen } from "../../parts/formats.ts";
import { JudgeLabel } from "../../parts/judges/judge-label.tsx";
import { View } from "../../parts/view.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { to, type ViewProps } from "../../routing.ts";
import { useNames, usePreferences } from "../../texts/preferences.tsx";
import { ExportMenu } from "./export-menu.tsx";
import { ReportTabs, TABS, type Tab } from "./report-tabs.tsx";
import { AboutTab } from "./tabs/about-tab.tsx";
import { LetterTab } from "./tabs/letter-tab.tsx";
import { MapTab } from "./tabs/map-tab.tsx";
import { NotesTab } from "./tabs/notes-tab.tsx";
import { ReadersTab } from "./tabs/readers-tab.tsx";
import { VerdictsTab } from "./tabs/verdicts-tab.tsx";
import { TrustTab } from "./trust/trust-tab.tsx";
import "./report.css";

export default function ReportView({ route }: ViewProps) {
  const { texts, language } = usePreferences();
  const id = route.path[1] ?? "";
  const path = `/api/evaluations/${encodeURIComponent(id)}`;
  const asked = useAnswer<EvaluationDetails>(`${path}?language=${language}`);
  const details = asked.answer;
  return (
    <View
      title={details?.evaluation.book.title ?? texts.report}
      kicker={details ? <a href={to(["books", details.bookId])}>{texts.book}</a> : <a href={to([])}>{texts.library}</a>}
      className="report"
      actions={
        details ? (
          <>
            <a className="button" href={to(["compare"], { left: id })}>
              {texts.compareThis}
            </a>
            <a className="button" href={to(["books", details.bookId, "read"], { notes: "open", from: id })}>
              {texts.readNotes}
            </a>
          </>
        ) : null
      }
    >
      <Waiting asked={asked}>{(known) => <Report details={known} path={path} tab={route.query.get("tab")} />}</Waiting>
    </View>
  );
}

function Report({
  details,
  path,
  tab,
}: {
  readonly details: EvaluationDetails;
  readonly path: string;
  readonly tab: string | null;
}) {
  const { texts, language } = usePreferences();
  const { evaluation } = details;
  const method = useNames().method(evaluation.method);
  // What language models said before there were letters begins with their verdicts.
  const tabs = evaluation.letter ? TABS : TABS.filter((each) => each !== "letter");
  const first = evaluation.letter ? "letter" : "verdicts";
  const current = tabs.find((each) => each === tab) ?? first;
  return (
    <>
      <div className="report-facts">
        <Facts
          facts={[
            [texts.judge, <JudgeLabel key="judge" judge={evaluation.judge} />],
            [texts.method, evaluation.runs > 1 ? `${method} × ${evaluation.runs}` : method],
            [texts.coverage, wordsSeen(evaluation.coverage, texts)],
            [texts.calls, evaluation.calls],
            [texts.cost, spending(evaluation, texts)],
            [texts.date, moment(details.createdAt, language)],
          ]}
        />
      </div>
      <p className="muted">
        {evaluation.book.author ? `${texts.by(evaluation.book.author)} · ` : ""}
        {texts.words(evaluation.book.words)} · {texts.chapters(evaluation.book.chapters.length)}
      </p>
      <ExportMenu path={path} />
      <ReportTabs id={details.id} tabs={tabs} current={current} />
      <TabContent tab={current} details={details} path={path} />
    </>
  );
}

function TabContent({
  tab,
  details,
  path,
}: {
  readonly tab: Tab;
  readonly details: EvaluationDetails;
  readonly path: string;
}) {
  switch (tab) {
    case "letter":
      return details.evaluation.letter ? <LetterTab details={details} letter={details.evaluation.letter} /> : null;
    case "map":
      return <MapTab bookId={details.bookId} title={details.title} report={details.id} />;
    case "notes":
      return <NotesTab details={details} />;
    case "verdicts":
      return <VerdictsTab details={details} />;
    case "trust":
      return <TrustTab id={details.id} />;
    case "readers":
      return <ReadersTab details={details} />;
    case "about":
      return <AboutTab details={details} path={path} />;
    default:
      return tab satisfies never;
  }
}
