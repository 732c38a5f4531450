import { ConfirmButton } from "../../../parts/confirm-button.tsx";
import { ProblemNotice } from "../../../parts/waiting.tsx";
import { useTexts } from "../../../texts/preferences.tsx";
import type { Revisions } from "./use-revisions.ts";

/** What was rewritten and is not saved yet. */
export function RevisionBar({ revisions }: { readonly revisions: Revisions }) {
  const texts = useTexts();
  const { edited, save, discard } = revisions;
  if (edited.size === 0) return null;
  return (
    <section className="revision-bar" aria-label={texts.revisionsPending(edited.size)}>
      <span>
        {texts.revisionsPending(edited.size)} · <span className="muted">{texts.revisionsHint}</span>
      </span>
      <button type="button" className="primary" disabled={save.isBusy} onClick={() => void save.run()}>
        {texts.saveDraft}
      </button>
      <ConfirmButton question={texts.discardQuestion} onConfirm={discard}>
        {texts.discardRevisions}
      </ConfirmButton>
      {save.problem ? <ProblemNotice problem={save.problem} /> : null}
    </section>
  );
}
