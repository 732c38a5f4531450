import { useCallback, useMemo } from "react";
import type { RatingGiven, RatingTask } from "../../../src/api/questions.ts";
import { api, ask } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { View } from "../../parts/view.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { to, type ViewProps } from "../../routing.ts";
import { useTexts } from "../../texts/preferences.tsx";
import { BlindSheet } from "./blind-sheet.tsx";
import "./questions.css";

/** A rater's sheet: answers rated with the keys 1 to 5. */
export default function RateView({ route }: ViewProps) {
  const texts = useTexts();
  const id = route.path[1]!;
  const rater = route.query.get("rater") ?? "";
  const setting = route.query.get("setting") === "summary" ? "summary" : "reference";
  const task = useAnswer(api.questions[":id"].rating, { param: { id }, query: { rater, setting } });
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

function Sheet({ id, rater, task: { items, ratings } }: SheetProps) {
  const texts = useTexts();
  const choices = useMemo(
    () => texts.rateScale.map((meaning, at) => ({ key: `${at + 1}`, label: `${at + 1} ${meaning}`, value: at + 1 })),
    [texts],
  );
  const save = useCallback(
    async (item: string, rating: number | null) => {
      const given: RatingGiven = { rater, item, rating };
      await ask(api.questions[":id"].rating.$put, { param: { id }, json: given });
    },
    [id, rater],
  );
  return (
    <BlindSheet
      items={items}
      before={ratings}
      choices={choices}
      legend={texts.yourRating}
      keys={texts.rateKeys}
      done={texts.rateDone}
      place={texts.ratePlace}
      progress={texts.rateProgress}
      save={save}
      show={(item) => (
        <>
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
        </>
      )}
    />
  );
}
