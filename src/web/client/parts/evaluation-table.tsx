import type { EvaluationSummary } from "../../api/evaluations.ts";
import { to } from "../routing.ts";
import { usePreferences } from "../texts/preferences.tsx";
import { moment, money } from "./formats.ts";
import { TableScroller } from "./table-scroller.tsx";
import { IntervalInWords, VerdictInWords } from "./verdict.tsx";

/** Evaluations of one book, each with who judged, how, and for how much. */
export function EvaluationTable({ evaluations }: { readonly evaluations: readonly EvaluationSummary[] }) {
  const { texts, language } = usePreferences();
  return (
    <TableScroller label={texts.evaluations}>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.date}</th>
            <th scope="col">{texts.overall}</th>
            <th scope="col">{texts.interval}</th>
            <th scope="col">{texts.judge}</th>
            <th scope="col">{texts.method}</th>
            <th scope="col">{texts.repeats}</th>
            <th scope="col">{texts.cost}</th>
          </tr>
        </thead>
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
              <td className="number">{money(evaluation.cost)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroller>
  );
}
