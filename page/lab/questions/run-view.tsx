import { useState } from "react";
import {
  type AnswerOfSystem,
  QUESTION_FILTERS,
  type QuestionFilter,
  type QuestionRun,
  type RatingAgreement,
  type SystemPair,
} from "../../../src/api/questions.ts";
import { api, ask, pathOf } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { Field } from "../../parts/field.tsx";
import { signed } from "../../parts/formats.ts";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { View } from "../../parts/view.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { goTo, to, type ViewProps } from "../../routing.ts";
import { useReason, useTexts } from "../../texts/preferences.tsx";
import { Evidence } from "./evidence.tsx";
import { ModelForm, useModels, WorkNotice } from "./model-work.tsx";
import { UploadForm } from "./upload-form.tsx";
import "./questions.css";

const STEP = 25;

interface QuestionListProps {
  readonly run: QuestionRun;
  /** Where judges and the metric are compared. */
  readonly metric: string;
}

/** The run's questions, each with its references, every system's answer, scores and ratings. */
function QuestionList({ run: { id, judges }, metric }: QuestionListProps) {
  const texts = useTexts();
  const [filter, setFilter] = useState<QuestionFilter>("all");
  const [limit, setLimit] = useState(STEP);
  const page = useAnswer(api.questions[":id"].items, {
    param: { id },
    query: { filter, metric, limit: Math.min(limit, 200) },
  });
  const names: Record<QuestionFilter, string> = {
    all: texts.filterAll,
    "judge-wrong": texts.filterJudgeWrong,
    "judge-right": texts.filterJudgeRight,
    "people-judge": texts.filterPeopleJudge,
    "people-wrong": texts.filterPeopleWrong,
    "people-right": texts.filterPeopleRight,
  };
  const filters = QUESTION_FILTERS.filter((name) => judges.length > 0 || !name.includes("judge"));
  return (
    <section className="question-list" aria-label={texts.questions}>
      <Field label={texts.filterQuestions}>
        {(attributes) => (
          <select
            {...attributes}
            value={filter}
            onChange={(event) => setFilter(QUESTION_FILTERS.find((name) => name === event.target.value) ?? "all")}
          >
            {filters.map((name) => (
              <option key={name} value={name}>
                {names[name]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Waiting asked={page}>
        {({ total, items }) => (
          <>
            <p className="hint">{texts.questionsShown(total)}</p>
            {items.map(({ question, book, document, references, answers }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the order is the data's, and questions may be alike.
              <details key={place} className="panel">
                <summary>
                  {question} {book ? <small>{book}</small> : null}
                </summary>
                <p>
                  <strong>{texts.referencesLabel}:</strong> {references.join(" · ")}
                </p>
                <Evidence
                  of={api.questions[":id"].evidence}
                  args={{ param: { id }, query: { document: document ?? book ?? "", question } }}
                />
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

function OneAnswer({ answer: given }: { readonly answer: AnswerOfSystem }) {
  const { system, answer, scores, ratings, passages } = given;
  const texts = useTexts();
  const reasons = Object.entries(given.reasons);
  const rated = Object.entries(ratings).flatMap(([setting, own]) =>
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
        {rated.length > 0 ? ` · ${texts.ratingsLabel}: ${rated.join(", ")}` : ""}
      </p>
      {reasons.length > 0 ? (
        <details>
          <summary>{texts.judgeSaid}</summary>
          {reasons.map(([column, reason]) => (
            <p key={column}>
              <small>{column}</small> {reason}
            </p>
          ))}
        </details>
      ) : null}
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

/** One run: systems × metrics, every two systems compared, judges, raters, and its questions with every answer. */
export default function RunView({ route }: ViewProps) {
  const texts = useTexts();
  const id = route.path[1]!;
  const run = useAnswer(api.questions[":id"], { param: { id } });
  return (
    <View title={run.answer?.name ?? texts.questions} kicker={<a href={to(["questions"])}>{texts.questions}</a>}>
      <Waiting asked={run}>{(found) => <Run run={found} reload={run.reload} />}</Waiting>
    </View>
  );
}

function Run({ run, reload }: { readonly run: QuestionRun; readonly reload: () => void }) {
  const texts = useTexts();
  const { id, setId, metrics, systems } = run;
  const [wanted, setMetric] = useState("f1");
  const metric = metrics.includes(wanted) ? wanted : (metrics[0] ?? wanted);
  return (
    <>
      {setId === null ? null : (
        <p>
          <a href={to(["questions", setId, "set"])}>{texts.backToSet}</a>
        </p>
      )}
      <SystemTable run={run} />
      {systems.length > 1 ? <Differences run={run} metric={metric} onMetric={setMetric} /> : null}
      <UploadForm run={id} label={texts.addSystem} onScored={reload} />
      <Grading run={run} reload={reload} />
      <RaterSection id={id} hasSummaries={run.hasSummaries} />
      <QuestionList run={run} metric={metric} key={`${systems.length} ${metrics.length}`} />
    </>
  );
}

interface DifferencesProps {
  readonly run: QuestionRun;
  readonly metric: string;
  readonly onMetric: (metric: string) => void;
}

/** What two systems differ by on the same questions: each beside the next one down, or all beside one of them. */
function Differences({ run: { id, metrics, systems, resamples }, metric, onMetric }: DifferencesProps) {
  const texts = useTexts();
  const [other, setOther] = useState("");
  const asked = useAnswer(api.questions[":id"].differences, { param: { id }, query: { metric } }, `${systems.length}`);
  return (
    <section aria-labelledby="differences">
      <h2 id="differences">{texts.compareHeading}</h2>
      <div className="toolbar">
        <Field label={texts.compareMetric}>
          {(attributes) => (
            <select {...attributes} value={metric} onChange={(event) => onMetric(event.target.value)}>
              {metrics.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
        </Field>
        <Field label={texts.compareWith}>
          {(attributes) => (
            <select {...attributes} value={other} onChange={(event) => setOther(event.target.value)}>
              <option value="">{texts.compareNext}</option>
              {systems.map(({ system }) => (
                <option key={system}>{system}</option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <Waiting asked={asked}>
        {(pairs) => (
          <TableScroller label={texts.compareHeading}>
            <table>
              <ColumnNames
                names={[
                  texts.systemName,
                  texts.compareWith,
                  texts.compareDifference,
                  texts.compareInterval,
                  texts.compareP,
                  texts.setQuestions,
                ]}
              />
              <tbody>
                {shownPairs(pairs, systems, metric, other).map(({ left, right, difference, interval, p, n }) => (
                  <tr key={`${left}\u0000${right}`}>
                    <th scope="row">{left}</th>
                    <td>{right}</td>
                    <td className="number">{signed(difference, DIGITS)}</td>
                    <td className="number">
                      {interval === null ? "–" : interval.map((end) => signed(end, digitsOf(end))).join(" … ")}
                    </td>
                    <td className="number">{p < 0.001 ? "< 0.001" : p.toFixed(3)}</td>
                    <td className="number">{n}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TableScroller>
        )}
      </Waiting>
      <p className="hint">{texts.compareHint(resamples)}</p>
    </section>
  );
}

const DIGITS = 3;

/** Which side of zero an end is on must be seen, however near it is. */
function digitsOf(end: number): number {
  if (end === 0 || Math.abs(end) >= 0.5 * 10 ** -DIGITS) return DIGITS;
  return Math.min(12, 1 - Math.floor(Math.log10(Math.abs(end))));
}

/** Best first: each system beside the next one down, or every other one beside the chosen one. */
function shownPairs(
  pairs: readonly SystemPair[],
  systems: QuestionRun["systems"],
  metric: string,
  other: string,
): SystemPair[] {
  const ranked = systems
    .flatMap(({ system, metrics }) => (metrics[metric] ? [{ system, mean: metrics[metric].mean }] : []))
    .sort((one, two) => two.mean - one.mean)
    .map(({ system }) => system);
  const known = new Map(pairs.map((pair) => [`${pair.left}\u0000${pair.right}`, pair]));
  const pairOf = (left: string, right: string): SystemPair[] => {
    const found = known.get(`${left}\u0000${right}`);
    if (found) return [found];
    const turned = known.get(`${right}\u0000${left}`);
    if (!turned) return [];
    const { difference, interval } = turned;
    return [{ ...turned, left, right, difference: -difference, interval: interval && [-interval[1], -interval[0]] }];
  };
  if (other !== "") return ranked.filter((system) => system !== other).flatMap((system) => pairOf(system, other));
  return ranked.slice(1).flatMap((system, at) => pairOf(ranked[at]!, system));
}

const PROTOCOLS = ["json", "prometheus"] as const;

/** Another judge for the answers that are there, what it would cost, and why answers have no grade. */
function Grading({ run, reload }: { readonly run: QuestionRun; readonly reload: () => void }) {
  const texts = useTexts();
  const inWords = useReason();
  const models = useModels();
  const [grading, setGrading] = useState<"reference" | "summary">("reference");
  const [protocol, setProtocol] = useState<(typeof PROTOCOLS)[number]>("json");
  const param = { id: run.id };
  return (
    <section aria-labelledby="grading">
      <h2 id="grading">{texts.gradeHeading}</h2>
      <WorkNotice work={run.work} stop={() => ask(api.questions[":id"].work.$delete, { param })} reload={reload} />
      {run.ungraded.length > 0 ? (
        <>
          <p>{texts.gradeUngraded}:</p>
          <ul>
            {run.ungraded.map(({ reason, count }) => (
              <li key={reason}>
                {count} × {inWords(reason)}
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {models === null ? null : (
        <ModelForm
          label={texts.gradeHeading}
          models={models}
          plan={(json) => ask(api.questions[":id"].judge.plan.$post, { param, json })}
          start={(json) => ask(api.questions[":id"].judge.$post, { param, json })}
          request={{ grading, protocol }}
          isBusy={run.work?.isRunning === true}
          onStarted={reload}
        >
          <Field label={texts.gradeGrading}>
            {(attributes) => (
              <select
                {...attributes}
                value={grading}
                onChange={(event) => setGrading(event.target.value === "summary" ? "summary" : "reference")}
              >
                <option value="reference">{texts.besideReference}</option>
                {run.hasSummaries ? <option value="summary">{texts.besideSummary}</option> : null}
              </select>
            )}
          </Field>
          <Field label={texts.gradeProtocol}>
            {(attributes) => (
              <select
                {...attributes}
                value={protocol}
                onChange={(event) => setProtocol(PROTOCOLS.find((name) => name === event.target.value) ?? "json")}
              >
                {PROTOCOLS.map((name, at) => (
                  <option key={name} value={name}>
                    {texts.gradeProtocols[at]}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </ModelForm>
      )}
    </section>
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
  const agreement = useAnswer(api.questions[":id"].agreement, { param: { id } });
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
              <a href={pathOf(api.questions[":id"]["rated.jsonl"], { param: { id } })} download>
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
  const [setting, setSetting] = useState<"reference" | "summary">("reference");
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
          <select
            {...attributes}
            value={setting}
            onChange={(event) => setSetting(event.target.value === "summary" ? "summary" : "reference")}
          >
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
