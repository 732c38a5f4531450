import { useEffect, useMemo, useState } from "react";
import type { About } from "../../../src/api/about.ts";
import type { BookSummary } from "../../../src/api/books.ts";
import type { EvaluationPlan, EvaluationRequest, Job } from "../../../src/api/jobs.ts";
import { api, ask, askUntil } from "../../api/client.ts";
import { useAnswer, useRepeated } from "../../api/use-answer.ts";
import { isEmbedded, judgeName } from "../../parts/judges/judge-name.ts";
import { useAction } from "../../parts/use-action.ts";
import { useDebounced } from "../../parts/use-debounced.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { goTo, type Route, replaceRoute, to, type ViewProps } from "../../routing.ts";
import { useNames, usePreferences, useTexts } from "../../texts/preferences.tsx";
import { JudgeChoices, readsLanguage } from "./judge-choices.tsx";
import "./evaluate.css";
import { Coded } from "../../parts/coded.tsx";
import { Choice, NumberInput } from "../../parts/field.tsx";
import { moment, money, shortNumber, spending } from "../../parts/formats.ts";
import { stateInWords } from "../../parts/job-state.ts";
import { MaximumCost } from "../../parts/maximum-cost.tsx";
import { Table } from "../../parts/table.tsx";
import type { Texts } from "../../texts/english.ts";

const OFTEN_MILLISECONDS = 3000;

/** Choose a judge and a method, see what it would ask and cost, and only then begin. */
export default function EvaluateView({ route }: ViewProps) {
  const texts = useTexts();
  const about = useAnswer(api.about);
  const books = useAnswer(api.books, { query: { limit: 200 } });
  const jobs = useAnswer(api.jobs);
  const isUnderWay = jobs.answer?.some((job) => job.state === "queued" || job.state === "running") ?? false;
  useRepeated(jobs, OFTEN_MILLISECONDS, isUnderWay);
  return (
    <View title={texts.evaluate}>
      <Waiting asked={about}>
        {(known) => (
          <Waiting asked={books}>
            {(shelf) => <EvaluationForm about={known} books={shelf.items} route={route} onKey={about.reload} />}
          </Waiting>
        )}
      </Waiting>
      <h2>{texts.recentJobs}</h2>
      <Waiting asked={jobs}>{(list) => <JobList jobs={list} />}</Waiting>
    </View>
  );
}

function EvaluationForm({
  about,
  books,
  route,
  onKey,
}: {
  readonly about: About;
  readonly books: readonly BookSummary[];
  readonly route: Route;
  readonly onKey: () => void;
}) {
  const texts = useTexts();
  // Book, judges and method stand in the address: a link opens the form filled in, and going back finds it as it was.
  const { query } = route;
  const bookId = query.get("book") ?? books[0]?.id ?? "";
  const language = books.find(({ id }) => id === bookId)?.language ?? null;
  const judge = query.get("judge");
  const judges = useMemo(
    () => (judge === null ? firstJudges(about, language) : judge.split(",").filter(Boolean)),
    [judge, about, language],
  );
  const method = about.methods.find(({ id }) => id === query.get("method"))?.id ?? about.methods[0]?.id ?? "";
  const show = (changes: Readonly<Record<string, string>>) =>
    replaceRoute(to(["evaluate"], { ...Object.fromEntries(query), ...changes }));
  const isEmbeddedOnly = judges.length > 0 && judges.every(isEmbedded);
  const [aspects, setAspects] = useState<readonly string[]>(about.aspects.map((aspect) => aspect.id));
  const [runs, setRuns] = useState(1);
  const [maximumCost, setMaximumCost] = useState<number | null>(null);

  const request = useMemo<EvaluationRequest>(
    () => ({
      bookId,
      judges,
      method,
      runs,
      maximumCost,
      // None named is all of them, as on the command line: the same answers are then remembered for both.
      aspects: isEmbeddedOnly || aspects.length === about.aspects.length ? [] : aspects,
    }),
    [bookId, judges, method, aspects, runs, maximumCost, about, isEmbeddedOnly],
  );
  const isWhole = bookId !== "" && judges.length > 0 && aspects.length > 0;
  const { plan, problem } = usePlan(isWhole ? request : null);
  const start = useAction(async () => {
    const job = await ask(api.jobs.$post, { json: request });
    goTo(to(["jobs", job.id]));
  });
  return (
    <form
      className="two-columns evaluate-form"
      onSubmit={(event) => {
        event.preventDefault();
        void start.run();
      }}
    >
      <div>
        <BookChoice books={books} chosen={bookId} onChoose={(book) => show({ book })} />
        <JudgeChoices
          judges={about.judges}
          language={language}
          chosen={judges}
          onChoose={(chosen) => show({ judge: chosen.length === 0 ? "," : chosen.join(",") })}
          onKey={onKey}
        />
        <MethodChoices
          methods={about.methods}
          judges={judges}
          chosen={method}
          onChoose={(id) => show({ method: id })}
        />
        {isEmbeddedOnly ? (
          <p className="hint">{texts.aspectsEmbedded}</p>
        ) : (
          <AspectChoices aspects={about.aspects} chosen={aspects} onChoose={setAspects} />
        )}
        <Limits runs={runs} onRuns={setRuns} maximumCost={maximumCost} onMaximumCost={setMaximumCost} />
      </div>
      <aside className="panel plan" aria-label={texts.plan}>
        <PlanPanel plan={isWhole ? plan : null} isPlanning={isWhole && !plan && !problem} request={request} />
        <ProblemNotice problem={problem} />
        {isWhole ? null : <p className="muted">{texts.startNeeds}</p>}
        <button type="submit" className="primary" disabled={!isWhole || !plan || start.isBusy}>
          {texts.start}
        </button>
        <ProblemNotice problem={start.problem} />
      </aside>
    </form>
  );
}

/** The jury, unless it cannot read the book; then whichever judge can. */
function firstJudges({ judges }: About, language: string | null): readonly string[] {
  const canRead = judges.find(({ isReady, languages }) => isReady && readsLanguage(languages, language));
  return canRead ? [canRead.name] : [];
}

/** The plan for the form's contents; none while they change, so that a user sees the plan before starting it. */
function usePlan(request: EvaluationRequest | null): { plan: EvaluationPlan | null; problem: Error | null } {
  const settled = useDebounced(request, 350);
  const [known, setKnown] = useState<{
    request: EvaluationRequest | null;
    plan: EvaluationPlan | null;
    problem: Error | null;
  }>({ request: null, plan: null, problem: null });
  useEffect(() => {
    if (!settled) return;
    const abort = new AbortController();
    askUntil(abort.signal, api.plans.$post, { json: settled }).then(
      (plan) => setKnown({ request: settled, plan, problem: null }),
      (error: unknown) => {
        if (abort.signal.aborted) return;
        setKnown({ request: settled, plan: null, problem: error instanceof Error ? error : new Error(String(error)) });
      },
    );
    return () => abort.abort();
  }, [settled]);
  if (known.request !== request || request === null) return { plan: null, problem: null };
  return { plan: known.plan, problem: known.problem };
}

function JobList({ jobs }: { readonly jobs: readonly Job[] }) {
  const { texts, language } = usePreferences();
  if (jobs.length === 0) return <p className="muted">{texts.noJobs}</p>;
  return (
    <Table
      label={texts.recentJobs}
      rows={jobs}
      keyOf={({ id }) => id}
      columns={[
        [texts.book, ({ id, title }) => <a href={to(["jobs", id])}>{title}</a>],
        [texts.judge, ({ request }) => request.judges.map((judge) => judgeName(judge, texts)).join(", ")],
        [texts.status, ({ state }) => stateInWords(state, texts)],
        [texts.progress, ({ done, total }) => (total > 0 ? texts.jobProgress(done, total) : "–"), "number"],
        [texts.cost, (job) => spending(job, texts), "number"],
        [texts.started, ({ startedAt }) => moment(startedAt, language), "moment"],
      ]}
    />
  );
}

function Limits({
  runs,
  onRuns,
  maximumCost,
  onMaximumCost,
}: {
  readonly runs: number;
  readonly onRuns: (runs: number) => void;
  readonly maximumCost: number | null;
  readonly onMaximumCost: (cost: number | null) => void;
}) {
  const texts = useTexts();
  return (
    <div className="limits">
      <NumberInput
        label={texts.chooseRuns}
        hint={texts.runsHint}
        value={runs}
        minimum={1}
        maximum={50}
        onChange={onRuns}
      />
      <MaximumCost value={maximumCost} onChange={onMaximumCost} />
    </div>
  );
}

function MethodChoices({
  methods,
  judges,
  chosen,
  onChoose,
}: {
  readonly methods: About["methods"];
  readonly judges: readonly string[];
  readonly chosen: string;
  readonly onChoose: (method: string) => void;
}) {
  const texts = useTexts();
  const names = useNames();
  // An embedded judge reads in its own way whatever is chosen; the choice is for language models.
  const isIdle = judges.every(isEmbedded);
  return (
    <fieldset disabled={isIdle} hidden={isIdle}>
      <legend>{texts.chooseMethod}</legend>
      <div className="choices single">
        {methods.map((method) => (
          <label className="choice" key={method.id}>
            <input type="radio" name="method" checked={chosen === method.id} onChange={() => onChoose(method.id)} />
            <span>{names.method(method.id, method.name)}</span>
            <small>{names.explanation(method.id, method.explanation)}</small>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function BookChoice({
  books,
  chosen,
  onChoose,
}: {
  readonly books: readonly BookSummary[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}) {
  const texts = useTexts();
  if (books.length === 0)
    return (
      <div className="empty-state">
        <strong>{texts.emptyLibrary}</strong>
        <p>
          <a href={to(["library"])}>{texts.addBook}</a>
        </p>
      </div>
    );
  return (
    <Choice
      label={texts.chooseBook}
      value={chosen}
      options={books.map(({ id, title, author }) => [id, author ? `${title} – ${author}` : title])}
      onChoose={onChoose}
    />
  );
}

function AspectChoices({
  aspects,
  chosen,
  onChoose,
}: {
  readonly aspects: About["aspects"];
  readonly chosen: readonly string[];
  readonly onChoose: (aspects: readonly string[]) => void;
}) {
  const texts = useTexts();
  const names = useNames();
  return (
    <fieldset>
      <legend>{texts.chooseAspects}</legend>
      <div className="choices">
        {aspects.map((aspect) => (
          <label className="choice" key={aspect.id} title={names.definition(aspect.id, aspect.definition)}>
            <input
              type="checkbox"
              checked={chosen.includes(aspect.id)}
              onChange={(event) =>
                onChoose(
                  aspects
                    .map(({ id }) => id)
                    .filter((id) => (id === aspect.id ? event.target.checked : chosen.includes(id))),
                )
              }
            />
            <span>{names.aspect(aspect.id, aspect.name)}</span>
          </label>
        ))}
      </div>
      {chosen.length < aspects.length ? (
        <button type="button" className="quiet" onClick={() => onChoose(aspects.map((aspect) => aspect.id))}>
          {texts.allAspects}
        </button>
      ) : null}
    </fieldset>
  );
}

/** What would be asked and paid, before anything is. */
function PlanPanel({
  plan,
  isPlanning,
  request,
}: {
  readonly plan: EvaluationPlan | null;
  readonly isPlanning: boolean;
  readonly request: EvaluationRequest;
}) {
  const { texts, language } = usePreferences();
  return (
    <div role="status" className="plan-figures">
      <h2>{texts.plan}</h2>
      {isPlanning ? <Planning /> : null}
      {plan ? (
        <>
          {plan.obstacles.map((obstacle) => (
            <p key={obstacle}>{obstacle}</p>
          ))}
          {plan.calls === 0 && plan.known === 0 ? (
            plan.obstacles.length === 0 && <p>{texts.planFree}</p>
          ) : (
            <>
              <p className="plan-cost">
                {plan.cost === null ? texts.planCostUnknown : texts.planCost(money(plan.cost))}
              </p>
              <p>
                {texts.planCalls(plan.calls)}
                {plan.known > 0 ? ` · ${texts.planKnown(plan.known)}` : ""}
              </p>
              <p className="muted">
                {texts.planTokens(shortNumber(plan.inputTokens, language), shortNumber(plan.outputTokens, language))}
              </p>
            </>
          )}
          <ul className="muted">
            {planNotes(plan, request, texts).map((note) => (
              <li key={note}>
                <Coded text={note} />
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  );
}

/** Counting the tokens of a long novel takes a while: it shows that it goes on, and for how long it has. */
function Planning() {
  const texts = useTexts();
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <p className="muted">
        {texts.planning} {seconds > 1 ? texts.planningSeconds(seconds) : ""}
      </p>
      <progress aria-label={texts.planning} />
    </>
  );
}

function planNotes({ mostCost }: EvaluationPlan, { judges, maximumCost }: EvaluationRequest, texts: Texts): string[] {
  if (judges.some(isEmbedded)) return [texts.planEmbedded];
  if (mostCost === null) return [texts.planPriceUnknown];
  return [
    texts.planMost(money(mostCost)),
    ...(maximumCost !== null && mostCost > maximumCost ? [texts.planLimit(money(maximumCost))] : []),
  ];
}
