import { useCallback, useRef, useState } from "react";
import type { QuestionResult } from "../../../src/api/questions.ts";
import { send } from "../../api/request.ts";
import { Field } from "../../parts/field.tsx";
import { useAction } from "../../parts/use-action.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { useTexts } from "../../texts/preferences.tsx";

interface UploadFormProps {
  readonly path: string;
  readonly label: string;
  readonly onScored: () => void;
}

export function UploadForm({ path, label, onScored }: UploadFormProps) {
  const texts = useTexts();
  const file = useRef<HTMLInputElement>(null);
  const [chosenName, setChosenName] = useState("");
  const [leftOut, setLeftOut] = useState<NonNullable<QuestionResult["leftOut"]>>([]);
  const scoring = useAction(
    useCallback(async () => {
      const chosen = file.current?.files?.[0];
      if (!chosen) return;
      const form = new FormData();
      form.append("file", chosen, chosen.name);
      setLeftOut([]);
      const scored = await send<QuestionResult>("POST", path, form);
      setLeftOut(scored.leftOut ?? []);
      onScored();
    }, [path, onScored]),
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
