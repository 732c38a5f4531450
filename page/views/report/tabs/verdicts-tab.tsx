import { useState } from "react";
import type { EvaluationDetails } from "../../../../src/api/evaluations.ts";
import { JudgeLabel } from "../../../parts/judges/judge-label.tsx";
import { VerdictFigure } from "../../../parts/verdict.tsx";
import { useTexts } from "../../../texts/preferences.tsx";
import { AspectTable } from "../aspect-table.tsx";
import { Changes } from "../changes.tsx";
import { Critiques } from "../critiques.tsx";
import { Beside, JurySection } from "../jury-section.tsx";
import { PanelSection } from "../panel-section.tsx";
import { Pictures } from "../pictures.tsx";
import { TrustSummary } from "../trust/trust-summary.tsx";

/** What the judges say, with their ranges. */
export function VerdictsTab({ details }: { readonly details: EvaluationDetails }) {
  const texts = useTexts();
  const { evaluation } = details;
  const headline = evaluation.jury?.jurors.find(({ id }) => id === evaluation.jury?.headline);
  const [aspect, setAspect] = useState("overall");
  return (
    <>
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
              <JudgeLabel judge={headline.id} />: <Beside juror={headline} />
            </p>
          ) : null}
          {evaluation.suspicions?.length ? <p>{texts.mayBeManipulated(evaluation.suspicions.length)}</p> : null}
          {evaluation.masked?.overall.kind === "scored" ? (
            <p>{texts.withoutThem(evaluation.masked.overall.score)}</p>
          ) : null}
          {evaluation.assessment ? <p className="prose">{evaluation.assessment}</p> : null}
        </div>
      </div>
      <TrustSummary id={details.id} />
      {evaluation.jury ? <JurySection jury={evaluation.jury} /> : null}
      <h2>{texts.aspectByAspect}</h2>
      <AspectTable evaluation={evaluation} onCourse={setAspect} />
      <Pictures details={details} aspect={aspect} onAspect={setAspect} />
      {evaluation.panel ? <PanelSection evaluation={evaluation} panel={evaluation.panel} /> : null}
      {evaluation.changes ? <Changes evaluation={evaluation} changes={evaluation.changes} /> : null}
      <Critiques details={details} />
    </>
  );
}
