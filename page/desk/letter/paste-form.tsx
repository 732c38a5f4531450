import { useState } from "react";
import type { PasteQuestion } from "../../../src/api/letters.ts";
import { useAnnouncer } from "../../parts/announcer.tsx";
import { Field } from "../../parts/field.tsx";
import type { Action } from "../../parts/use-action.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { count } from "../../texts/language.ts";
import { useTexts } from "../../texts/preferences.tsx";

/** The judge that is the writer with a chat window. */
export const PASTE = "paste";

/** One question for a chat window: copied from here, and its reply pasted and checked. */
export function PasteForm({
  title,
  question,
  problems,
  check,
  onStop,
}: {
  readonly title: string;
  readonly question: PasteQuestion;
  /** What is wrong with the reply that was pasted last. */
  readonly problems: readonly string[];
  readonly check: Action<[reply: string]>;
  readonly onStop: () => void;
}) {
  const texts = useTexts();
  const announce = useAnnouncer();
  const [reply, setReply] = useState("");
  const [isCopied, setCopied] = useState(false);
  const copy = (text: string) =>
    void navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        announce(texts.pasteCopied);
      },
      // Without leave to write to the clipboard the question can still be marked and copied by hand.
      () => document.querySelector<HTMLTextAreaElement>(".paste-question textarea")?.select(),
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void check.run(reply);
      }}
    >
      <h2 className="form-heading">{title}</h2>
      <div className="actions">
        <button type="button" className="primary" onClick={() => copy(question.prompt)}>
          {texts.pasteCopy}
        </button>
        {question.full === question.prompt ? null : (
          <button type="button" onClick={() => copy(question.full)}>
            {texts.pasteCopyFull}
          </button>
        )}
        <span className="muted">{isCopied ? texts.pasteCopied : texts.pasteWords(count(question.words))}</span>
      </div>
      <details className="paste-question">
        <summary>{texts.pasteQuestion}</summary>
        <textarea aria-label={texts.pasteQuestion} readOnly rows={8} value={question.prompt} />
      </details>
      <Field label={texts.pasteReply}>
        {(attributes) => (
          <textarea
            {...attributes}
            required
            rows={8}
            value={reply}
            onChange={(event) => setReply(event.target.value)}
          />
        )}
      </Field>
      {problems.length > 0 ? (
        <div className="notice problem" role="alert">
          <p>
            {texts.pasteNotTaken} {problems.join("; ")}. {texts.pasteCorrect}
          </p>
        </div>
      ) : null}
      {check.problem ? <ProblemNotice problem={check.problem} /> : null}
      <div className="actions">
        <button type="submit" className="primary" disabled={check.isBusy || reply.trim() === ""}>
          {texts.pasteCheck}
        </button>
        <button type="button" className="quiet" onClick={onStop}>
          {texts.pasteStop}
        </button>
      </div>
    </form>
  );
}
