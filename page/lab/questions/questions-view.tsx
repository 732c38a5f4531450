import { useState } from "react";
import type { QuestionResult, QuestionSet, QuestionSetSummary } from "../../../src/api/questions.ts";
import { api, ask } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { ActionForm, fileIn } from "../../parts/action.tsx";
import { Choice, Input } from "../../parts/field.tsx";
import { moment } from "../../parts/formats.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { View } from "../../parts/view.tsx";
import { Waiting } from "../../parts/waiting.tsx";
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
  return (
    <ActionForm
      className="toolbar panel"
      label={texts.setLoad}
      submit={texts.setLoadButton}
      act={async (given) => open(await ask(api["question-sets"].$post, { form: { file: fileIn(given) } }))}
    >
      <Input
        label={texts.setFile}
        hint={texts.setFileHint}
        name="file"
        type="file"
        required
        accept=".jsonl,.ndjson,.gz"
      />
    </ActionForm>
  );
}

function WriteForm() {
  const texts = useTexts();
  const books = useAnswer(api.books, { query: { limit: 200 } });
  const [chosen, setChosen] = useState("");
  const bookId = chosen || books.answer?.items[0]?.id;
  if (bookId === undefined) return null;
  return (
    <ActionForm
      className="toolbar panel"
      label={texts.setWrite}
      submit={texts.setWriteButton}
      isQuiet
      act={async () => open(await ask(api["question-sets"].$post, { json: { bookId } }))}
    >
      <Choice
        label={texts.setWrite}
        value={bookId}
        options={(books.answer?.items ?? []).map(({ id, title }) => [id, title])}
        onChoose={setChosen}
      />
    </ActionForm>
  );
}

function SetTable({ sets }: { readonly sets: readonly QuestionSetSummary[] }) {
  const { texts, language } = usePreferences();
  return (
    <Table
      label={texts.setsHeading}
      rows={sets}
      columns={[
        [texts.setName, ({ id, name }) => <a href={to(["questions", id, "set"])}>{name}</a>],
        [texts.setBooks, ({ documents }) => documents, "number"],
        [texts.setQuestions, ({ questions }) => questions, "number"],
        [texts.date, ({ createdAt }) => moment(createdAt, language), "moment"],
      ]}
    />
  );
}

/** A row for each file of answers, a column for each metric; what a metric could not score is not a zero. */
function ResultTable({ results }: { readonly results: readonly QuestionResult[] }) {
  const { texts, language } = usePreferences();
  const metrics = [...new Set(results.flatMap((result) => result.metrics.map(({ id }) => id)))];
  return (
    <Table
      label={texts.questions}
      rows={results}
      columns={[
        [texts.questionsName, ({ id, name }) => <a href={to(["questions", id])}>{name}</a>],
        [texts.items, ({ items }) => items, "number"],
        ...metrics.map((id): Column<QuestionResult> => [id, (result) => <Mean value={meanOf(result, id)} />, "number"]),
        [texts.date, ({ createdAt }) => moment(createdAt, language), "moment"],
      ]}
    />
  );
}

function meanOf({ metrics }: QuestionResult, id: string): number | null {
  return metrics.find((metric) => metric.id === id)?.mean ?? null;
}

function Mean({ value }: { readonly value: number | null }) {
  const texts = useTexts();
  return value === null ? <span className="unscored">{texts.unscored}</span> : value.toFixed(3);
}
