import type { About } from "../../../src/api/about.ts";
import { useNames, useTexts } from "../../texts/preferences.tsx";

export function AspectChoices({
  aspects,
  chosen,
  onChoose,
}: {
  readonly aspects: About["aspects"];
  readonly chosen: readonly string[];
  readonly onChoose: (aspects: readonly string[]) => void;
}) {
  const texts = useTexts();
  const names = useNames();
  return (
    <fieldset>
      <legend>{texts.chooseAspects}</legend>
      <div className="choices">
        {aspects.map((aspect) => (
          <label className="choice" key={aspect.id} title={names.definition(aspect.id, aspect.definition)}>
            <input
              type="checkbox"
              checked={chosen.includes(aspect.id)}
              onChange={(event) =>
                onChoose(
                  aspects
                    .map(({ id }) => id)
                    .filter((id) => (id === aspect.id ? event.target.checked : chosen.includes(id))),
                )
              }
            />
            <span>{names.aspect(aspect.id, aspect.name)}</span>
          </label>
        ))}
      </div>
      {chosen.length < aspects.length ? (
        <button type="button" className="quiet" onClick={() => onChoose(aspects.map((aspect) => aspect.id))}>
          {texts.allAspects}
        </button>
      ) : null}
    </fieldset>
  );
}
