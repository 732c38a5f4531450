import { useCallback, useEffect, useState } from "react";
import type { RatingGiven, RatingTask } from "../../../src/api/questions.ts";
import { address, send } from "../../api/request.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { useAction } from "../../parts/use-action.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { to, type ViewProps } from "../../routing.ts";
import { useTexts } from "../../texts/preferences.tsx";
import "./questions.css";

/** A rater's sheet: one answer at a time, rated with the keys 1 to 5; each rating is kept at once, so it can be left and resumed. */
export default function RateView({ route }: ViewProps) {
  const texts = useTexts();
  const id = route.path[1]!;
  const rater = route.query.get("rater") ?? "";
  const setting = route.query.get("setting") === "summary" ? "summary" : "reference";
  const task = useAnswer<RatingTask>(address(`/api/questions/${id}/rating`, { rater, setting }));
  const back = <a href={to(["questions", id])}>{texts.backToRun}</a>;
  return (
    <View title={texts.rateHeading} kicker={back}>
      <Waiting asked={task}>
        {(found) =>
          found.items.length === 0 ? <p>{texts.rateNothing}</p> : <Sheet id={id} rater={rater} task={found} />
        }
      </Waiting>
    </View>
  );
}

interface SheetProps {
  readonly id: string;
  readonly rater: string;
  readonly task: RatingTask;
}

function Sheet({ id, rater, task: { items, ratings: before } }: SheetProps) {
  const texts = useTexts();
  const [ratings, setRatings] = useState<Readonly<Record<string, number>>>(before);
  const [place, setPlace] = useState(() => firstUnrated(items, before));
  const saving = useAction(
    useCallback((given: RatingGiven) => send<void>("PUT", `/api/questions/${id}/rating`, given), [id]),
  );
  const item = items[place]!;
  const { run } = saving;
  const rate = useCallback(
    (rating: number | null) => {
      setRatings((all) => {
        const { [item.id]: _before, ...others } = all;
        return rating === null ? others : { ...others, [item.id]: rating };
      });
      void run({ rater, item: item.id, rating });
      if (rating !== null && place + 1 < items.length) setPlace(place + 1);
    },
    [item, items.length, place, rater, run],
  );
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (/^[1-5]$/.test(event.key)) rate(Number(event.key));
      else if (event.key === "Backspace" || event.key === "Delete") rate(null);
      else if (event.key === "ArrowRight" || event.key === "ArrowDown") setPlace(Math.min(items.length - 1, place + 1));
      else if (event.key === "ArrowLeft" || event.key === "ArrowUp") setPlace(Math.max(0, place - 1));
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [rate, items.length, place]);
  const done = items.filter(({ id: one }) => ratings[one] !== undefined).length;
  return (
    <>
      <p className="hint" role="status">
        {texts.ratePlace(place + 1, items.length)} · {texts.rateProgress(done, items.length)}
        {done === items.length ? ` · ${texts.rateDone}` : ""}
      </p>
      <p className="hint">{texts.rateKeys}</p>
      {saving.problem ? <ProblemNotice problem={saving.problem} again={() => rate(ratings[item.id] ?? null)} /> : null}
      <article className="panel rating-item">
        {item.title ? <p className="kicker">{item.title}</p> : null}
        <h2>{item.question}</h2>
        {item.summary ? (
          <details open>
            <summary>{texts.summaryLabel}</summary>
            <p className="rating-summary">{item.summary}</p>
          </details>
        ) : null}
        <p>
          <strong>{texts.referencesLabel}:</strong> {item.references.join(" · ")}
        </p>
        <p className="rating-answer">
          <strong>{texts.answerLabel}:</strong> {item.answer}
        </p>
        <fieldset className="rating-scale">
          <legend>{texts.yourRating}</legend>
          {texts.rateScale.map((meaning, index) => (
            <button
              key={meaning}
              type="button"
              aria-pressed={ratings[item.id] === index + 1}
              className={ratings[item.id] === index + 1 ? "primary" : ""}
              onClick={() => rate(index + 1)}
            >
              {index + 1} {meaning}
            </button>
          ))}
        </fieldset>
      </article>
    </>
  );
}

/** Where a rater left off. */
function firstUnrated(items: RatingTask["items"], ratings: Readonly<Record<string, number>>): number {
  const found = items.findIndex(({ id }) => ratings[id] === undefined);
  return found < 0 ? 0 : found;
}
