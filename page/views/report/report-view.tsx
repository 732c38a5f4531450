import { useCallback, useState } from "react";
import type { EvaluationDetails } from "../../../src/api/evaluations.ts";
import { send } from "../../api/request.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { ConfirmButton } from "../../parts/confirm-button.tsx";
import { Facts } from "../../parts/facts.tsx";
import { moment, spending, wordsSeen } from "../../parts/formats.ts";
import { judgeName } from "../../parts/judge-name.ts";
import { useAction } from "../../parts/use-action.ts";
import { VerdictFigure } from "../../parts/verdict.tsx";
import { View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { goTo, to, type ViewProps } from "../../routing.ts";
import { usePreferences, useTexts } from "../../texts/preferences.tsx";
import { AspectTable } from "./aspect-table.tsx";
import { Changes } from "./changes.tsx";
import { Critiques } from "./critiques.tsx";
import { ExportMenu } from "./export-menu.tsx";
import { Beside, JurySection } from "./jury-section.tsx";
import { PanelSection } from "./panel-section.tsx";
import { Pictures } from "./pictures.tsx";
import { ReportNotes } from "./report-notes.tsx";
import "./report.css";

export default function ReportView({ route }: ViewProps) {
  const texts = useTexts();
  const id = route.path[1] ?? "";
  const path = `/api/evaluations/${encodeURIComponent(id)}`;
  const asked = useAnswer<EvaluationDetails>(path);
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
            <a className="button" href={to(["books", details.bookId, "read"], { heat: "edits", from: id })}>
              {texts.readWithHeat}
            </a>
          </>
        ) : null
      }
    >
      <Waiting asked={asked}>{(known) => <Report details={known} path={path} />}</Waiting>
    </View>
  );
}

function Report({ details, path }: { readonly details: EvaluationDetails; readonly path: string }) {
  const { texts, language } = usePreferences();
  const { evaluation } = details;
  const headline = evaluation.jury?.jurors.find(({ id }) => id === evaluation.jury?.headline);
  const [aspect, setAspect] = useState("overall");
  const removal = useAction(
    useCallback(async () => {
      await send("DELETE", path);
      goTo(to(["books", details.bookId]));
    }, [path, details.bookId]),
  );
  return (
    <>
      <div className="report-facts">
        <Facts
          facts={[
            [texts.judge, judgeName(evaluation.judge, texts)],
            [texts.method, evaluation.runs > 1 ? `${evaluation.method} × ${evaluation.runs}` : evaluation.method],
            [texts.coverage, wordsSeen(evaluation.coverage, texts)],
            [texts.calls, evaluation.calls],
            [texts.cost, spending(evaluation, texts)],
            [texts.date, moment(details.createdAt, language)],
          ]}
        />
      </div>
      <div className="report-head">
        <VerdictFigure
          verdict={evaluation.overall}
          scale={evaluation.scale}
          percentile={evaluation.overallPercentile}
          population={evaluation.population?.size ?? null}
        />
        <div>
          {headline ? (
            <p>
              {judgeName(headline.id, texts)}: <Beside juror={headline} />
            </p>
          ) : null}
          {evaluation.book.author ? <p className="byline">{texts.by(evaluation.book.author)}</p> : null}
          <p className="muted">
            {texts.words(evaluation.book.words)} · {texts.chapters(evaluation.book.chapters.length)}
          </p>
          {evaluation.assessment ? <p className="prose">{evaluation.assessment}</p> : null}
          <ExportMenu path={path} />
        </div>
      </div>
      {evaluation.jury ? <JurySection jury={evaluation.jury} /> : null}
      <h2>{texts.aspectByAspect}</h2>
      <AspectTable evaluation={evaluation} onCourse={setAspect} />
      <Pictures details={details} aspect={aspect} onAspect={setAspect} />
      {evaluation.panel ? <PanelSection evaluation={evaluation} panel={evaluation.panel} /> : null}
      {evaluation.changes ? <Changes evaluation={evaluation} changes={evaluation.changes} /> : null}
      <Critiques details={details} />
      <ReportNotes details={details} />
      {removal.problem ? <ProblemNotice problem={removal.problem} /> : null}
      <div className="end-actions">
        <ConfirmButton question={texts.deleteEvaluationQuestion} onConfirm={() => void removal.run()}>
          {texts.deleteEvaluation}
        </ConfirmButton>
      </div>
    </>
  );
}
