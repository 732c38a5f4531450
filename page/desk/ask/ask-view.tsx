import { useCallback, useState } from "react";
import type { AskAnswer, AskRequest } from "../../../src/api/letters.ts";
import { api, ask } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { useAnnouncer } from "../../parts/announcer.tsx";
import { Coded } from "../../parts/coded.tsx";
import { Field } from "../../parts/field.tsx";
import { money } from "../../parts/formats.ts";
import { isEmbedded, judgeName } from "../../parts/judges/judge-name.ts";
import { useAction } from "../../parts/use-action.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { to, type ViewProps } from "../../routing.ts";
import { useReason, useTexts } from "../../texts/preferences.tsx";
import { BookTabs } from "../book-tabs.tsx";
import { PassageInPlace } from "../letter/passage-pane.tsx";
import "../letter/letter.css";

interface Asked extends AskAnswer {
  readonly question: string;
}

/** Questions to the book, each answered with passages that lead to their places. */
export default function AskView({ route }: ViewProps) {
  const texts = useTexts();
  const id = route.path[1] ?? "";
  const book = useAnswer(api.books[":id"], { param: { id } });
  const about = useAnswer(api.about);
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
          return ready.length === 0 ? (
            <p>
              <Coded text={texts.modelNone} /> <a href={to(["settings"])}>{texts.settings}</a>
            </p>
          ) : (
            <Questions bookId={id} language={book.answer?.language ?? null} judges={ready} />
          );
        }}
      </Waiting>
    </View>
  );
}

function Questions({
  bookId,
  language,
  judges,
}: {
  readonly bookId: string;
  readonly language: string | null;
  readonly judges: readonly string[];
}) {
  const texts = useTexts();
  const announce = useAnnouncer();
  const [question, setQuestion] = useState("");
  const [judge, setJudge] = useState(judges[0]!);
  const [answers, setAnswers] = useState<readonly Asked[]>([]);
  const [price, setPrice] = useState<string | null>(null);
  const estimate = useAction(
    useCallback(
      async (request: AskRequest) => {
        const { plan } = await ask(api.books[":id"].ask.$post, {
          param: { id: bookId },
          json: { ...request, isPlan: true },
        });
        const cost = plan?.cost ?? null;
        setPrice(
          cost === null ? texts.modelPriceUnknown : cost === 0 ? texts.modelNoCharge : texts.modelAbout(money(cost)),
        );
      },
      [texts, bookId],
    ),
  );
  const asking = useAction(
    useCallback(
      async (request: AskRequest) => {
        const answer = await ask(api.books[":id"].ask.$post, { param: { id: bookId }, json: request });
        setAnswers((known) => [{ ...answer, question: request.question }, ...known]);
        announce(answer.answer?.answer ?? texts.askNotSaid);
      },
      [announce, texts, bookId],
    ),
  );
  const request = { question: question.trim(), judge };
  return (
    <>
      <form
        className="panel"
        onSubmit={(event) => {
          event.preventDefault();
          if (!asking.isBusy) void asking.run(request);
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
              onBlur={() => {
                if (request.question !== "") void estimate.run(request);
              }}
            />
          )}
        </Field>
        <div className="ask-choice">
          <label>
            {texts.modelJudge}{" "}
            <select value={judge} onChange={(event) => setJudge(event.target.value)}>
              {judges.map((name) => (
                <option key={name} value={name}>
                  {judgeName(name, texts)}
                </option>
              ))}
            </select>
          </label>
          <button type="submit" className="primary" disabled={request.question === ""}>
            {texts.askStart}
          </button>
          <span className="muted" role="status">
            {asking.isBusy ? texts.askWaiting : (price ?? "")}
          </span>
        </div>
        {asking.problem ? <ProblemNotice problem={asking.problem} /> : null}
      </form>
      {answers.map((answer, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the newest comes first, and what was asked twice is shown twice.
        <AnswerFromBook key={answers.length - at} asked={answer} bookId={bookId} language={language} />
      ))}
    </>
  );
}

function AnswerFromBook({
  asked: { question, answer, reason },
  bookId,
  language,
}: {
  readonly asked: Asked;
  readonly bookId: string;
  readonly language: string | null;
}) {
  const texts = useTexts();
  const inWords = useReason();
  return (
    <article className="book-answer">
      <h3>{question}</h3>
      {answer === null ? <p>{inWords(reason ?? texts.askNotSaid)}</p> : null}
      {answer?.said ? <p className="prose">{answer.answer}</p> : null}
      {answer && !answer.said ? <p>{answer.isUnsupported ? texts.askUnsupported : texts.askNotSaid}</p> : null}
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
