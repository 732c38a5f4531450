import { useCallback, useEffect, useMemo, useState } from "react";
import type { BookSummary } from "../../../src/api/books.ts";
import type { EvaluationPlan, EvaluationRequest } from "../../../src/api/jobs.ts";
import type { OpenLetter, PastedReply, PasteState } from "../../../src/api/letters.ts";
import { api, ask, askUntil } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { useAnnouncer } from "../../parts/announcer.tsx";
import { Coded } from "../../parts/coded.tsx";
import { durationInWords, money } from "../../parts/formats.ts";
import { isEmbedded, judgeName } from "../../parts/judges/judge-name.ts";
import { useAction } from "../../parts/use-action.ts";
import { useMedia } from "../../parts/use-media.ts";
import { focusHeading } from "../../parts/view.tsx";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { goTo, to } from "../../routing.ts";
import type { Texts } from "../../texts/english.ts";
import type { Language } from "../../texts/language.ts";
import { usePreferences, useTexts } from "../../texts/preferences.tsx";
import { PASTE, PasteForm } from "./paste-form.tsx";

/** A model in a chat window, with the writer in between: each question is copied, each reply is pasted and checked. */
export function PasteBox({
  bookId,
  onDone,
  onStop,
}: {
  readonly bookId: string;
  readonly onDone: (evaluation: string) => void;
  readonly onStop: () => void;
}) {
  const texts = useTexts();
  const announce = useAnnouncer();
  const [state, setState] = useState<PasteState | null>(null);
  const take = useCallback(
    (next: PasteState) => {
      setState(next);
      if (next.problems.length > 0) return;
      if (next.evaluationId !== null) {
        announce(texts.pasteDone);
        onDone(next.evaluationId);
      } else if (next.answered > 0) announce(texts.pasteTaken);
    },
    [announce, onDone, texts],
  );
  const begin = useAction(
    useCallback(async () => take(await ask(api.books[":id"].paste.$get, { param: { id: bookId } })), [bookId, take]),
  );
  const check = useAction(
    useCallback(
      async (pasted: PastedReply) =>
        take(await ask(api.books[":id"].paste.$post, { param: { id: bookId }, json: pasted })),
      [bookId, take],
    ),
  );
  const { run } = begin;
  useEffect(() => void run(), [run]);
  const question = state?.question ?? null;
  return (
    <section className="panel paste-box" aria-label={texts.modelPaste}>
      <p>{texts.pasteExplain}</p>
      {begin.problem ? <ProblemNotice problem={begin.problem} again={() => void run()} /> : null}
      {question === null && !begin.problem ? <p className="muted">{texts.pasteWaiting}</p> : null}
      {question && state ? (
        <PasteForm
          key={question.id}
          title={texts.pasteTitleOf(state.answered + 1, state.answered + state.left)}
          question={question}
          problems={state.problems}
          check={{ ...check, run: (reply) => check.run({ question: question.id, reply }) }}
          onStop={onStop}
        />
      ) : null}
    </section>
  );
}

/** A language model for the story: the judges that work here, and the price before anything is sent. */
export function ModelReading({
  book,
  letter,
  onStarted,
}: {
  readonly book: BookSummary;
  readonly letter: OpenLetter;
  readonly onStarted: () => void;
}) {
  const { texts, language } = usePreferences();
  const about = useAnswer(api.about);
  const ready = useMemo(
    () =>
      (about.answer?.judges ?? []).filter(({ name, isReady }) => isReady && !isEmbedded(name)).map(({ name }) => name),
    [about.answer],
  );
  const isWide = useMedia("(min-width: 64rem)");
  const [wanted, setWanted] = useState("");
  const [isPasting, setPasting] = useState(false);
  const judge = wanted || ready[0] || PASTE;
  const [isFull, setFull] = useState(false);
  const request = useMemo<EvaluationRequest>(
    () => ({
      bookId: book.id,
      judges: [judge],
      method: "close",
      aspects: [],
      runs: 1,
      maximumCost: null,
      ...(isFull && { depth: "full" }),
    }),
    [book.id, judge, isFull],
  );
  const { plan, problem } = usePrice(judge === PASTE || about.answer === null ? null : request);
  const start = useAction(
    useCallback(async () => {
      await ask(api.jobs.$post, { json: request });
      onStarted();
      focusHeading();
    }, [request, onStarted]),
  );
  const done = useCallback(
    (evaluation: string) => {
      setPasting(false);
      goTo(to(["books", book.id, "letter"], { reading: evaluation }));
    },
    [book.id],
  );
  if (isPasting) return <PasteBox bookId={book.id} onDone={done} onStop={() => setPasting(false)} />;
  // Whoever has had the story read, or reads on a phone, wants the letter first.
  return (
    <details className="panel model-reading" open={letter.story === null && isWide}>
      <summary>
        <strong>{texts.modelTitle}</strong>{" "}
        <span role="status" className="muted whole">
          {judge === PASTE
            ? about.answer === null
              ? ""
              : texts.modelPasteHint
            : plan
              ? offerInWords(plan, texts, language)
              : problem || about.answer === null
                ? ""
                : texts.modelPricing}
        </span>
      </summary>
      <p className="hint">{texts.modelHint}</p>
      {about.problem ? <ProblemNotice problem={about.problem} again={about.reload} /> : null}
      {about.answer && ready.length === 0 ? (
        <p className="hint">
          <Coded text={texts.modelNone} /> <a href={to(["settings"])}>{texts.settings}</a>
        </p>
      ) : null}
      <form
        className="model-choice"
        onSubmit={(event) => {
          event.preventDefault();
          if (judge === PASTE) setPasting(true);
          else void start.run();
        }}
      >
        {ready.length > 0 ? (
          <label>
            {texts.modelJudge}{" "}
            <select value={judge} onChange={(event) => setWanted(event.target.value)}>
              {ready.map((name) => (
                <option key={name} value={name}>
                  {judgeName(name, texts)}
                </option>
              ))}
              <option value={PASTE}>{texts.modelPaste}</option>
            </select>
          </label>
        ) : null}
        <button
          type="submit"
          className="primary"
          disabled={about.answer === null || start.isBusy || (judge !== PASTE && plan === null)}
        >
          {judge === PASTE ? texts.modelPaste : texts.modelStart}
        </button>
        <span className="muted">{plan?.mostCost ? texts.modelMost(money(plan.mostCost)) : ""}</span>
      </form>
      {judge === PASTE ? null : (
        <label className="hint model-depth">
          <input type="checkbox" checked={isFull} onChange={(event) => setFull(event.target.checked)} />
          <span>{texts.modelFull}</span>
        </label>
      )}
      {plan?.obstacles.map((obstacle) => (
        <p key={obstacle} className="hint">
          {obstacle}
        </p>
      ))}
      {problem ? <ProblemNotice problem={problem} /> : null}
      {start.problem ? <ProblemNotice problem={start.problem} /> : null}
    </details>
  );
}

/** "about $0.85, about 4 minutes". An unknown price is not a price of nothing, nor an unknown time no time. */
function offerInWords({ calls, known, cost, seconds }: EvaluationPlan, texts: Texts, language: Language): string {
  if (calls === known) return texts.modelRead;
  const price =
    cost === null ? texts.modelPriceUnknown : cost === 0 ? texts.modelNoCharge : texts.modelAbout(money(cost));
  return [price, ...(seconds === null ? [] : [texts.modelAbout(durationInWords(seconds, language))])].join(", ");
}

/** What a reading would cost; null while that is worked out. */
function usePrice(request: EvaluationRequest | null): {
  readonly plan: EvaluationPlan | null;
  readonly problem: Error | null;
} {
  const [known, setKnown] = useState<{
    readonly request: EvaluationRequest | null;
    readonly plan: EvaluationPlan | null;
    readonly problem: Error | null;
  }>({ request: null, plan: null, problem: null });
  useEffect(() => {
    if (!request) return;
    const abort = new AbortController();
    askUntil(abort.signal, api.plans.$post, { json: request }).then(
      (plan) => setKnown({ request, plan, problem: null }),
      (error: unknown) => {
        if (abort.signal.aborted) return;
        setKnown({ request, plan: null, problem: error instanceof Error ? error : new Error(String(error)) });
      },
    );
    return () => abort.abort();
  }, [request]);
  return known.request === request ? known : { plan: null, problem: null };
}
