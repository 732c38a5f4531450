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
import { Choice, Filter } from "../../parts/field.tsx";
import { signed } from "../../parts/formats.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { View } from "../../parts/view.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { goTo, to, type ViewProps } from "../../routing.ts";
import type { Texts } from "../../texts/english.ts";
import { useReason, useTexts } from "../../texts/preferences.tsx";
import { NameForm } from "./blind-sheet.tsx";
import { Evidence } from "./evidence.tsx";
import { ModelForm, useModels, WorkNotice } from "./model-work.tsx";
import { UploadForm } from "./upload-form.tsx";
import "./questions.css";

const STEP = 25;

type Setting = "reference" | "summary";
type System = QuestionRun["systems"][number];

/** What a judge or a rater sees beside an answer. */
function settingsOf(hasSummaries: boolean, texts: Texts): (readonly [Setting, string])[] {
  const reference = ["reference", texts.besideReference] as const;
  return hasSummaries ? [reference, ["summary", texts.besideSummary]] : [reference];
}

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
      <div className="toolbar">
        <Choice
          label={texts.filterQuestions}
          value={filter}
          options={filters.map((name) => [name, names[name]])}
          onChoose={setFilter}
        />
      </div>
      <Waiting asked={page}>
        {({ total, items }) => (
          <>
            <p className="hint">{texts.questionsShown(total)}</p>
            {items.map(({ number, question, book, document, references, answers }) => (
              <details key={number} className="panel">
                <summary>
                  {question || texts.questionNumber(number)} {book ? <small>{book}</small> : null}
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
        <Choice
          label={texts.compareMetric}
          value={metric}
          options={metrics.map((name) => [name, name])}
          onChoose={onMetric}
        />
        <Filter
          label={texts.compareWith}
          any={texts.compareNext}
          value={other}
          options={systems.map(({ system }) => [system, system])}
          onChoose={setOther}
        />
      </div>
      <Waiting asked={asked}>
        {(pairs) => (
          <Table
            label={texts.compareHeading}
            rows={shownPairs(pairs, systems, metric, other)}
            columns={[
              [texts.systemName, ({ left }) => left],
              [texts.compareWith, ({ right }) => right],
              [texts.compareDifference, ({ difference }) => signed(difference, DIGITS), "number"],
              [
                texts.compareInterval,
                ({ interval }) => interval?.map((end) => signed(end, digitsOf(end))).join(" … ") ?? "–",
                "number",
              ],
              [texts.compareP, ({ p }) => (p < 0.001 ? "< 0.001" : p.toFixed(3)), "number"],
              [texts.setQuestions, ({ n }) => n, "number"],
            ]}
          />
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
  const [grading, setGrading] = useState<Setting>("reference");
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
          <Choice
            label={texts.gradeGrading}
            value={grading}
            options={settingsOf(run.hasSummaries, texts)}
            onChoose={setGrading}
          />
          <Choice
            label={texts.gradeProtocol}
            value={protocol}
            options={PROTOCOLS.map((name, at) => [name, texts.gradeProtocols[at]!])}
            onChoose={setProtocol}
          />
        </ModelForm>
      )}
    </section>
  );
}

function percentOf(share: number | null): string {
  return share === null ? "–" : `${Math.round(100 * share)} %`;
}

function Score({ of }: { readonly of: System["metrics"][string] | undefined }) {
  const texts = useTexts();
  if (!of) return <span className="unscored">{texts.unscored}</span>;
  return (
    <>
      {of.mean.toFixed(3)}
      {of.interval ? (
        <small className="metric-range"> {of.interval.map((end) => end.toFixed(3)).join("–")}</small>
      ) : null}
    </>
  );
}

function SystemTable({ run: { systems, metrics, over, books } }: { readonly run: QuestionRun }) {
  const texts = useTexts();
  return (
    <>
      <Table
        label={texts.systemName}
        rows={systems}
        columns={[
          [texts.systemName, ({ system }) => system],
          [
            texts.answersGiven,
            ({ questions, unanswered }) => (unanswered === 0 ? questions : `${questions - unanswered} / ${questions}`),
            "number",
          ],
          ...(systems.some(({ seen }) => seen !== null)
            ? [[texts.bookSeen, ({ seen }: System) => percentOf(seen), "number"] as const]
            : []),
          ...metrics.map(
            (metric): Column<System> => [metric, (system) => <Score of={system.metrics[metric]} />, "number"],
          ),
        ]}
      />
      <p className="hint">{over === "books" ? texts.drawnBooks(books) : texts.drawnQuestions}</p>
    </>
  );
}

/** Where raters begin, and how far they agree. */
function RaterSection({ id, hasSummaries }: { readonly id: string; readonly hasSummaries: boolean }) {
  const texts = useTexts();
  const [setting, setSetting] = useState<Setting>("reference");
  const agreement = useAnswer(api.questions[":id"].agreement, { param: { id } });
  return (
    <section aria-labelledby="raters">
      <h2 id="raters">{texts.agreementHeading}</h2>
      <NameForm
        label={texts.rateHeading}
        submit={texts.startRating}
        hint={texts.rateIntroduction}
        onName={(rater) => goTo(to(["questions", id, "rate"], { rater, setting }))}
      >
        <Choice
          label={texts.rateBeside}
          value={setting}
          options={settingsOf(hasSummaries, texts)}
          onChoose={setSetting}
        />
      </NameForm>
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
        <Table
          label={`${texts.raterLabel}: ${name}`}
          rows={raters}
          columns={[
            [texts.raterLabel, (rater) => rater.name],
            [texts.answersGiven, ({ rated }) => rated, "number"],
            [texts.meanOfRatings, ({ mean }) => mean?.toFixed(2) ?? "–", "number"],
          ]}
        />
        <Table
          label={`${texts.systemName}: ${name}`}
          rows={systems}
          columns={[
            [texts.systemName, ({ system }) => system],
            [texts.answersGiven, ({ n }) => n, "number"],
            [texts.meanOfRatings, ({ mean }) => mean.toFixed(2), "number"],
          ]}
        />
      </div>
    </>
  );
}
