import type { QuestionResult } from "../../../src/api/questions.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { moment } from "../../parts/formats.ts";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { View } from "../../parts/view.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { to } from "../../routing.ts";
import { usePreferences, useTexts } from "../../texts/preferences.tsx";
import { UploadForm } from "./upload-form.tsx";

export default function QuestionsView() {
  const texts = useTexts();
  const results = useAnswer<readonly QuestionResult[]>("/api/questions");
  return (
    <View title={texts.questions}>
      <p>{texts.questionsIntroduction}</p>
      <UploadForm path="/api/questions" label={texts.questionsUpload} onScored={results.reload} />
      <Waiting asked={results}>
        {(list) =>
          list.length === 0 ? (
            <div className="empty-state">
              <strong>{texts.noQuestions}</strong>
              <p>{texts.questionsFile}</p>
            </div>
          ) : (
            <ResultTable results={list} />
          )
        }
      </Waiting>
    </View>
  );
}

/** A row for each file of answers, a column for each metric; what a metric could not score is not a nought. */
function ResultTable({ results }: { readonly results: readonly QuestionResult[] }) {
  const { texts, language } = usePreferences();
  const metrics = [...new Map(results.flatMap((result) => result.metrics.map(({ id, name }) => [id, name])))];
  return (
    <TableScroller label={texts.questions}>
      <table>
        <ColumnNames names={[texts.questionsName, texts.items, ...metrics.map(([, name]) => name), texts.date]} />
        <tbody>
          {results.map((result) => (
            <tr key={result.id}>
              <th scope="row">
                <a href={to(["questions", result.id])}>{result.name}</a>
              </th>
              <td className="number">{result.items}</td>
              {metrics.map(([id]) => {
                const mean = result.metrics.find((metric) => metric.id === id)?.mean ?? null;
                return (
                  <td key={id} className={mean === null ? "unscored" : "number"}>
                    {mean === null ? texts.unscored : mean.toFixed(3)}
                  </td>
                );
              })}
              <td className="moment">{moment(result.createdAt, language)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroller>
  );
}
