import type { About } from "../../../src/api/about.ts";
import { isEmbedded } from "../../parts/judges/judge-name.ts";
import { useNames, useTexts } from "../../texts/preferences.tsx";

export function MethodChoices({
  methods,
  judges,
  chosen,
  onChoose,
}: {
  readonly methods: About["methods"];
  readonly judges: readonly string[];
  readonly chosen: string;
  readonly onChoose: (method: string) => void;
}) {
  const texts = useTexts();
  const names = useNames();
  // An embedded judge reads in its own way whatever is chosen; the choice is for language models.
  const isIdle = judges.every(isEmbedded);
  return (
    <fieldset disabled={isIdle} hidden={isIdle}>
      <legend>{texts.chooseMethod}</legend>
      <div className="choices single">
        {methods.map((method) => (
          <label className="choice" key={method.id}>
            <input type="radio" name="method" checked={chosen === method.id} onChange={() => onChoose(method.id)} />
            <span>{names.method(method.id, method.name)}</span>
            <small>{names.explanation(method.id, method.explanation)}</small>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
