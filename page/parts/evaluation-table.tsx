import type { EvaluationSummary } from "../../src/api/evaluations.ts";
import { to } from "../routing.ts";
import { usePreferences } from "../texts/preferences.tsx";
import { ColumnNames } from "./column-names.tsx";
import { moment, spending } from "./formats.ts";
import { TableScroller } from "./table-scroller.tsx";
import { IntervalInWords, VerdictInWords } from "./verdict.tsx";

/** Evaluations of one book, each with who judged, how, and for how much. */
export function EvaluationTable({ evaluations }: { readonly evaluations: readonly EvaluationSummary[] }) {
  const { texts, language } = usePreferences();
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
                <VerdictInWords verdict={evaluation.overall} />{" "}
                <span className="muted">{texts.ofScale(evaluation.scale.maximum)}</span>
              </td>
              <td>
                <IntervalInWords verdict={evaluation.overall} />
              </td>
              <td>{evaluation.judge}</td>
              <td>{evaluation.method}</td>
              <td className="number">{evaluation.runs}</td>
              <td className="number">{spending(evaluation, texts)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroller>
  );
}
