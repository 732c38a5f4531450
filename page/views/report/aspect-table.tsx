import type { AspectResult, BookEvaluation } from "../../../src/api/evaluations.ts";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { IntervalInWords, ScaleBar, VerdictInWords } from "../../parts/verdict.tsx";
import { useNames, useReason, useTexts } from "../../texts/preferences.tsx";

/** Every aspect with its interval and percentile; one without a score says why and has no bar. */
export function AspectTable({
  evaluation,
  onCourse,
}: {
  readonly evaluation: BookEvaluation;
  readonly onCourse: (aspect: string) => void;
}) {
  const texts = useTexts();
  const asked = new Set(evaluation.aspects.map(({ id }) => id));
  const top = evaluation.aspects.filter(({ parent }) => parent === undefined || !asked.has(parent));
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
            <th scope="col">{texts.score}</th>
            <th scope="col" className="wide">
              {texts.onScale(evaluation.scale.minimum, evaluation.scale.maximum)}
            </th>
            <th scope="col">{texts.interval}</th>
            <th scope="col">{texts.percentile}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((aspect) => (
            <AspectRow
              key={aspect.id}
              aspect={aspect}
              isPart={!top.includes(aspect)}
              evaluation={evaluation}
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
  onCourse,
}: {
  readonly aspect: AspectResult;
  /** Shown under the aspect it belongs to; a part asked for alone names that aspect itself. */
  readonly isPart: boolean;
  readonly evaluation: BookEvaluation;
  readonly onCourse: (aspect: string) => void;
}) {
  const texts = useTexts();
  const inWords = useReason();
  const { verdict } = aspect;
  const name = useNames().aspect(aspect.id, aspect.name);
  return (
    <tr className={isPart ? "part" : "aspect"}>
      <th scope="row">
        {aspect.parentName !== undefined && !isPart ? `${aspect.parentName}: ` : null}
        {aspect.course.length > 1 && !isPart ? (
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
      </th>
      {verdict.kind === "unscored" ? (
        <td colSpan={4} className="unscored">
          {texts.unscoredBecause(inWords(verdict.reason))}
        </td>
      ) : (
        <>
          <td>
            <VerdictInWords verdict={verdict} />
          </td>
          <td className="wide">
            <ScaleBar verdict={verdict} scale={evaluation.scale} />
          </td>
          <td>
            <IntervalInWords verdict={verdict} />
          </td>
          <td className="number">
            {aspect.percentile === null ? "–" : texts.percentileShort(Math.round(aspect.percentile))}
          </td>
        </>
      )}
    </tr>
  );
}
