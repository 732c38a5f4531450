import { useState } from "react";
import type { JudgeChoice, KeyRequest } from "../../../src/api/about.ts";
import { api, ask } from "../../api/client.ts";
import { ActionButton } from "../../parts/action.tsx";
import { Input } from "../../parts/field.tsx";
import { isEmbedded, judgeName, speakerOf } from "../../parts/judges/judge-name.ts";
import { useTexts } from "../../texts/preferences.tsx";

/** A provider's key for this session. The server holds it in memory; the web app forgets it at once. */
export function KeyForm({ variable, onKey }: { readonly variable: string; readonly onKey: () => void }) {
  const texts = useTexts();
  const [key, setKey] = useState("");
  return (
    <details className="key-form">
      <summary>{texts.keyFor(variable)}</summary>
      <Input
        label={texts.keyFor(variable)}
        hint={texts.keyHint}
        type="password"
        autoComplete="off"
        value={key}
        onChange={(event) => setKey(event.target.value)}
      />
      <ActionButton
        disabled={key.trim() === ""}
        act={async () => {
          const request: KeyRequest = { variable, key };
          setKey("");
          await ask(api.keys.$post, { json: request });
          onKey();
        }}
      >
        {texts.keyUse}
      </ActionButton>
    </details>
  );
}

/** The judges the server knows, with what is missing where one is not ready, and room for another by name. */
export function JudgeChoices({
  judges,
  language,
  chosen,
  onChoose,
  onKey,
}: {
  readonly judges: readonly JudgeChoice[];
  /** The language of the book to be judged. */
  readonly language: string | null;
  readonly chosen: readonly string[];
  readonly onChoose: (judges: readonly string[]) => void;
  /** A key was given: more judges may be ready. */
  readonly onKey: () => void;
}) {
  const texts = useTexts();
  const [other, setOther] = useState(() => chosen.find((judge) => !judges.some(({ name }) => name === judge)) ?? "");
  const known = new Set(judges.map((judge) => judge.name));
  const named = chosen.filter((judge) => known.has(judge));
  const canRead = (judge: JudgeChoice) => readsLanguage(judge.languages, language);
  const missing = [...new Set(judges.flatMap(({ missingKey }) => missingKey ?? []))];
  return (
    <fieldset>
      <legend>{texts.chooseJudge}</legend>
      <div className="choices single">
        {judges.map((judge) => (
          <label className="choice" key={judge.name}>
            <input
              type="checkbox"
              checked={chosen.includes(judge.name)}
              disabled={!judge.isReady || (!canRead(judge) && !chosen.includes(judge.name))}
              onChange={(event) => {
                const others = chosen.filter((candidate) => candidate !== judge.name);
                onChoose(event.target.checked ? together(others, judge.name) : others);
              }}
            />
            <span>
              {judgeName(judge.name, texts)}{" "}
              {judge.isReady ? null : <span className="tag quiet">{texts.judgeNotReady}</span>}
            </span>
            {speakerOf(judge.name, texts) === null ? null : <small>{speakerOf(judge.name, texts)}</small>}
            {judge.name === "jury" ? <small>{texts.judgeEmbeddedHint}</small> : null}
            {canRead(judge) || language === null ? null : <small>{texts.judgeOtherLanguage(language)}</small>}
            {judge.missingKey === null ? null : <small>{texts.judgeNoKey(judge.missingKey)}</small>}
          </label>
        ))}
      </div>
      {judges.every(canRead) ? null : <p className="hint">{texts.judgeLanguageHint}</p>}
      {missing.map((variable) => (
        <KeyForm key={variable} variable={variable} onKey={onKey} />
      ))}
      <Input
        label={texts.judgeOther}
        hint={texts.judgeOtherHint}
        value={other}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          setOther(event.target.value);
          const name = event.target.value.trim();
          onChoose(name === "" || known.has(name) ? named : together(named, name));
        }}
      />
    </fieldset>
  );
}

/** A language that is not known is left to the judge. */
export function readsLanguage(languages: readonly string[] | null, language: string | null): boolean {
  return languages === null || language === null || languages.includes(language);
}

/** An embedded judge is never averaged with others; language models may sit on a panel. */
function together(others: readonly string[], judge: string): readonly string[] {
  return isEmbedded(judge) ? [judge] : [...others.filter((other) => !isEmbedded(other)), judge];
}
