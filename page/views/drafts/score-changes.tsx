import type { DraftChanges } from "../../../src/api/evaluations.ts";
import { ChangeTable } from "../../parts/change-table.tsx";
import { changeOnHundred } from "../../parts/formats.ts";
import { JudgeLabel } from "../../parts/judges/judge-label.tsx";
import { judgeName, speakerOf } from "../../parts/judges/judge-name.ts";
import { useTexts } from "../../texts/preferences.tsx";

/** Every juror moved onto 0 to 100, since each has a scale of its own; they are never averaged. */
export function ScoreChanges({ changes }: { readonly changes: DraftChanges }) {
  const texts = useTexts();
  const jurors = changes.jurors ?? [];
  if (jurors.length === 0) return null;
  return (
    <section>
      <h2>{texts.scoreChanges}</h2>
      <p className="hint">
        {texts.hundredScale} {texts.scoreChangesHint}
      </p>
      <ChangeTable
        label={texts.scoreChanges}
        first={texts.judge}
        rows={jurors.map((juror) => {
          const name = `${judgeName(juror.id, texts)} (${speakerOf(juror.id, texts) ?? juror.speaker})`;
          return [<JudgeLabel key={juror.id} judge={juror.id} name={name} />, changeOnHundred(juror, juror.scale)];
        })}
      />
      {changes.segments.length > 0 ? (
        <>
          <h3>
            {texts.changedParts}, <JudgeLabel judge={jurors[0]!.id} />
          </h3>
          <ChangeTable
            label={texts.changedParts}
            first={texts.changedPart}
            rows={changes.segments.map(({ title, overall }) => [title, changeOnHundred(overall, jurors[0]!.scale)])}
          />
        </>
      ) : null}
    </section>
  );
}
