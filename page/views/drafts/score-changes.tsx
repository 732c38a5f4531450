import type { DraftChanges } from "../../../src/api/evaluations.ts";
import { ChangeTable } from "../../parts/change-table.tsx";
import { judgeName, speakerOf } from "../../parts/judge-name.ts";
import { useTexts } from "../../texts/preferences.tsx";

/** Every juror on its own scale; jurors are never averaged and never share a scale. */
export function ScoreChanges({ changes }: { readonly changes: DraftChanges }) {
  const texts = useTexts();
  const jurors = changes.jurors ?? [];
  if (jurors.length === 0) return null;
  return (
    <section>
      <h2>{texts.scoreChanges}</h2>
      <p className="hint">{texts.scoreChangesHint}</p>
      <ChangeTable
        label={texts.scoreChanges}
        first={texts.judge}
        rows={jurors.map((juror) => {
          const speaker = speakerOf(juror.id, texts) ?? juror.speaker;
          return [`${judgeName(juror.id, texts)} (${speaker}), ${texts.ofScale(juror.scale.maximum)}`, juror];
        })}
      />
      {changes.segments.length > 0 ? (
        <>
          <h3>
            {texts.changedParts}, {judgeName(jurors[0]!.id, texts)}
          </h3>
          <ChangeTable
            label={texts.changedParts}
            first={texts.changedPart}
            rows={changes.segments.map(({ title, overall }) => [title, overall])}
          />
        </>
      ) : null}
    </section>
  );
}
