import { useCallback, useRef, useState } from "react";
import type { QuestionResult } from "../../../src/api/questions.ts";
import { api, ask } from "../../api/client.ts";
import { Field } from "../../parts/field.tsx";
import { useAction } from "../../parts/use-action.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { useTexts } from "../../texts/preferences.tsx";

interface UploadFormProps {
  /** The run that answers are added to; null begins one. */
  readonly run: string | null;
  readonly label: string;
  readonly onScored: () => void;
}

export function UploadForm({ run, label, onScored }: UploadFormProps) {
  const texts = useTexts();
  const file = useRef<HTMLInputElement>(null);
  const [chosenName, setChosenName] = useState("");
  const [leftOut, setLeftOut] = useState<NonNullable<QuestionResult["leftOut"]>>([]);
  const scoring = useAction(
    useCallback(async () => {
      setLeftOut([]);
      let joined = run;
      // One after the other: each joins the run of the one before it.
      for (const chosen of file.current?.files ?? []) {
        const form = { file: chosen };
        const scored: QuestionResult = await (joined === null
          ? ask(api.questions.$post, { form })
          : ask(api.questions[":id"].files.$post, { param: { id: joined }, form }));
        setLeftOut((before) => [...before, ...(scored.leftOut ?? [])]);
        joined = scored.id;
      }
      onScored();
    }, [run, onScored]),
  );
  return (
    <form
      className="toolbar panel"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        void scoring.run();
      }}
    >
      <Field label={texts.answersFile} hint={texts.questionsFile}>
        {(attributes) => (
          <input
            {...attributes}
            ref={file}
            type="file"
            multiple
            required
            accept=".jsonl,.json"
            onChange={(event) => setChosenName(event.target.value)}
          />
        )}
      </Field>
      <button type="submit" className="primary" disabled={scoring.isBusy || chosenName === ""}>
        {texts.scoreButton}
      </button>
      {leftOut[0] ? (
        <p role="status">{texts.linesLeftOut(leftOut.length, leftOut[0].line, leftOut[0].reason)}</p>
      ) : null}
      {scoring.problem ? <ProblemNotice problem={scoring.problem} /> : null}
    </form>
  );
}
