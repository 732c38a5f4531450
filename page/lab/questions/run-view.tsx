import {
  type AnswerOfSystem,
  QUESTION_FILTERS,
  type QuestionFilter,
  type QuestionPage,
  type QuestionRun,
  type RatingAgreement,
} from "../../../src/api/questions.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { View } from "../../parts/view.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { goTo, to, type ViewProps } from "../../routing.ts";
import { useTexts } from "../../texts/preferences.tsx";
import { UploadForm } from "./upload-form.tsx";
import "./questions.css";
import { useState } from "react";
import { address } from "../../api/request.ts";
import { Field } from "../../parts/field.tsx";

const STEP = 25;

/** The run's questions, each with its references, every system's answer, scores and ratings. */
function QuestionList({ id, hasJudges }: { readonly id: string; readonly hasJudges: boolean }) {
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
    <section className="question-list" aria-label={texts.questions}>
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
            <RaterSection id={id} hasSummaries={found.hasSummaries} />
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

/** Where raters begin, and how far they agree. */
function RaterSection({ id, hasSummaries }: { readonly id: string; readonly hasSummaries: boolean }) {
  const texts = useTexts();
  const agreement = useAnswer<RatingAgreement>(`/api/questions/${id}/agreement`);
  return (
    <section aria-labelledby="raters">
      <h2 id="raters">{texts.agreementHeading}</h2>
      <RaterForm id={id} hasSummaries={hasSummaries} />
      <Waiting asked={agreement}>
        {({ settings }) =>
          settings.length === 0 ? (
            <p className="hint">{texts.noRatings}</p>
          ) : (
            <>
              {settings.map((setting) => (
                <SettingAgreement key={setting.setting} found={setting} />
              ))}
              <a href={`/api/questions/${id}/rated.jsonl`} download>
                {texts.ratedDownload}
              </a>
            </>
          )
        }
      </Waiting>
    </section>
  );
}

function RaterForm({ id, hasSummaries }: { readonly id: string; readonly hasSummaries: boolean }) {
  const texts = useTexts();
  const [rater, setRater] = useState("");
  const [setting, setSetting] = useState("reference");
  return (
    <form
      className="toolbar panel"
      aria-label={texts.rateHeading}
      onSubmit={(event) => {
        event.preventDefault();
        goTo(to(["questions", id, "rate"], { rater: rater.trim(), setting }));
      }}
    >
      <Field label={texts.raterName} hint={texts.rateIntroduction}>
        {(attributes) => (
          <input
            {...attributes}
            required
            maxLength={80}
            value={rater}
            onChange={(event) => setRater(event.target.value)}
          />
        )}
      </Field>
      <Field label={texts.rateBeside}>
        {(attributes) => (
          <select {...attributes} value={setting} onChange={(event) => setSetting(event.target.value)}>
            <option value="reference">{texts.besideReference}</option>
            {hasSummaries ? <option value="summary">{texts.besideSummary}</option> : null}
          </select>
        )}
      </Field>
      <button type="submit" className="primary" disabled={rater.trim() === ""}>
        {texts.startRating}
      </button>
    </form>
  );
}

function SettingAgreement({ found }: { readonly found: RatingAgreement["settings"][number] }) {
  const texts = useTexts();
  const { setting, alpha, interval, twice, raters, systems } = found;
  const range = interval ? ` [${interval.map((end) => end.toFixed(2)).join(", ")}]` : "";
  const name = setting === "summary" ? texts.besideSummary : texts.besideReference;
  return (
    <>
      <p>
        <strong>{name}:</strong> {texts.alphaLabel} {alpha === null ? "–" : `${alpha.toFixed(3)}${range}`} ·{" "}
        {texts.ratedTwice(twice)}
      </p>
      <div className="rater-tables">
        <TableScroller label={`${texts.raterLabel}: ${name}`}>
          <table>
            <ColumnNames names={[texts.raterLabel, texts.answersGiven, texts.meanOfRatings]} />
            <tbody>
              {raters.map(({ name: rater, rated, mean }) => (
                <tr key={rater}>
                  <th scope="row">{rater}</th>
                  <td className="number">{rated}</td>
                  <td className="number">{mean?.toFixed(2) ?? "–"}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroller>
        <TableScroller label={`${texts.systemName}: ${name}`}>
          <table>
            <ColumnNames names={[texts.systemName, texts.answersGiven, texts.meanOfRatings]} />
            <tbody>
              {systems.map(({ system, n, mean }) => (
                <tr key={system}>
                  <th scope="row">{system}</th>
                  <td className="number">{n}</td>
                  <td className="number">{mean.toFixed(2)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroller>
      </div>
    </>
  );
}
