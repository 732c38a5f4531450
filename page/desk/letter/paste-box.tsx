import { useCallback, useEffect, useState } from "react";
import type { PastedReply, PasteState } from "../../../src/api/letters.ts";
import { get, send } from "../../api/request.ts";
import { useAnnouncer } from "../../parts/announcer.tsx";
import { Field } from "../../parts/field.tsx";
import { useAction } from "../../parts/use-action.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { useTexts } from "../../texts/preferences.tsx";

/** A model in a chat window, with the writer in between: each question is copied, each reply is pasted and checked. */
export function PasteBox({
  path,
  onDone,
  onStop,
}: {
  readonly path: string;
  readonly onDone: (evaluation: string) => void;
  readonly onStop: () => void;
}) {
  const texts = useTexts();
  const announce = useAnnouncer();
  const [state, setState] = useState<PasteState | null>(null);
  const [reply, setReply] = useState("");
  const [copied, setCopied] = useState<string | null>(null);
  const take = useCallback(
    (next: PasteState) => {
      setState(next);
      if (next.problems.length > 0) return;
      setReply("");
      setCopied(null);
      if (next.evaluationId !== null) {
        announce(texts.pasteDone);
        onDone(next.evaluationId);
      } else if (next.answered > 0) announce(texts.pasteTaken);
    },
    [announce, onDone, texts],
  );
  const begin = useAction(useCallback(async () => take(await get<PasteState>(`${path}/paste`)), [path, take]));
  const check = useAction(
    useCallback(
      async (pasted: PastedReply) => take(await send<PasteState>("POST", `${path}/paste`, pasted)),
      [path, take],
    ),
  );
  const { run } = begin;
  useEffect(() => void run(), [run]);
  const copy = (text: string) =>
    void navigator.clipboard.writeText(text).then(
      () => {
        setCopied(text);
        announce(texts.pasteCopied);
      },
      // Without leave to write to the clipboard the question can still be marked and copied by hand.
      () => document.querySelector<HTMLTextAreaElement>(".paste-question textarea")?.select(),
    );
  const question = state?.question ?? null;
  return (
    <section className="panel paste-box" aria-label={texts.modelPaste}>
      <p>{texts.pasteExplain}</p>
      {begin.problem ? <ProblemNotice problem={begin.problem} again={() => void run()} /> : null}
      {question === null && !begin.problem ? <p className="muted">{texts.pasteWaiting}</p> : null}
      {question && state ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void check.run({ question: question.id, reply });
          }}
        >
          <h2 className="form-heading">{texts.pasteTitleOf(state.answered + 1)}</h2>
          <div className="actions">
            <button type="button" className="primary" onClick={() => copy(question.prompt)}>
              {texts.pasteCopy}
            </button>
            {question.full === question.prompt ? null : (
              <button type="button" onClick={() => copy(question.full)}>
                {texts.pasteCopyFull}
              </button>
            )}
            <span className="muted">
              {copied === null ? texts.pasteWords(question.words.toLocaleString("en-GB")) : texts.pasteCopied}
            </span>
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
          {state.problems.length > 0 ? (
            <div className="notice problem" role="alert">
              <p>
                {texts.pasteNotTaken} {state.problems.join("; ")}. {texts.pasteCorrect}
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
      ) : null}
    </section>
  );
}
