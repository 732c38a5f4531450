import type {
  AspectResult,
  BookEvaluation,
  DraftChanges,
  EvaluationDetails,
  LetterView,
  Panel,
  QuotationView,
} from "../../../src/api/evaluations.ts";
import type { TrustCheck } from "../../../src/api/trust.ts";
import { api } from "../../api/client.ts";
import { Block } from "../../parts/letter-blocks.tsx";
import { to } from "../../routing.ts";
import "./tabs/letter.css";
import { useMemo, useState } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { ChangeTable, type NamedChange } from "../../parts/change-table.tsx";
import { JudgeLabel } from "../../parts/judges/judge-label.tsx";
import { IntervalInWords, ScaleBar, VerdictFigure, VerdictInWords } from "../../parts/verdict.tsx";
import { useNames, useReason, useTexts } from "../../texts/preferences.tsx";
import { Critiques } from "./critiques.tsx";
import { Beside, JurySection } from "./jury-section.tsx";
import { checkNames, figureOf, labelOf, stateNames } from "./trust.tsx";
import "./trust/trust.css";
import { Choice } from "../../parts/field.tsx";
import { chapterInWords, intervalOf, scoreInFigures } from "../../parts/formats.ts";
import { type Column, Table, TableScroller } from "../../parts/table.tsx";
import { CoursePlot } from "../../plots/course-plot.tsx";
import { DistributionPlot } from "../../plots/distribution-plot.tsx";

/** The edit letter, as every report lays it out: the blocks come from the server, the links to the passages are ours. */
export function LetterTab({ details, letter }: { readonly details: EvaluationDetails; readonly letter: LetterView }) {
  const book = {
    language: details.evaluation.book.language,
    address: ({ chapter, start, end }: QuotationView) =>
      to(["books", details.bookId, "read"], { chapter, start, end, notes: "open", from: details.id }),
  };
  return (
    <div className="letter" lang={letter.language === "zh" ? "zh-CN" : "en"}>
      {letter.blocks.map((block, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no names, and the letter never changes.
        <Block key={position} block={block} book={book} />
      ))}
    </div>
  );
}

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

/** How this draft differs from the earlier one, and whether that is more than the judge's own noise. */
export function Changes({
  evaluation,
  changes,
}: {
  readonly evaluation: BookEvaluation;
  readonly changes: DraftChanges;
}) {
  const texts = useTexts();
  const names = useNames();
  const whole: NamedChange[] = [
    [texts.overall, changes.overall],
    ...evaluation.aspects.flatMap((aspect): NamedChange[] => {
      const change = changes.aspects[aspect.id];
      return change ? [[names.aspect(aspect.id, aspect.name), change]] : [];
    }),
  ];
  const parts = changes.segments.map(({ title, overall }): NamedChange => [title, overall]);
  return (
    <section>
      <h2>{texts.changes}</h2>
      <p>{texts.changesCounted(parts.length, changes.unchanged, changes.removed)}</p>
      <ChangeTable label={texts.changes} first={texts.aspect} rows={whole} />
      {parts.length > 0 ? (
        <>
          <h3>{texts.changedParts}</h3>
          <ChangeTable label={texts.changedParts} first={texts.changedPart} rows={parts} />
        </>
      ) : null}
    </section>
  );
}

/** Beside a verdict: what is known of who gave it, in a line for each judge. */
function TrustSummary({ id }: { readonly id: string }) {
  const texts = useTexts();
  const { answer } = useAnswer(api.evaluations[":id"].trust, { param: { id } });
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
          <Checks checks={panel.checks} />
        </div>
      ))}
    </aside>
  );
}

/** What was measured, each with its figure; what was not, in one line. */
function Checks({ checks }: { readonly checks: readonly TrustCheck[] }) {
  const texts = useTexts();
  const nameOf = ({ check }: TrustCheck) => texts[checkNames[check][0]];
  const measured = checks.filter(({ state }) => state !== "none" && state !== "unknown");
  const unknown = checks.filter(({ state }) => state === "unknown");
  return (
    <>
      {measured.length > 0 ? (
        <ul>
          {measured.map((check) => (
            <li key={check.check} data-state={check.state}>
              <span>{nameOf(check)}</span>{" "}
              <strong>
                {texts[stateNames[check.state]]}
                {check.figure ? ` · ${figureOf(check)}` : ""}
              </strong>
            </li>
          ))}
        </ul>
      ) : null}
      {unknown.length > 0 ? <p className="muted">{texts.trustNotMeasured(unknown.map(nameOf).join(" · "))}</p> : null}
    </>
  );
}

/** What each judge of a panel said, side by side: aspects are more than judges, and read better downwards. */
export function PanelSection({ evaluation, panel }: { readonly evaluation: BookEvaluation; readonly panel: Panel }) {
  const texts = useTexts();
  const names = useNames();
  return (
    <section>
      <h2>{texts.panel}</h2>
      {panel.difference === null ? null : <p>{texts.panelAgreement(scoreInFigures(panel.difference))}</p>}
      <Table
        label={texts.panel}
        className="panel-judges"
        rows={["overall", ...evaluation.aspects]}
        columns={[
          [texts.aspect, (row) => (typeof row === "string" ? texts.overall : names.aspect(row.id, row.name))],
          ...panel.judges.map(
            ({ judge, overall, aspects }): Column<"overall" | AspectResult> => [
              <JudgeLabel key={judge} judge={judge} />,
              (row) => {
                const verdict = typeof row === "string" ? overall : aspects[row.id];
                return verdict ? <VerdictInWords verdict={verdict} /> : "–";
              },
              "number",
            ],
          ),
        ]}
      />
    </section>
  );
}

/** How the book goes over its chapters, and where it stands among others. */
export function Pictures({
  details,
  aspect,
  onAspect,
}: {
  readonly details: EvaluationDetails;
  readonly aspect: string;
  /** Without it there is nothing to choose, as in a file. */
  readonly onAspect?: (aspect: string) => void;
}) {
  const texts = useTexts();
  const names = useNames();
  const { evaluation, bookId } = details;
  const withCourse = evaluation.aspects.filter((candidate) => candidate.course.length > 1);
  const chosen = withCourse.find((candidate) => candidate.id === aspect);
  const course = chosen?.course ?? evaluation.overallCourse;
  const points = useMemo(() => {
    const titles = new Map(evaluation.book.chapters.map((chapter) => [chapter.index, chapter.title]));
    return course.map(({ chapter, verdict }) => ({
      chapter,
      verdict,
      name: chapterInWords(chapter, titles.get(chapter), texts.chapterNumber),
      href: to(["books", bookId, "read"], { chapter, heat: "edits", from: details.id, tab: "verdicts" }),
    }));
  }, [course, evaluation, bookId, details.id, texts]);
  const { overall, population } = evaluation;
  const placed = useMemo(
    () =>
      overall.kind === "scored"
        ? [{ name: evaluation.book.title, score: overall.score, interval: intervalOf(overall) }]
        : [],
    [overall, evaluation.book.title],
  );
  const name = chosen ? names.aspect(chosen.id, chosen.name) : texts.overall;
  return (
    <>
      {points.length > 1 ? (
        <section id="course">
          <h2>{texts.course}</h2>
          {onAspect ? (
            <div className="toolbar">
              <Choice
                label={texts.aspect}
                value={chosen?.id ?? "overall"}
                options={[
                  ["overall", texts.overall],
                  ...withCourse.map(({ id, name: own }) => [id, names.aspect(id, own)] as const),
                ]}
                onChoose={onAspect}
              />
            </div>
          ) : null}
          <CoursePlot
            points={points}
            level={chosen?.verdict ?? overall}
            scale={evaluation.scale}
            label={texts.courseOf(name)}
          />
        </section>
      ) : null}
      {population && population.overall.length > 2 && placed.length > 0 ? (
        <section>
          <h2>{texts.place}</h2>
          <DistributionPlot
            population={population.overall}
            placed={placed}
            label={texts.place}
            caption={texts.placeHint(population.size, population.description)}
          />
        </section>
      ) : null}
    </>
  );
}

/** Every aspect with its interval and percentile; one without a score says why and has no bar. */
export function AspectTable({
  evaluation,
  onCourse,
}: {
  readonly evaluation: BookEvaluation;
  readonly onCourse?: ((aspect: string) => void) | undefined;
}) {
  const texts = useTexts();
  const asked = new Set(evaluation.aspects.map(({ id }) => id));
  const top = evaluation.aspects.filter(({ parent }) => parent === undefined || !asked.has(parent));
  const hasPercentiles = evaluation.aspects.some(({ percentile }) => percentile !== null);
  const rows = top.flatMap((aspect) => [
    aspect,
    ...evaluation.aspects.filter((candidate) => candidate.parent === aspect.id),
  ]);
  return (
    <TableScroller label={texts.aspectByAspect}>
      <table className="aspects">
        <thead>
          <tr>
            <th scope="col">{texts.aspect}</th>
            <th scope="col" className="number">
              {texts.score}
            </th>
            <th scope="col" className="number">
              {texts.interval}
            </th>
            <th scope="col" className="wide">
              {texts.onScale(evaluation.scale.minimum, evaluation.scale.maximum)}
            </th>
            {hasPercentiles ? (
              <th scope="col" className="number">
                {texts.percentile}
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((aspect) => (
            <AspectRow
              key={aspect.id}
              aspect={aspect}
              isPart={!top.includes(aspect)}
              evaluation={evaluation}
              hasPercentiles={hasPercentiles}
              onCourse={onCourse}
            />
          ))}
        </tbody>
      </table>
    </TableScroller>
  );
}

function AspectRow({
  aspect,
  isPart,
  evaluation,
  hasPercentiles,
  onCourse,
}: {
  readonly aspect: AspectResult;
  /** Shown under the aspect it belongs to; a part asked for alone names that aspect itself. */
  readonly isPart: boolean;
  readonly evaluation: BookEvaluation;
  readonly hasPercentiles: boolean;
  readonly onCourse?: ((aspect: string) => void) | undefined;
}) {
  const texts = useTexts();
  const inWords = useReason();
  const { verdict } = aspect;
  const name = useNames().aspect(aspect.id, aspect.name);
  return (
    <tr className={isPart ? "part" : "aspect"}>
      <th scope="row">
        {aspect.parentName !== undefined && !isPart ? `${aspect.parentName}: ` : null}
        {onCourse && aspect.course.length > 1 && !isPart ? (
          <button
            type="button"
            className="link"
            title={texts.courseOf(name)}
            onClick={() => {
              onCourse(aspect.id);
              document.getElementById("course")?.scrollIntoView({ block: "start" });
            }}
          >
            {name}
          </button>
        ) : (
          name
        )}
        {aspect.support ? (
          <small className="muted"> {texts.segmentsScored(aspect.support.scored, aspect.support.segments)}</small>
        ) : null}
      </th>
      {verdict.kind === "unscored" ? (
        <td colSpan={hasPercentiles ? 4 : 3} className="unscored">
          {texts.unscoredBecause(inWords(verdict.reason))}
        </td>
      ) : (
        <>
          <td className="number">
            <VerdictInWords verdict={verdict} />
          </td>
          <td className="number">
            <IntervalInWords verdict={verdict} />
          </td>
          <td className="wide">
            <ScaleBar verdict={verdict} scale={evaluation.scale} />
          </td>
          {hasPercentiles ? (
            <td className="number">
              {aspect.percentile === null ? "–" : texts.percentileShort(Math.round(aspect.percentile))}
            </td>
          ) : null}
        </>
      )}
    </tr>
  );
}
