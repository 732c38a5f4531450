import { useCallback, useRef, useState } from "react";
import type { QuestionResult } from "../../../src/api/questions.ts";
import { send } from "../../api/request.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { Field } from "../../parts/field.tsx";
import { moment } from "../../parts/formats.ts";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { useAction } from "../../parts/use-action.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { usePreferences, useTexts } from "../../texts/preferences.tsx";

export default function QuestionsView() {
  const texts = useTexts();
  const results = useAnswer<readonly QuestionResult[]>("/api/questions");
  return (
    <View title={texts.questions}>
      <p>{texts.questionsIntroduction}</p>
      <UploadForm onScored={results.reload} />
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

function UploadForm({ onScored }: { readonly onScored: () => void }) {
  const texts = useTexts();
  const file = useRef<HTMLInputElement>(null);
  const [chosenName, setChosenName] = useState("");
  const scoring = useAction(
    useCallback(async () => {
      const chosen = file.current?.files?.[0];
      if (!chosen) return;
      const form = new FormData();
      form.append("file", chosen, chosen.name);
      await send<QuestionResult>("POST", "/api/questions", form);
      onScored();
    }, [onScored]),
  );
  return (
    <form
      className="toolbar panel"
      aria-label={texts.questionsUpload}
      onSubmit={(event) => {
        event.preventDefault();
        void scoring.run();
      }}
    >
      <Field label={texts.questionsUpload} hint={texts.questionsFile}>
        {(attributes) => (
          <input
            {...attributes}
            ref={file}
            type="file"
            required
            accept=".jsonl,.json"
            onChange={(event) => setChosenName(event.target.value)}
          />
        )}
      </Field>
      <button type="submit" className="primary" disabled={scoring.isBusy || chosenName === ""}>
        {texts.scoreButton}
      </button>
      {scoring.problem ? <ProblemNotice problem={scoring.problem} /> : null}
    </form>
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
              <th scope="row">{result.name}</th>
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
