import { useCallback, useRef, useState } from "react";
import type { QuestionResult, QuestionSet, QuestionSetSummary } from "../../../src/api/questions.ts";
import { api, ask } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { Field } from "../../parts/field.tsx";
import { moment } from "../../parts/formats.ts";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { useAction } from "../../parts/use-action.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { goTo, to } from "../../routing.ts";
import { usePreferences, useTexts } from "../../texts/preferences.tsx";
import { UploadForm } from "./upload-form.tsx";

export default function QuestionsView() {
  const texts = useTexts();
  const results = useAnswer(api.questions);
  return (
    <View title={texts.questions}>
      <p>{texts.questionsIntroduction}</p>
      <Sets />
      <h2>{texts.answersHeading}</h2>
      <UploadForm run={null} label={texts.questionsUpload} onScored={results.reload} />
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

function Sets() {
  const texts = useTexts();
  const sets = useAnswer(api["question-sets"]);
  return (
    <section aria-labelledby="sets">
      <h2 id="sets">{texts.setsHeading}</h2>
      <LoadForm />
      <WriteForm />
      <Waiting asked={sets}>
        {(list) => (list.length === 0 ? <p className="muted">{texts.noSets}</p> : <SetTable sets={list} />)}
      </Waiting>
    </section>
  );
}

function open(set: QuestionSet): void {
  goTo(to(["questions", set.id, "set"]));
}

function LoadForm() {
  const texts = useTexts();
  const file = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState("");
  const loading = useAction(
    useCallback(async () => {
      const given = file.current?.files?.[0];
      if (!given) return;
      open(await ask(api["question-sets"].$post, { form: { file: given } }));
    }, []),
  );
  return (
    <form
      className="toolbar panel"
      aria-label={texts.setLoad}
      onSubmit={(event) => {
        event.preventDefault();
        void loading.run();
      }}
    >
      <Field label={texts.setFile} hint={texts.setFileHint}>
        {(attributes) => (
          <input
            {...attributes}
            ref={file}
            type="file"
            required
            accept=".jsonl,.ndjson,.gz"
            onChange={(event) => setChosen(event.target.value)}
          />
        )}
      </Field>
      <button type="submit" className="primary" disabled={loading.isBusy || chosen === ""}>
        {texts.setLoadButton}
      </button>
      {loading.problem ? <ProblemNotice problem={loading.problem} /> : null}
    </form>
  );
}

function WriteForm() {
  const texts = useTexts();
  const books = useAnswer(api.books, { query: { limit: 200 } });
  const [chosen, setChosen] = useState("");
  const bookId = chosen || books.answer?.items[0]?.id;
  const beginning = useAction(
    useCallback(async (id: string) => open(await ask(api["question-sets"].$post, { json: { bookId: id } })), []),
  );
  if (bookId === undefined) return null;
  return (
    <form
      className="toolbar panel"
      aria-label={texts.setWrite}
      onSubmit={(event) => {
        event.preventDefault();
        void beginning.run(bookId);
      }}
    >
      <Field label={texts.setWrite}>
        {(attributes) => (
          <select {...attributes} value={bookId} onChange={(event) => setChosen(event.target.value)}>
            {(books.answer?.items ?? []).map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Field>
      <button type="submit" disabled={beginning.isBusy}>
        {texts.setWriteButton}
      </button>
      {beginning.problem ? <ProblemNotice problem={beginning.problem} /> : null}
    </form>
  );
}

function SetTable({ sets }: { readonly sets: readonly QuestionSetSummary[] }) {
  const { texts, language } = usePreferences();
  return (
    <TableScroller label={texts.setsHeading}>
      <table>
        <ColumnNames names={[texts.setName, texts.setBooks, texts.setQuestions, texts.date]} />
        <tbody>
          {sets.map(({ id, name, documents, questions, createdAt }) => (
            <tr key={id}>
              <th scope="row">
                <a href={to(["questions", id, "set"])}>{name}</a>
              </th>
              <td className="number">{documents}</td>
              <td className="number">{questions}</td>
              <td className="moment">{moment(createdAt, language)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroller>
  );
}

/** A row for each file of answers, a column for each metric; what a metric could not score is not a nought. */
function ResultTable({ results }: { readonly results: readonly QuestionResult[] }) {
  const { texts, language } = usePreferences();
  const metrics = [...new Set(results.flatMap((result) => result.metrics.map(({ id }) => id)))];
  return (
    <TableScroller label={texts.questions}>
      <table>
        <ColumnNames names={[texts.questionsName, texts.items, ...metrics, texts.date]} />
        <tbody>
          {results.map((result) => (
            <tr key={result.id}>
              <th scope="row">
                <a href={to(["questions", result.id])}>{result.name}</a>
              </th>
              <td className="number">{result.items}</td>
              {metrics.map((id) => {
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
