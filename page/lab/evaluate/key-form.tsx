import { useCallback, useState } from "react";
import type { KeyRequest } from "../../../src/api/about.ts";
import { send } from "../../api/request.ts";
import { Field } from "../../parts/field.tsx";
import { useAction } from "../../parts/use-action.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { useTexts } from "../../texts/preferences.tsx";

/** A provider's key for this session. The server holds it in memory; the web app forgets it at once. */
export function KeyForm({ variable, onKey }: { readonly variable: string; readonly onKey: () => void }) {
  const texts = useTexts();
  const [key, setKey] = useState("");
  const use = useAction(
    useCallback(async () => {
      const request: KeyRequest = { variable, key };
      setKey("");
      await send("POST", "/api/keys", request);
      onKey();
    }, [variable, key, onKey]),
  );
  return (
    <details className="key-form">
      <summary>{texts.keyFor(variable)}</summary>
      <Field label={texts.keyFor(variable)} hint={texts.keyHint}>
        {(attributes) => (
          <input
            {...attributes}
            type="password"
            autoComplete="off"
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        )}
      </Field>
      <button type="button" disabled={key.trim() === "" || use.isBusy} onClick={() => void use.run()}>
        {texts.keyUse}
      </button>
      {use.problem ? <ProblemNotice problem={use.problem} /> : null}
    </details>
  );
}
