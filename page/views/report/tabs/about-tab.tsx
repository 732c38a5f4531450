import { useCallback } from "react";
import type { EvaluationDetails } from "../../../../src/api/evaluations.ts";
import { send } from "../../../api/request.ts";
import { ConfirmButton } from "../../../parts/confirm-button.tsx";
import { useAction } from "../../../parts/use-action.ts";
import { ProblemNotice } from "../../../parts/waiting.tsx";
import { goTo, to } from "../../../routing.ts";
import { useTexts } from "../../../texts/preferences.tsx";
import { ReportNotes } from "../report-notes.tsx";

/** How this verdict came about and what it does not say. */
export function AboutTab({ details, path }: { readonly details: EvaluationDetails; readonly path: string }) {
  const texts = useTexts();
  const removal = useAction(
    useCallback(async () => {
      await send("DELETE", path);
      goTo(to(["books", details.bookId]));
    }, [path, details.bookId]),
  );
  return (
    <>
      <ReportNotes details={details} />
      {removal.problem ? <ProblemNotice problem={removal.problem} /> : null}
      <div className="end-actions">
        <ConfirmButton question={texts.deleteEvaluationQuestion} onConfirm={() => void removal.run()}>
          {texts.deleteEvaluation}
        </ConfirmButton>
      </div>
    </>
  );
}
