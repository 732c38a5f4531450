import { useCallback, useId, useRef, useState } from "react";
import {
  type QuestionReview,
  type QuestionSet,
  REVIEW_DECISIONS,
  type ReviewDecision,
  type ReviewPage,
  SET_STEPS,
  type SetStep,
  type SetStepName,
  type StepItems,
  type StepRequest,
} from "../../../src/api/questions.ts";
import { api, ask, pathOf } from "../../api/client.ts";
import { saveFile } from "../../api/save-file.ts";
import { type AnswerState, useAnswer } from "../../api/use-answer.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { Field } from "../../parts/field.tsx";
import { money } from "../../parts/formats.ts";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { useAction } from "../../parts/use-action.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { goTo, to, type ViewProps } from "../../routing.ts";
import { useReason, useTexts } from "../../texts/preferences.tsx";
import { uploadFile } from "../../uploads.ts";
import { Evidence } from "./evidence.tsx";
import { ModelForm, useModels, WorkNotice } from "./model-work.tsx";
import "./questions.css";

/** A set of questions: step by step from raw data to answers, with what each step took away and what it cost. */
export default function SetView({ route }: ViewProps) {
  const texts = useTexts();
  const id = route.path[1]!;
  const asked = useAnswer(api["question-sets"][":id"], { param: { id } });
  return (
    <View title={asked.answer?.name ?? texts.setsHeading} kicker={<a href={to(["questions"])}>{texts.questions}</a>}>
      <Waiting asked={asked}>{(set) => <Workbench set={set} reload={asked.reload} />}</Waiting>
    </View>
  );
}

interface OfSet {
  readonly set: QuestionSet;
  readonly reload: () => void;
}

function Workbench({ set, reload }: OfSet) {
  const texts = useTexts();
  const models = useModels();
  const { leftOut, questions, runId } = set;
  const first = leftOut[0];
  const saving = useAction(
    useCallback(
      (file: "questions.jsonl" | "card.md") =>
        saveFile(pathOf(api["question-sets"][":id"][file], { param: { id: set.id } })),
      [set.id],
    ),
  );
  return (
    <>
      <p>{texts.setCounts(set.documents, questions)}</p>
      {first ? <p role="status">{texts.linesLeftOut(leftOut.length, first.line, first.reason)}</p> : null}
      {set.aboutBook === null ? <Books set={set} reload={reload} /> : null}
      <WorkNotice
        work={set.work}
        stop={() => ask(api["question-sets"][":id"].work.$delete, { param: { id: set.id } })}
        reload={reload}
      />
      <ol className="set-steps">
        {set.steps.map((step) => (
          <li key={step.step}>
            <StepPanel set={set} step={step} models={models ?? []} reload={reload} />
          </li>
        ))}
        <li>
          <section className="panel" aria-label={texts.setsRun}>
            <h2>{texts.setsRun}</h2>
            <p>
              {[
                texts.setsAnswered(set.systems.length),
                texts.setsJudged(set.judges.length),
                texts.setsRated(set.rated),
              ].join(" · ")}
            </p>
            {runId === null ? null : <a href={to(["questions", runId])}>{texts.setsRun}</a>}
          </section>
        </li>
      </ol>
      {questions > 0 ? (
        <>
          <Review set={set} reload={reload} />
          <div className="actions">
            <button type="button" onClick={() => void saving.run("questions.jsonl")}>
              {texts.setDownload}
            </button>
            <button type="button" onClick={() => void saving.run("card.md")}>
              {texts.setCard}
            </button>
          </div>
          {saving.problem ? <ProblemNotice problem={saving.problem} /> : null}
        </>
      ) : null}
    </>
  );
}

/** Which books of the data set are in the library: steps that read the text need them there. */
function Books({ set: { id, books }, reload }: OfSet) {
  const texts = useTexts();
  const library = useAnswer(api.books, { query: { limit: 200 } });
  const found = books.filter(({ bookId }) => bookId !== null).length;
  const choosing = useAction(
    useCallback(
      async (document: string, bookId: string | null) => {
        await ask(api["question-sets"][":id"].books.$put, { param: { id }, json: { document, bookId } });
        reload();
      },
      [reload, id],
    ),
  );
  const { reload: reloadLibrary } = library;
  const adding = useAction(
    useCallback(
      async (files: readonly File[]) => {
        await Promise.all(files.map(uploadFile));
        reloadLibrary();
        reload();
      },
      [reload, reloadLibrary],
    ),
  );
  return (
    <details className="panel">
      <summary>{texts.setBooksFound(found, books.length)}</summary>
      <Field label={texts.setAddBooksFile} hint={texts.setBooksHint}>
        {(attributes) => (
          <input
            {...attributes}
            type="file"
            multiple
            disabled={adding.isBusy}
            onChange={(event) => void adding.run([...(event.target.files ?? [])])}
          />
        )}
      </Field>
      {adding.problem ? <ProblemNotice problem={adding.problem} /> : null}
      {choosing.problem ? <ProblemNotice problem={choosing.problem} /> : null}
      <TableScroller label={texts.setBooks}>
        <table>
          <ColumnNames names={[texts.setBooks, texts.setBook]} />
          <tbody>
            {books.map(({ document, title, bookId }) => (
              <tr key={document}>
                <th scope="row">{title || document}</th>
                <td>
                  <select
                    aria-label={`${texts.setBook}: ${title || document}`}
                    value={bookId ?? ""}
                    onChange={(event) => void choosing.run(document, event.target.value || null)}
                  >
                    <option value="">{texts.setBookMissing}</option>
                    {(library.answer?.items ?? []).map((book) => (
                      <option key={book.id} value={book.id}>
                        {book.title}
                      </option>
                    ))}
                  </select>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
    </details>
  );
}

interface OfStep extends OfSet {
  readonly step: SetStep;
  readonly models: readonly string[];
}

const SETTINGS = ["retrieval", "open", "summary", "closed"] as const;
const USUAL_COUNT = 30;

function StepPanel(props: OfStep) {
  const { step, set, reload } = props;
  const texts = useTexts();
  const inWords = useReason();
  const heading = useId();
  const place = SET_STEPS.indexOf(step.step);
  const { before, after, removed, notes, calls, cost, isDone } = step;
  return (
    <section className="panel" aria-labelledby={heading}>
      <h2 id={heading}>{texts.setStepNames[place]}</h2>
      <p className="hint">{texts.setStepHints[place]}</p>
      {isDone && (after || calls > 0) ? (
        <p>
          {[
            ...(before && after && step.step !== "write"
              ? [`${texts.setCounts(before.documents, before.questions)} → `]
              : []),
            ...(after ? [texts.setCounts(after.documents, after.questions)] : []),
            ...(calls > 0 ? [` · ${texts.setCost(cost === null ? texts.modelPriceUnknown : money(cost), calls)}`] : []),
          ].join("")}
        </p>
      ) : null}
      {removed.length > 0 ? (
        <TableScroller label={`${texts.setStepNames[place]}: ${texts.setRemoved}`}>
          <table>
            <ColumnNames names={[texts.setReason, texts.setBooks, texts.setQuestions]} />
            <tbody>
              {removed.map(({ reason, documents, questions }) => (
                <tr key={reason}>
                  <th scope="row">{inWords(reason)}</th>
                  <td className="number">{documents}</td>
                  <td className="number">{questions}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroller>
      ) : null}
      {notes.map(({ reason, count }) => (
        <p key={reason}>{texts.setNotChecked(count, inWords(reason))}</p>
      ))}
      {step.items > 0 ? <FoundItems {...props} /> : null}
      {before === null && step.step !== "write" ? null : <StepForm {...props} />}
      {step.step === "audit" && isDone ? <Audit set={set} reload={reload} /> : null}
    </section>
  );
}

function StepForm({ set, step: { step, items, isDone }, models, reload }: OfStep) {
  const texts = useTexts();
  const [setting, setSetting] = useState<(typeof SETTINGS)[number]>("retrieval");
  const [count, setCount] = useState(USUAL_COUNT);
  const isBusy = set.work?.isRunning === true;
  const name = texts.setStepNames[SET_STEPS.indexOf(step)]!;
  const refined = set.steps.find((one) => one.step === "refine")?.isDone === true;
  if ((step === "review" || step === "audit") && !refined) return null;
  const asks: Partial<Record<SetStepName, Pick<StepRequest, "count" | "setting">>> = {
    write: { count },
    answer: { setting },
  };
  const param = { id: set.id };
  const form = {
    label: name,
    plan: (sent: StepRequest) =>
      ask(api["question-sets"][":id"].steps.plan.$post, { param, json: { ...sent, judge: sent.judge || null } }),
    start: (sent: StepRequest) =>
      ask(api["question-sets"][":id"].steps.$post, { param, json: { ...sent, judge: sent.judge || null } }),
    request: { step, ...asks[step] },
    isBusy,
    onStarted: reload,
  };
  const isFree = step === "dedupe" || step === "review" || step === "audit";
  return (
    <>
      {(step === "filter" || step === "dedupe") && isDone && items > 0 ? (
        <FreeStart
          {...form}
          label={`${name}: ${texts.setApply}`}
          words={texts.setApply}
          request={{ step, apply: true }}
        />
      ) : null}
      {isFree ? (
        <FreeStart {...form} words={texts.setStart} />
      ) : (
        <ModelForm {...form} models={models} isOptional={step === "filter"} key={models.join()}>
          {step === "answer" ? (
            <Field label={texts.setSetting}>
              {(attributes) => (
                <select
                  {...attributes}
                  value={setting}
                  onChange={(event) => setSetting(SETTINGS.find((one) => one === event.target.value) ?? "retrieval")}
                >
                  {SETTINGS.map((one, at) => (
                    <option key={one} value={one}>
                      {texts.setSettings[at]}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          ) : null}
          {step === "write" ? (
            <Field label={texts.setCount}>
              {(attributes) => (
                <input
                  {...attributes}
                  type="number"
                  min={3}
                  max={300}
                  value={count}
                  onChange={(event) =>
                    setCount(Math.min(300, Math.max(3, Math.round(event.target.valueAsNumber) || 3)))
                  }
                />
              )}
            </Field>
          ) : null}
        </ModelForm>
      )}
    </>
  );
}

/** For a step that asks no model. */
function FreeStart({
  label,
  words,
  start,
  request,
  isBusy,
  onStarted,
}: {
  readonly label: string;
  readonly words: string;
  readonly start: (sent: StepRequest) => Promise<unknown>;
  readonly request: Pick<StepRequest, "step" | "apply">;
  readonly isBusy: boolean;
  readonly onStarted: () => void;
}) {
  const starting = useAction(
    useCallback(
      async (sent: StepRequest) => {
        await start(sent);
        onStarted();
      },
      [start, onStarted],
    ),
  );
  return (
    <div className="actions">
      <button
        type="button"
        aria-label={label.includes(words) ? label : `${label}: ${words}`}
        disabled={isBusy || starting.isBusy}
        onClick={() => void starting.run({ ...request, judge: null, maximumCost: null })}
      >
        {words}
      </button>
      {starting.problem ? <ProblemNotice problem={starting.problem} /> : null}
    </div>
  );
}

const STEP = 25;
const CHOICES = ["remove", "keep", "accept", "reject"];

/** What a step found, line by line, and what a person makes of it. */
function FoundItems({ set: { id, version }, step: { step, items, decided }, reload }: OfStep) {
  const texts = useTexts();
  const [isOpen, setOpen] = useState(false);
  const [limit, setLimit] = useState(STEP);
  const asked = useAnswer(
    api["question-sets"][":id"].items,
    isOpen ? { param: { id }, query: { step, limit: Math.min(200, limit) } } : null,
    `${version}`,
  );
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {texts.setList(items)}
        {decided > 0 && step === "refine" ? ` · ${texts.setDecided(decided, items)}` : ""}
      </summary>
      {isOpen ? (
        <Waiting asked={asked}>
          {(found) => (
            <>
              {found.items.map((item) => (
                <FoundItem
                  key={`${version} ${item.id}`}
                  step={step}
                  item={item}
                  choices={found.choices}
                  id={id}
                  onSaid={reload}
                />
              ))}
              {found.items.length < found.total && limit < 200 ? (
                <button type="button" onClick={() => setLimit(limit + STEP)}>
                  {texts.setMore}
                </button>
              ) : null}
            </>
          )}
        </Waiting>
      ) : null}
    </details>
  );
}

interface FoundItemProps {
  readonly step: SetStepName;
  readonly item: StepItems["items"][number];
  readonly choices: readonly string[];
  /** Of the set. */
  readonly id: string;
  readonly onSaid: () => void;
}

function FoundItem({ step, item, choices, id, onSaid }: FoundItemProps) {
  const texts = useTexts();
  const inWords = useReason();
  const [decision, setDecision] = useState(item.decision);
  const saving = useAction(
    useCallback(
      async (said: string | null) => {
        await ask(api["question-sets"][":id"].items.$put, {
          param: { id },
          json: { step, item: item.id, decision: said },
        });
        setDecision(said);
        onSaid();
      },
      [step, item.id, onSaid, id],
    ),
  );
  const name = item.question ?? item.before ?? item.title;
  return (
    <div className="one-answer">
      <p>
        <small>{item.title}</small> {item.question ? <strong>{item.question}</strong> : null}
      </p>
      {item.before === null ? null : (
        <p>
          <del>{item.before}</del> → <ins>{item.after}</ins>
        </p>
      )}
      <p className="hint">{[inWords(item.reason), ...item.details].join(" · ")}</p>
      {choices.length > 0 ? (
        <fieldset className="rating-scale">
          <legend className="visually-hidden">{`${texts.setDecision}: ${name}`}</legend>
          {choices.map((choice) => (
            <button
              key={choice}
              type="button"
              aria-pressed={decision === choice}
              className={decision === choice ? "primary" : ""}
              disabled={saving.isBusy}
              onClick={() => void saving.run(decision === choice && step === "refine" ? null : choice)}
            >
              {texts.setChoices[CHOICES.indexOf(choice)]}
            </button>
          ))}
        </fieldset>
      ) : null}
      {saving.problem ? <ProblemNotice problem={saving.problem} /> : null}
    </div>
  );
}

/** Where reviewers begin, and what came out so far. */
function Audit({ set }: OfSet) {
  const texts = useTexts();
  const [reviewer, setReviewer] = useState("");
  const report = useAnswer(api["question-sets"][":id"].audit.report, { param: { id: set.id } });
  return (
    <>
      <form
        className="toolbar"
        aria-label={texts.auditBegin}
        onSubmit={(event) => {
          event.preventDefault();
          goTo(to(["questions", set.id, "audit"], { reviewer: reviewer.trim() }));
        }}
      >
        <Field label={texts.raterName}>
          {(attributes) => (
            <input
              {...attributes}
              required
              maxLength={80}
              value={reviewer}
              onChange={(event) => setReviewer(event.target.value)}
            />
          )}
        </Field>
        <button type="submit" disabled={reviewer.trim() === ""}>
          {texts.auditBegin}
        </button>
      </form>
      <Waiting asked={report}>
        {({ reviewers, tables }) => (
          <>
            {reviewers.length > 0 ? <p>{texts.auditReviewers(reviewers.join(", "))}</p> : null}
            {tables.map(({ title, headings, rows, note }) => (
              <TableScroller key={title} label={title}>
                <table>
                  <caption>{title}</caption>
                  <ColumnNames names={headings} />
                  <tbody>
                    {rows.map(([name, ...cells]) => (
                      <tr key={name}>
                        <th scope="row">{name}</th>
                        {cells.map((cell, at) => (
                          // biome-ignore lint/suspicious/noArrayIndexKey: columns never change places.
                          <td key={at} className="number">
                            {cell}
                          </td>
                        ))}
                      </tr>
                    ))}
                  </tbody>
                </table>
                {note ? <p className="hint">{note}</p> : null}
              </TableScroller>
            ))}
          </>
        )}
      </Waiting>
    </>
  );
}

const FILTERS = ["all", "undecided", ...REVIEW_DECISIONS] as const;

/** A person's word on every question: keep, change or drop, beside its evidence. */
function Review({ set: { id, reviewed, version }, reload }: OfSet) {
  const texts = useTexts();
  const [filter, setFilter] = useState<(typeof FILTERS)[number]>("all");
  const [limit, setLimit] = useState(STEP);
  const asked = useAnswer(
    api["question-sets"][":id"].questions,
    { param: { id }, query: { filter, limit: Math.min(200, limit) } },
    `${version}`,
  );
  return (
    <section className="question-list" aria-labelledby="review">
      <h2 id="review">{texts.reviewHeading}</h2>
      <p className="hint">{texts.reviewHint}</p>
      <p role="status">
        {texts.reviewCounts(reviewed.keep, reviewed.change, reviewed.drop)}, {texts.notLookedAt(reviewed.undecided)}
      </p>
      <Field label={texts.filterQuestions}>
        {(attributes) => (
          <select
            {...attributes}
            value={filter}
            onChange={(event) => setFilter(FILTERS.find((one) => one === event.target.value) ?? "all")}
          >
            {FILTERS.map((one, at) => (
              <option key={one} value={one}>
                {texts.reviewFilters[at]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <ReviewList asked={asked} id={id} onSaid={reload} />
      {asked.answer && asked.answer.items.length < asked.answer.total && limit < 200 ? (
        <button type="button" onClick={() => setLimit(limit + STEP)}>
          {texts.moreQuestions}
        </button>
      ) : null}
    </section>
  );
}

interface ReviewListProps {
  readonly asked: AnswerState<ReviewPage>;
  /** Of the set. */
  readonly id: string;
  readonly onSaid: () => void;
}

function ReviewList({ asked, id, onSaid }: ReviewListProps) {
  const texts = useTexts();
  return (
    <Waiting asked={asked}>
      {({ total, items }) => (
        <>
          <p className="hint">{texts.questionsShown(total)}</p>
          {items.map((item) => (
            <ReviewedQuestion key={item.id} item={item} id={id} onSaid={onSaid} />
          ))}
        </>
      )}
    </Waiting>
  );
}

interface ReviewedQuestionProps {
  readonly item: ReviewPage["items"][number];
  /** Of the set. */
  readonly id: string;
  readonly onSaid: () => void;
}

function ReviewedQuestion({ item, id, onSaid }: ReviewedQuestionProps) {
  const texts = useTexts();
  const [said, setSaid] = useState(item);
  const [isChanging, setChanging] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const saving = useAction(
    useCallback(
      async (review: QuestionReview) => {
        await ask(api["question-sets"][":id"].questions.$put, { param: { id }, json: review });
        setSaid((before) => ({
          ...before,
          decision: review.decision,
          question: review.question ?? before.question,
          answers: review.answers ?? before.answers,
        }));
        setChanging(false);
        onSaid();
      },
      [onSaid, id],
    ),
  );
  const choose = (decision: ReviewDecision) => {
    if (decision === "change") return setChanging(!isChanging);
    void saving.run({ id: item.id, decision: said.decision === decision ? null : decision });
  };
  const { question, answers, decision, about, known } = said;
  return (
    <article className={decision === "drop" ? "panel dropped" : "panel"} aria-label={question}>
      <h3>{question}</h3>
      <p>
        <strong>{texts.referencesLabel}:</strong> {answers.join(" · ")}
      </p>
      <p className="hint">{[item.title, ...about, ...(known ? [texts.reviewKnown] : [])].join(" · ")}</p>
      <fieldset className="rating-scale">
        <legend className="visually-hidden">{`${texts.setDecision}: ${question}`}</legend>
        {REVIEW_DECISIONS.map((one, at) => (
          <button
            key={one}
            type="button"
            aria-pressed={decision === one}
            className={decision === one ? "primary" : ""}
            disabled={saving.isBusy}
            onClick={() => choose(one)}
          >
            {texts.reviewDecisions[at]}
          </button>
        ))}
      </fieldset>
      {isChanging ? (
        <form
          ref={form}
          aria-label={`${texts.reviewDecisions[1]}: ${question}`}
          onSubmit={(event) => {
            event.preventDefault();
            const given = new FormData(event.currentTarget);
            const lines = String(given.get("answers") ?? "").split("\n");
            void saving.run({
              id: item.id,
              decision: "change",
              question: String(given.get("question") ?? "").trim(),
              answers: lines.map((line) => line.trim()).filter((line) => line !== ""),
            });
          }}
        >
          <Field label={texts.reviewQuestion}>
            {(attributes) => (
              <input {...attributes} name="question" required defaultValue={question} maxLength={5000} />
            )}
          </Field>
          <Field label={texts.reviewAnswers}>
            {(attributes) => (
              <textarea {...attributes} name="answers" required rows={3} defaultValue={answers.join("\n")} />
            )}
          </Field>
          <button type="submit" className="primary" disabled={saving.isBusy}>
            {texts.reviewSave}
          </button>
        </form>
      ) : null}
      {saving.problem ? <ProblemNotice problem={saving.problem} /> : null}
      <Evidence of={api["question-sets"][":id"].evidence} args={{ param: { id }, query: { question: item.id } }} />
    </article>
  );
}
