import { useCallback } from "react";
import type { BookDetails, SampleRequest } from "../../../src/api/books.ts";
import { send } from "../../api/request.ts";
import { useAction } from "../../parts/use-action.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { goTo, to } from "../../routing.ts";
import { usePreferences } from "../../texts/preferences.tsx";

/** An empty library: what this is, something to try at once, and a place for files. */
export function FirstVisit({ onChoose }: { readonly onChoose: () => void }) {
  const { texts, language } = usePreferences();
  const sample = useAction(
    useCallback(async () => {
      const request: SampleRequest = { language };
      const book = await send<BookDetails>("POST", "/api/books/sample", request);
      goTo(to(["books", book.id]));
    }, [language]),
  );
  return (
    <div className="empty-state first-visit">
      <strong>{texts.emptyLibrary}</strong>
      <p>{texts.whatThisIs}</p>
      <div className="actions">
        <button type="button" className="primary" onClick={onChoose}>
          {texts.chooseFiles}
        </button>
        <button type="button" disabled={sample.isBusy} onClick={() => void sample.run()}>
          {texts.openSample}
        </button>
      </div>
      <p className="hint">{texts.dropHere}</p>
      <p className="hint">{texts.emptyLibraryHint}</p>
      {sample.problem ? <ProblemNotice problem={sample.problem} /> : null}
    </div>
  );
}
