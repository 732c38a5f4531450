import { useCallback, useEffect, useMemo, useState } from "react";
import type { About } from "../../../src/api/about.ts";
import type { BookSummary } from "../../../src/api/books.ts";
import type { EvaluationPlan, EvaluationRequest, Job } from "../../../src/api/jobs.ts";
import type { OpenLetter } from "../../../src/api/letters.ts";
import { send } from "../../api/request.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { Coded } from "../../parts/coded.tsx";
import { money } from "../../parts/formats.ts";
import { isEmbedded, judgeName } from "../../parts/judges/judge-name.ts";
import { useAction } from "../../parts/use-action.ts";
import { useMedia } from "../../parts/use-media.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { goTo, to } from "../../routing.ts";
import type { Texts } from "../../texts/english.ts";
import { useTexts } from "../../texts/preferences.tsx";
import { PasteBox } from "./paste-box.tsx";

/** The judge that is the writer with a chat window. */
const PASTE = "paste";

/** A language model for the story: the judges that work here, and the price before anything is sent. */
export function ModelReading({
  book,
  letter,
  path,
  onStarted,
}: {
  readonly book: BookSummary;
  readonly letter: OpenLetter;
  readonly path: string;
  readonly onStarted: () => void;
}) {
  const texts = useTexts();
  const about = useAnswer<About>("/api/about");
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
      await send<Job>("POST", "/api/jobs", request);
      onStarted();
    }, [request, onStarted]),
  );
  const done = useCallback(
    (evaluation: string) => {
      setPasting(false);
      goTo(to(["books", book.id, "letter"], { reading: evaluation }));
    },
    [book.id],
  );
  if (isPasting) return <PasteBox path={path} onDone={done} onStop={() => setPasting(false)} />;
  // Whoever has had the story read, or reads on a phone, wants the letter first.
  return (
    <details className="panel model-reading" open={letter.story === null && isWide}>
      <summary>
        <strong>{texts.modelTitle}</strong>
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
        <button type="submit" className="primary" disabled={start.isBusy || (judge !== PASTE && plan === null)}>
          {judge === PASTE ? texts.modelPaste : texts.modelStart}
        </button>
        <span role="status" className="muted">
          {judge === PASTE ? texts.covered : plan ? priceInWords(plan, texts) : problem ? "" : texts.modelPricing}
        </span>
      </form>
      {judge === PASTE ? null : (
        <label className="hint">
          <input type="checkbox" checked={isFull} onChange={(event) => setFull(event.target.checked)} />{" "}
          {texts.modelFull}
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

/** An unknown price is not a price of nothing. */
function priceInWords({ calls, cost, mostCost }: EvaluationPlan, texts: Texts): string {
  if (calls === 0) return texts.modelFree;
  if (cost === null) return texts.modelPriceUnknown;
  if (cost === 0) return money(0);
  return [texts.modelPrice(money(cost)), ...(mostCost === null ? [] : [texts.modelMost(money(mostCost))])].join(", ");
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
    send<EvaluationPlan>("POST", "/api/plans", request, abort.signal).then(
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
