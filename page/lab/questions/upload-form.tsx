import { useState } from "react";
import type { QuestionResult } from "../../../src/api/questions.ts";
import { api, ask } from "../../api/client.ts";
import { ActionForm } from "../../parts/action.tsx";
import { Input } from "../../parts/field.tsx";
import { useTexts } from "../../texts/preferences.tsx";

interface UploadFormProps {
  /** The run that answers are added to; null begins one. */
  readonly run: string | null;
  readonly label: string;
  readonly onScored: () => void;
}

export function UploadForm({ run, label, onScored }: UploadFormProps) {
  const texts = useTexts();
  const [leftOut, setLeftOut] = useState<NonNullable<QuestionResult["leftOut"]>>([]);
  const score = async (given: FormData) => {
    setLeftOut([]);
    let joined = run;
    // One after the other: each joins the run of the one before it.
    for (const file of given.getAll("file").filter((one) => one instanceof File)) {
      const scored: QuestionResult = await (joined === null
        ? ask(api.questions.$post, { form: { file } })
        : ask(api.questions[":id"].files.$post, { param: { id: joined }, form: { file } }));
      setLeftOut((before) => [...before, ...(scored.leftOut ?? [])]);
      joined = scored.id;
    }
    onScored();
  };
  return (
    <ActionForm
      className="toolbar panel"
      label={label}
      submit={texts.scoreButton}
      act={score}
      below={() =>
        leftOut[0] ? (
          <p role="status">{texts.linesLeftOut(leftOut.length, leftOut[0].line, leftOut[0].reason)}</p>
        ) : null
      }
    >
      <Input
        label={texts.answersFile}
        hint={texts.questionsFile}
        name="file"
        type="file"
        multiple
        required
        accept=".jsonl,.json"
      />
    </ActionForm>
  );
}
