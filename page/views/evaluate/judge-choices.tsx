import { useState } from "react";
import type { JudgeChoice } from "../../../src/api/about.ts";
import { Field } from "../../parts/field.tsx";
import { useTexts } from "../../texts/preferences.tsx";

/** The judges the server knows, with what is missing where one is not ready, and room for another by name. */
export function JudgeChoices({
  judges,
  chosen,
  onChoose,
}: {
  readonly judges: readonly JudgeChoice[];
  readonly chosen: readonly string[];
  readonly onChoose: (judges: readonly string[]) => void;
}) {
  const texts = useTexts();
  const [other, setOther] = useState("");
  const known = new Set(judges.map((judge) => judge.name));
  const named = chosen.filter((judge) => known.has(judge));
  return (
    <fieldset>
      <legend>{texts.chooseJudge}</legend>
      <div className="choices single">
        {judges.map((judge) => (
          <label className="choice" key={judge.name}>
            <input
              type="checkbox"
              checked={chosen.includes(judge.name)}
              disabled={!judge.isReady}
              onChange={(event) => {
                const others = chosen.filter((candidate) => candidate !== judge.name);
                onChoose(event.target.checked ? together(others, judge.name) : others);
              }}
            />
            <span>
              {judge.name} {judge.isReady ? null : <span className="tag quiet">{texts.judgeNotReady}</span>}
            </span>
            {judge.name === "pocket" ? <small>{texts.judgePocketHint}</small> : null}
            {judge.missingKey === null ? null : <small>{texts.judgeNoKey(judge.missingKey)}</small>}
          </label>
        ))}
      </div>
      <Field label={texts.judgeOther} hint={texts.judgeOtherHint}>
        {(attributes) => (
          <input
            {...attributes}
            value={other}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => {
              setOther(event.target.value);
              const name = event.target.value.trim();
              onChoose(name === "" || known.has(name) ? named : together(named, name));
            }}
          />
        )}
      </Field>
    </fieldset>
  );
}

/** The pocket judge judges alone; language models may sit on a panel. */
function together(others: readonly string[], judge: string): readonly string[] {
  return judge === "pocket" ? [judge] : [...others.filter((other) => other !== "pocket"), judge];
}
