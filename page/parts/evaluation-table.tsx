import type { EvaluationSummary } from "../../src/api/evaluations.ts";
import { to } from "../routing.ts";
import { useNames, usePreferences } from "../texts/preferences.tsx";
import { ColumnNames } from "./column-names.tsx";
import { HUNDRED, isSameScale, moment, onHundred, spending } from "./formats.ts";
import { JudgeLabel } from "./judges/judge-label.tsx";
import { TableScroller } from "./table-scroller.tsx";
import { IntervalInWords, VerdictInWords } from "./verdict.tsx";

/** Evaluations of one book, each with who judged, how, and for how much; on 0 to 100 where their scales differ. */
export function EvaluationTable({ evaluations }: { readonly evaluations: readonly EvaluationSummary[] }) {
  const { texts, language } = usePreferences();
  const names = useNames();
  const [first] = evaluations;
  const isShared = evaluations.every(({ scale }) => first && isSameScale(scale, first.scale));
  const shown = ({ overall, scale }: EvaluationSummary) => (isShared ? overall : onHundred(overall, scale));
  return (
    <TableScroller label={texts.evaluations}>
      <table>
        <ColumnNames
          names={[texts.date, texts.overall, texts.interval, texts.judge, texts.method, texts.repeats, texts.cost]}
        />
        <tbody>
          {evaluations.map((evaluation) => (
            <tr key={evaluation.id}>
              <td className="moment">
                <a href={to(["evaluations", evaluation.id])}>{moment(evaluation.createdAt, language)}</a>
              </td>
              <td>
                <VerdictInWords verdict={shown(evaluation)} />{" "}
                <span className="muted">{texts.ofScale((isShared ? evaluation.scale : HUNDRED).maximum)}</span>
              </td>
              <td>
                <IntervalInWords verdict={shown(evaluation)} />
              </td>
              <td>
                <JudgeLabel judge={evaluation.judge} />
              </td>
              <td>{names.method(evaluation.method)}</td>
              <td className="number">{evaluation.runs}</td>
              <td className="number">{spending(evaluation, texts)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroller>
  );
}
