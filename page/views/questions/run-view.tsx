import type { QuestionRun } from "../../../src/api/questions.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { View } from "../../parts/view.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { to, type ViewProps } from "../../routing.ts";
import { useTexts } from "../../texts/preferences.tsx";
import { QuestionList } from "./question-list.tsx";
import { RaterSection } from "./rater-section.tsx";
import { UploadForm } from "./upload-form.tsx";
import "./questions.css";

/** One run: systems × metrics, its questions with every answer, and what raters make of them. */
export default function RunView({ route }: ViewProps) {
  const texts = useTexts();
  const id = route.path[1]!;
  const run = useAnswer<QuestionRun>(`/api/questions/${encodeURIComponent(id)}`);
  return (
    <View title={run.answer?.name ?? texts.questions} kicker={<a href={to(["questions"])}>{texts.questions}</a>}>
      <Waiting asked={run}>
        {(found) => (
          <>
            <SystemTable run={found} />
            <UploadForm path={`/api/questions/${id}/files`} label={texts.addSystem} onScored={run.reload} />
            <RaterSection id={id} />
            <QuestionList id={id} hasJudges={found.judges.length > 0} key={found.systems.length} />
          </>
        )}
      </Waiting>
    </View>
  );
}

function SystemTable({ run: { systems, metrics, over, books } }: { readonly run: QuestionRun }) {
  const texts = useTexts();
  const anySeen = systems.some(({ seen }) => seen !== null);
  return (
    <>
      <TableScroller label={texts.systemName}>
        <table>
          <ColumnNames
            names={[texts.systemName, texts.answersGiven, ...(anySeen ? [texts.bookSeen] : []), ...metrics]}
          />
          <tbody>
            {systems.map(({ system, questions, unanswered, seen, metrics: own }) => (
              <tr key={system}>
                <th scope="row">{system}</th>
                <td className="number">{unanswered === 0 ? questions : `${questions - unanswered} / ${questions}`}</td>
                {anySeen ? <td className="number">{seen === null ? "–" : `${Math.round(100 * seen)} %`}</td> : null}
                {metrics.map((metric) => {
                  const found = own[metric];
                  return (
                    <td key={metric} className={found ? "number" : "unscored"}>
                      {found ? found.mean.toFixed(3) : texts.unscored}
                      {found?.interval ? (
                        <small className="metric-range"> {found.interval.map((end) => end.toFixed(3)).join("–")}</small>
                      ) : null}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
      <p className="hint">{over === "books" ? texts.drawnBooks(books) : texts.drawnQuestions}</p>
    </>
  );
}
