import { useCallback, useEffect, useMemo, useState } from "react";
import type { About } from "../../../src/api/about.ts";
import type { Paged } from "../../../src/api/answers.ts";
import type { BookSummary } from "../../../src/api/books.ts";
import type { EvaluationPlan, EvaluationRequest, Job } from "../../../src/api/jobs.ts";
import { send } from "../../api/request.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { isEmbedded } from "../../parts/judges/judge-name.ts";
import { useAction } from "../../parts/use-action.ts";
import { useDebounced } from "../../parts/use-debounced.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { goTo, type Route, replaceRoute, to, type ViewProps } from "../../routing.ts";
import { useTexts } from "../../texts/preferences.tsx";
import { AspectChoices } from "./aspect-choices.tsx";
import { BookChoice } from "./book-choice.tsx";
import { JobList } from "./job-list.tsx";
import { JudgeChoices, readsLanguage } from "./judge-choices.tsx";
import { Limits } from "./limits.tsx";
import { MethodChoices } from "./method-choices.tsx";
import { PlanPanel } from "./plan-panel.tsx";
import "./evaluate.css";

/** Choose a judge and a method, see what it would ask and cost, and only then begin. */
export default function EvaluateView({ route }: ViewProps) {
  const texts = useTexts();
  const about = useAnswer<About>("/api/about");
  const books = useAnswer<Paged<BookSummary>>("/api/books?limit=200");
  const jobs = useAnswer<readonly Job[]>("/api/jobs");
  const isUnderWay = jobs.answer?.some((job) => job.state === "queued" || job.state === "running") ?? false;
  const { reload } = jobs;
  useEffect(() => {
    if (!isUnderWay) return;
    const timer = setInterval(reload, 3000);
    return () => clearInterval(timer);
  }, [isUnderWay, reload]);
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
  const start = useAction(
    useCallback(async () => {
      const job = await send<Job>("POST", "/api/jobs", request);
      goTo(to(["jobs", job.id]));
    }, [request]),
  );
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
        {problem ? <ProblemNotice problem={problem} /> : null}
        {isWhole ? null : <p className="muted">{texts.startNeeds}</p>}
        <button type="submit" className="primary" disabled={!isWhole || !plan || start.isBusy}>
          {texts.start}
        </button>
        {start.problem ? <ProblemNotice problem={start.problem} /> : null}
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
    send<EvaluationPlan>("POST", "/api/plans", settled, abort.signal).then(
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
