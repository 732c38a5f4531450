import { useEffect, useState } from "react";
import type { AskAnswer, AskedByHand, AskRequest, KeptAnswer } from "../../../src/api/letters.ts";
import { api, ask, askUntil } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { useAnnouncer } from "../../parts/announcer.tsx";
import { Coded } from "../../parts/coded.tsx";
import { Field } from "../../parts/field.tsx";
import { moment, money } from "../../parts/formats.ts";
import { isEmbedded, judgeName } from "../../parts/judges/judge-name.ts";
import { useAction } from "../../parts/use-action.ts";
import { useDebounced } from "../../parts/use-debounced.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { to, type ViewProps } from "../../routing.ts";
import type { Texts } from "../../texts/english.ts";
import { usePreferences, useReason, useTexts } from "../../texts/preferences.tsx";
import { BookTabs } from "../book-tabs.tsx";
import { PassageInPlace } from "../letter/passage-pane.tsx";
import { PASTE, PasteForm } from "../letter/paste-form.tsx";
import "../letter/letter.css";

/** Questions to the book, each answered with passages that lead to their places, and kept with the book. */
export default function AskView({ route }: ViewProps) {
  const texts = useTexts();
  const id = route.path[1] ?? "";
  const book = useAnswer(api.books[":id"], { param: { id } });
  const about = useAnswer(api.about);
  const kept = useAnswer(api.books[":id"].ask, { param: { id } });
  return (
    <View
      title={book.answer?.title ?? texts.askTitle}
      kicker={<a href={to(["library"])}>{texts.library}</a>}
      className="narrow"
    >
      <BookTabs book={{ id }} current="ask" />
      <h2>{texts.askTitle}</h2>
      <p className="hint">{texts.askHint}</p>
      <Waiting asked={about}>
        {({ judges }) => {
          const ready = judges.filter(({ name, isReady }) => isReady && !isEmbedded(name)).map(({ name }) => name);
          return (
            <>
              {ready.length === 0 ? (
                <p className="hint">
                  <Coded text={texts.modelNone} /> <a href={to(["settings"])}>{texts.settings}</a>
                </p>
              ) : null}
              <Question key={id} bookId={id} judges={[...ready, PASTE]} onAnswered={kept.reload} />
            </>
          );
        }}
      </Waiting>
      <Waiting asked={kept}>
        {(answers) =>
          answers.map((answer) => (
            <AnswerFromBook
              key={`${answer.judge} ${answer.question}`}
              kept={answer}
              bookId={id}
              language={book.answer?.language ?? null}
            />
          ))
        }
      </Waiting>
    </View>
  );
}

function Question({
  bookId,
  judges,
  onAnswered,
}: {
  readonly bookId: string;
  readonly judges: readonly string[];
  readonly onAnswered: () => void;
}) {
  const texts = useTexts();
  const inWords = useReason();
  const announce = useAnnouncer();
  const [question, setQuestion] = useState("");
  const [judge, setJudge] = useState(judges[0]!);
  const [byHand, setByHand] = useState<AskedByHand | null>(null);
  const wanted = question.trim();
  const isByHand = judge === PASTE;
  const price = usePrice(bookId, wanted, isByHand ? null : judge);
  const canAsk = wanted !== "" && (isByHand || price.plan !== null);
  const tell = (answer: KeptAnswer) => {
    announce(answerInWords(answer, texts, inWords));
    onAnswered();
  };
  const asking = useAction(async () => {
    if (isByHand) {
      setByHand(await ask(api.books[":id"].ask.paste.$post, { param: { id: bookId }, json: { question: wanted } }));
      return;
    }
    const request: AskRequest = { question: wanted, judge };
    const { kept } = await ask(api.books[":id"].ask.$post, { param: { id: bookId }, json: request });
    if (kept?.answer === null) {
      onAnswered();
      // The list may go on showing an earlier answer: why this call failed stands here, and is read out as an alert.
      throw new Error(answerInWords(kept, texts, inWords));
    }
    if (kept) tell(kept);
  });
  const check = useAction(async (reply: string) => {
    const said = await ask(api.books[":id"].ask.paste.$post, {
      param: { id: bookId },
      json: { question: wanted, reply },
    });
    if (said.answer === null) return setByHand(said);
    setByHand(null);
    tell(said.answer);
  });
  if (byHand)
    return (
      <section className="panel paste-box" aria-label={texts.modelPaste}>
        <p>{texts.askPaste}</p>
        <PasteForm
          title={wanted}
          question={byHand.asked}
          problems={byHand.problems}
          check={check}
          onStop={() => setByHand(null)}
        />
      </section>
    );
  return (
    <form
      className="panel"
      onSubmit={(event) => {
        event.preventDefault();
        if (canAsk && !asking.isBusy) void asking.run();
      }}
    >
      <Field label={texts.askQuestion}>
        {(attributes) => (
          <input
            {...attributes}
            required
            maxLength={2000}
            value={question}
            onChange={(event) => setQuestion(event.target.value)}
          />
        )}
      </Field>
      <div className="ask-choice">
        <label>
          {texts.modelJudge}{" "}
          <select value={judge} onChange={(event) => setJudge(event.target.value)}>
            {judges.map((name) => (
              <option key={name} value={name}>
                {name === PASTE ? texts.modelPaste : judgeName(name, texts)}
              </option>
            ))}
          </select>
        </label>
        {/* Until its price is there a question cannot be sent; the button keeps its place for whoever tabs to it meanwhile. */}
        <button type="submit" className="primary" aria-disabled={!canAsk}>
          {isByHand ? texts.modelPaste : texts.askStart}
        </button>
        <span className="muted" role="status">
          {asking.isBusy ? (isByHand ? texts.pasteWaiting : texts.askWaiting) : isByHand ? "" : price.words(texts)}
        </span>
      </div>
      {price.problem ? <ProblemNotice problem={price.problem} /> : null}
      {asking.problem ? <ProblemNotice problem={asking.problem} /> : null}
    </form>
  );
}

const PAUSE_MILLISECONDS = 300;

/** What a question would cost, worked out as soon as one stops typing. */
function usePrice(bookId: string, question: string, judge: string | null) {
  const settled = useDebounced(question, PAUSE_MILLISECONDS);
  const wanted = judge === null || question === "" ? null : `${judge} ${question}`;
  const [known, setKnown] = useState<{ of: string; plan: AskAnswer["plan"]; problem: Error | null } | null>(null);
  useEffect(() => {
    if (judge === null || settled === "") return;
    const abort = new AbortController();
    const of = `${judge} ${settled}`;
    const json = { question: settled, judge, isPlan: true };
    askUntil(abort.signal, api.books[":id"].ask.$post, { param: { id: bookId }, json }).then(
      ({ plan }) => setKnown({ of, plan, problem: null }),
      (error: unknown) => {
        if (abort.signal.aborted) return;
        setKnown({ of, plan: null, problem: error instanceof Error ? error : new Error(String(error)) });
      },
    );
    return () => abort.abort();
  }, [bookId, judge, settled]);
  const { plan = null, problem = null } = known?.of === wanted ? (known ?? {}) : {};
  const words = (texts: Texts) => {
    if (wanted === null || problem) return "";
    if (plan === null) return texts.modelPricing;
    if (plan.calls === plan.known) return texts.modelFree;
    if (plan.cost === null) return texts.modelPriceUnknown;
    return plan.cost === 0 ? texts.modelNoCharge : texts.modelAbout(money(plan.cost));
  };
  return { plan, problem, words };
}

/** What is shown of an answer, and read out. */
function answerInWords({ answer, reason }: KeptAnswer, texts: Texts, inWords: ReturnType<typeof useReason>): string {
  if (answer === null) return inWords(reason ?? texts.askNotSaid);
  if (answer.said) return answer.answer;
  return answer.isUnsupported ? texts.askUnsupported : texts.askNotSaid;
}

function AnswerFromBook({
  kept,
  bookId,
  language,
}: {
  readonly kept: KeptAnswer;
  readonly bookId: string;
  readonly language: string | null;
}) {
  const { texts, language: spoken } = usePreferences();
  const inWords = useReason();
  const { question, judge, askedAt, answer } = kept;
  const who = judge === PASTE ? texts.modelPaste : judgeName(judge, texts);
  return (
    <article className="book-answer">
      <h3>{question}</h3>
      <p className="hint">{texts.askBy(who, moment(askedAt, spoken))}</p>
      <p className={answer?.said ? "prose" : undefined}>{answerInWords(kept, texts, inWords)}</p>
      {answer?.shown === "parts" ? <p className="hint">{texts.askParts}</p> : null}
      {answer?.passages.map((passage) => (
        <PassageInPlace
          key={`${passage.chapter}:${passage.start}`}
          passage={passage}
          bookId={bookId}
          language={language}
        />
      ))}
    </article>
  );
}
