import { useState } from "react";
import {
  type AnswerOfSystem,
  QUESTION_FILTERS,
  type QuestionFilter,
  type QuestionPage,
} from "../../../src/api/questions.ts";
import { address } from "../../api/request.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { Field } from "../../parts/field.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { useTexts } from "../../texts/preferences.tsx";

const STEP = 25;

/** The run's questions, each with its references, every system's answer, scores and ratings. */
export function QuestionList({ id, hasJudges }: { readonly id: string; readonly hasJudges: boolean }) {
  const texts = useTexts();
  const [filter, setFilter] = useState<QuestionFilter>("all");
  const [limit, setLimit] = useState(STEP);
  const page = useAnswer<QuestionPage>(address(`/api/questions/${id}/items`, { filter, limit: Math.min(limit, 200) }));
  const names: Record<QuestionFilter, string> = {
    all: texts.filterAll,
    "judge-wrong": texts.filterJudgeWrong,
    "judge-right": texts.filterJudgeRight,
  };
  return (
    <section aria-label={texts.questions}>
      {hasJudges ? (
        <Field label={texts.filterQuestions}>
          {(attributes) => (
            <select
              {...attributes}
              value={filter}
              onChange={(event) => setFilter(QUESTION_FILTERS.find((name) => name === event.target.value) ?? "all")}
            >
              {QUESTION_FILTERS.map((name) => (
                <option key={name} value={name}>
                  {names[name]}
                </option>
              ))}
            </select>
          )}
        </Field>
      ) : null}
      <Waiting asked={page}>
        {({ total, items }) => (
          <>
            <p className="hint">{texts.questionsShown(total)}</p>
            {items.map(({ question, book, references, answers }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the order is the data's, and questions may be alike.
              <details key={place} className="panel">
                <summary>
                  {question} {book ? <small>{book}</small> : null}
                </summary>
                <p>
                  <strong>{texts.referencesLabel}:</strong> {references.join(" · ")}
                </p>
                {answers.map((answer) => (
                  <OneAnswer key={answer.system} answer={answer} />
                ))}
              </details>
            ))}
            {items.length < total && limit < 200 ? (
              <button type="button" onClick={() => setLimit(limit + STEP)}>
                {texts.moreQuestions}
              </button>
            ) : null}
          </>
        )}
      </Waiting>
    </section>
  );
}

function OneAnswer({ answer: { system, answer, scores, ratings, passages } }: { readonly answer: AnswerOfSystem }) {
  const texts = useTexts();
  const given = Object.entries(ratings).flatMap(([setting, own]) =>
    Object.entries(own).map(
      ([rater, rating]) => `${rater} ${rating} (${setting === "summary" ? texts.summaryLabel : texts.referencesLabel})`,
    ),
  );
  return (
    <div className="one-answer">
      <p>
        <strong>{system}:</strong> {answer ?? <em>{texts.noAnswer}</em>}
      </p>
      <p className="hint">
        {Object.entries(scores)
          .map(([metric, score]) => `${metric} ${Number.isInteger(score) ? score : score.toFixed(2)}`)
          .join(" · ")}
        {given.length > 0 ? ` · ${texts.ratingsLabel}: ${given.join(", ")}` : ""}
      </p>
      {passages.length > 0 ? (
        <details>
          <summary>{texts.passagesLabel}</summary>
          {passages.map(({ chapter, text, quoted }) => (
            <blockquote key={`${chapter} ${text.slice(0, 40)}`}>{quoted ? <mark>{text}</mark> : text}</blockquote>
          ))}
        </details>
      ) : null}
    </div>
  );
}
