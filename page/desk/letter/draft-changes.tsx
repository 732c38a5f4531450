import { useCallback, useState } from "react";
import type { BookDetails, BookEdit, BookSummary } from "../../../src/api/books.ts";
import type { Finding } from "../../../src/api/letters.ts";
import { api, ask } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { useAction } from "../../parts/use-action.ts";
import { useMedia } from "../../parts/use-media.ts";
import { focusHeading } from "../../parts/view.tsx";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { to } from "../../routing.ts";
import { useTexts } from "../../texts/preferences.tsx";
import { FindingNames } from "../finding-names.tsx";

/** Of a later draft, first of all: what is fixed, what is still there, what is new. */
export function DraftChangesNotice({
  book,
  evaluation,
  onSeparated,
}: {
  readonly book: BookSummary;
  readonly evaluation: string;
  readonly onSeparated: () => void;
}) {
  const texts = useTexts();
  const separate = useAction(
    useCallback(async () => {
      const edit: BookEdit = { draftOf: null };
      await ask(api.books[":id"].$patch, { param: { id: book.id }, json: edit });
      onSeparated();
      focusHeading();
    }, [book.id, onSeparated]),
  );
  const { answer, problem } = useAnswer(
    api.books[":id"].changes,
    book.draft > 1 ? { param: { id: book.id } } : null,
    evaluation,
  );
  const isWide = useMedia("(min-width: 40rem)");
  if (problem) return <ProblemNotice problem={problem} />;
  if (!answer) return null;
  const { before, basis, fixed, still, new: added } = answer;
  return (
    <section className="panel draft-changes" aria-label={texts.changesSince(before.draft)}>
      <h2 className="form-heading">{texts.changesSince(before.draft)}</h2>
      <p>
        <strong>{texts.findingsCounted(fixed.length, still.length, added.length)}</strong>{" "}
        <span className="muted">{basis === "read" ? texts.changesBasisRead : texts.changesBasisCounted}</span>{" "}
        <a href={to(["drafts"], { before: before.id, after: book.id })}>{texts.changesAll}</a>
      </p>
      <Listed heading={texts.findingsFixed} findings={fixed} bookId={before.id} isOpen={isWide} />
      <Listed heading={texts.findingsNew} findings={added} bookId={book.id} isOpen={isWide} />
      <Listed heading={texts.findingsStill} findings={still} bookId={book.id} isOpen={false} />
      <p className="hint">
        {texts.draftRecognised(book.draft)}{" "}
        <button type="button" className="quiet" disabled={separate.isBusy} onClick={() => void separate.run()}>
          {texts.draftNotSo}
        </button>
      </p>
      {separate.problem ? <ProblemNotice problem={separate.problem} /> : null}
    </section>
  );
}

function Listed({
  heading,
  findings,
  bookId,
  isOpen,
}: {
  readonly heading: string;
  readonly findings: readonly Finding[];
  readonly bookId: string;
  readonly isOpen: boolean;
}) {
  if (findings.length === 0) return null;
  return (
    <details open={isOpen}>
      <summary>
        {heading} ({findings.length})
      </summary>
      <FindingNames findings={findings} bookId={bookId} />
    </details>
  );
}

/** Says by hand which book this is a draft of. */
export function JoinDraft({
  book,
  onChanged,
}: {
  readonly book: BookDetails;
  readonly onChanged: (book: BookDetails) => void;
}) {
  const texts = useTexts();
  const [chosen, setChosen] = useState("");
  const shelf = useAnswer(api.books, { query: { limit: 200 } });
  const own = new Set(book.drafts.map(({ id }) => id));
  const others = (shelf.answer?.items ?? []).filter(({ id }) => !own.has(id));
  const join = useAction(
    useCallback(
      async (draftOf: string) => {
        const edit: BookEdit = { draftOf };
        onChanged(await ask(api.books[":id"].$patch, { param: { id: book.id }, json: edit }));
        setChosen("");
        focusHeading();
      },
      [book.id, onChanged],
    ),
  );
  if (others.length === 0) return null;
  return (
    <form
      className="join-draft"
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen !== "") void join.run(chosen);
      }}
    >
      <label>
        {texts.joinDraft}{" "}
        <select value={chosen} onChange={(event) => setChosen(event.target.value)}>
          <option value="">{texts.joinDraftChoose}</option>
          {others.map(({ id, title, draft }) => (
            <option key={id} value={id}>
              {draft > 1 ? `${title}, ${texts.draftNumber(draft)}` : title}
            </option>
          ))}
        </select>
      </label>{" "}
      <button type="submit" disabled={chosen === "" || join.isBusy}>
        {texts.joinDraftDo}
      </button>
      {join.problem ? <ProblemNotice problem={join.problem} /> : null}
    </form>
  );
}
