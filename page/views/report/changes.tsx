import type { BookEvaluation, DraftChanges } from "../../../src/api/evaluations.ts";
import { ChangeTable, type NamedChange } from "../../parts/change-table.tsx";
import { useNames, useTexts } from "../../texts/preferences.tsx";

/** How this draft differs from the earlier one, and whether that is more than the judge's own noise. */
export function Changes({
  evaluation,
  changes,
}: {
  readonly evaluation: BookEvaluation;
  readonly changes: DraftChanges;
}) {
  const texts = useTexts();
  const names = useNames();
  const whole: NamedChange[] = [
    [texts.overall, changes.overall],
    ...evaluation.aspects.flatMap((aspect): NamedChange[] => {
      const change = changes.aspects[aspect.id];
      return change ? [[names.aspect(aspect.id, aspect.name), change]] : [];
    }),
  ];
  const parts = changes.segments.map(({ title, overall }): NamedChange => [title, overall]);
  return (
    <section>
      <h2>{texts.changes}</h2>
      <p>{texts.changesCounted(parts.length, changes.unchanged, changes.removed)}</p>
      <ChangeTable label={texts.changes} first={texts.aspect} rows={whole} />
      {parts.length > 0 ? (
        <>
          <h3>{texts.changedParts}</h3>
          <ChangeTable label={texts.changedParts} first={texts.changedPart} rows={parts} />
        </>
      ) : null}
    </section>
  );
}
