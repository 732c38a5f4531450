import { useId, useState } from "react";
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
import { useAnswer } from "../../api/use-answer.ts";
import { ActionButton, ActionForm } from "../../parts/action.tsx";
import { Choice, Field, Input, NumberInput } from "../../parts/field.tsx";
import { money } from "../../parts/formats.ts";
import { Table, TextTable } from "../../parts/table.tsx";
import { useAction } from "../../parts/use-action.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { goTo, to, type ViewProps } from "../../routing.ts";
import { useReason, useTexts } from "../../texts/preferences.tsx";
import { uploadFile } from "../../uploads.ts";
import { NameForm } from "./blind-sheet.tsx";
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
  const save = (file: "questions.jsonl" | "card.md") =>
    saveFile(pathOf(api["question-sets"][":id"][file], { param: { id: set.id } }));
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
            <ActionButton act={() => save("questions.jsonl")}>{texts.setDownload}</ActionButton>
            <ActionButton act={() => save("card.md")}>{texts.setCard}</ActionButton>
          </div>
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
  const choosing = useAction(async (document: string, bookId: string | null) => {
    await ask(api["question-sets"][":id"].books.$put, { param: { id }, json: { document, bookId } });
    reload();
  });
  const adding = useAction(async (files: readonly File[]) => {
    await Promise.all(files.map(uploadFile));
    library.reload();
    reload();
  });
  return (
    <details className="panel">
      <summary>{texts.setBooksFound(found, books.length)}</summary>
      <Input
        label={texts.setAddBooksFile}
        hint={texts.setBooksHint}
        type="file"
        multiple
        disabled={adding.isBusy}
        onChange={(event) => void adding.run([...(event.target.files ?? [])])}
      />
      <ProblemNotice problem={adding.problem ?? choosing.problem} />
      <Table
        label={texts.setBooks}
        rows={books}
        keyOf={({ document }) => document}
        columns={[
          [texts.setBooks, ({ document, title }) => title || document],
          [
            texts.setBook,
            ({ document, title, bookId }) => (
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
            ),
          ],
        ]}
      />
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
        <Table
          label={`${texts.setStepNames[place]}: ${texts.setRemoved}`}
          rows={removed}
          columns={[
            [texts.setReason, ({ reason }) => inWords(reason)],
            [texts.setBooks, ({ documents }) => documents, "number"],
            [texts.setQuestions, ({ questions }) => questions, "number"],
          ]}
        />
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
  const { steps } = api["question-sets"][":id"];
  const start = (sent: StepRequest) => ask(steps.$post, { param, json: { ...sent, judge: sent.judge || null } });
  const form = {
    label: name,
    plan: (sent: StepRequest) => ask(steps.plan.$post, { param, json: { ...sent, judge: sent.judge || null } }),
    start,
    request: { step, ...asks[step] },
    isBusy,
    onStarted: reload,
  };
  const free = (words: string, request: Pick<StepRequest, "step" | "apply">) => (
    <div className="actions">
      <ActionButton
        aria-label={`${name}: ${words}`}
        disabled={isBusy}
        act={() => start({ ...request, judge: null, maximumCost: null }).then(reload)}
      >
        {words}
      </ActionButton>
    </div>
  );
  const isFree = step === "dedupe" || step === "review" || step === "audit";
  return (
    <>
      {(step === "filter" || step === "dedupe") && isDone && items > 0
        ? free(texts.setApply, { step, apply: true })
        : null}
      {isFree ? (
        free(texts.setStart, { step })
      ) : (
        <ModelForm {...form} models={models} isOptional={step === "filter"} key={models.join()}>
          {step === "answer" ? (
            <Choice
              label={texts.setSetting}
              value={setting}
              options={SETTINGS.map((one, at) => [one, texts.setSettings[at]!])}
              onChoose={setSetting}
            />
          ) : null}
          {step === "write" ? (
            <NumberInput label={texts.setCount} value={count} minimum={3} maximum={300} onChange={setCount} />
          ) : null}
        </ModelForm>
      )}
    </>
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
  const saving = useAction(async (said: string | null) => {
    await ask(api["question-sets"][":id"].items.$put, {
      param: { id },
      json: { step, item: item.id, decision: said },
    });
    setDecision(said);
    onSaid();
  });
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
        <Decisions
          name={name}
          said={decision}
          options={choices.map((choice) => [choice, texts.setChoices[CHOICES.indexOf(choice)] ?? choice])}
          isBusy={saving.isBusy}
          onSay={(choice) => void saving.run(decision === choice && step === "refine" ? null : choice)}
        />
      ) : null}
      <ProblemNotice problem={saving.problem} />
    </div>
  );
}

/** Where reviewers begin, and what came out so far. */
function Audit({ set }: OfSet) {
  const texts = useTexts();
  const report = useAnswer(api["question-sets"][":id"].audit.report, { param: { id: set.id } });
  return (
    <>
      <NameForm
        className="toolbar"
        label={texts.auditBegin}
        submit={texts.auditBegin}
        onName={(reviewer) => goTo(to(["questions", set.id, "audit"], { reviewer }))}
      />
      <Waiting asked={report}>
        {({ reviewers, tables }) => (
          <>
            {reviewers.length > 0 ? <p>{texts.auditReviewers(reviewers.join(", "))}</p> : null}
            {tables.map((table) => (
              <TextTable key={table.title} table={table} hasCaption />
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
      <div className="toolbar">
        <Choice
          label={texts.filterQuestions}
          value={filter}
          options={FILTERS.map((one, at) => [one, texts.reviewFilters[at]!])}
          onChoose={setFilter}
        />
      </div>
      <Waiting asked={asked}>
        {({ total, items }) => (
          <>
            <p className="hint">{texts.questionsShown(total)}</p>
            {items.map((item) => (
              <ReviewedQuestion key={item.id} item={item} id={id} onSaid={reload} />
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
  const save = async (review: QuestionReview) => {
    await ask(api["question-sets"][":id"].questions.$put, { param: { id }, json: review });
    setSaid((before) => ({
      ...before,
      decision: review.decision,
      question: review.question ?? before.question,
      answers: review.answers ?? before.answers,
    }));
    setChanging(false);
    onSaid();
  };
  const saving = useAction(save);
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
      <Decisions
        name={question}
        said={decision}
        options={REVIEW_DECISIONS.map((one, at) => [one, texts.reviewDecisions[at]!])}
        isBusy={saving.isBusy}
        onSay={choose}
      />
      {isChanging ? (
        <ActionForm
          className=""
          label={`${texts.reviewDecisions[1]}: ${question}`}
          submit={texts.reviewSave}
          act={(given) =>
            save({
              id: item.id,
              decision: "change",
              question: String(given.get("question")).trim(),
              answers: String(given.get("answers"))
                .split("\n")
                .map((line) => line.trim())
                .filter((line) => line !== ""),
            })
          }
        >
          <Input label={texts.reviewQuestion} name="question" required defaultValue={question} maxLength={5000} />
          <Field label={texts.reviewAnswers}>
            {(attributes) => (
              <textarea {...attributes} name="answers" required rows={3} defaultValue={answers.join("\n")} />
            )}
          </Field>
        </ActionForm>
      ) : null}
      <ProblemNotice problem={saving.problem} />
      <Evidence of={api["question-sets"][":id"].evidence} args={{ param: { id }, query: { question: item.id } }} />
    </article>
  );
}

interface DecisionsProps<Said extends string> {
  /** What is decided on. */
  readonly name: string;
  readonly said: Said | null;
  readonly options: readonly (readonly [value: Said, name: string])[];
  readonly isBusy: boolean;
  readonly onSay: (said: Said) => void;
}

function Decisions<Said extends string>({ name, said, options, isBusy, onSay }: DecisionsProps<Said>) {
  const texts = useTexts();
  return (
    <fieldset className="rating-scale">
      <legend className="visually-hidden">{`${texts.setDecision}: ${name}`}</legend>
      {options.map(([value, words]) => (
        <button
          key={value}
          type="button"
          aria-pressed={said === value}
          className={said === value ? "primary" : ""}
          disabled={isBusy}
          onClick={() => onSay(value)}
        >
          {words}
        </button>
      ))}
    </fieldset>
  );
}
