import { useCallback } from "react";
import type { BookDetails, BookEdit } from "../../../src/api/books.ts";
import { send } from "../../api/request.ts";
import { moment } from "../../parts/formats.ts";
import { useAction } from "../../parts/use-action.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { to } from "../../routing.ts";
import { usePreferences } from "../../texts/preferences.tsx";

/** The drafts of a book, each beside the one before; and, for a title that is there already, the question whether it is one. */
export function Drafts({
  book,
  onChanged,
}: {
  readonly book: BookDetails;
  readonly onChanged: (book: BookDetails) => void;
}) {
  const { texts, language } = usePreferences();
  const join = useAction(
    useCallback(
      async (draftOf: string | null) => {
        const edit: BookEdit = { draftOf };
        onChanged(await send<BookDetails>("PATCH", `/api/books/${encodeURIComponent(book.id)}`, edit));
      },
      [book.id, onChanged],
    ),
  );
  return (
    <>
      {book.sameTitle ? (
        <div className="notice">
          <p>{texts.draftOffer(book.title)}</p>
          <button
            type="button"
            className="primary"
            disabled={join.isBusy}
            onClick={() => void join.run(book.sameTitle)}
          >
            {texts.draftJoin}
          </button>
        </div>
      ) : null}
      {book.drafts.length > 1 ? (
        <section aria-label={texts.drafts}>
          <h2>{texts.drafts}</h2>
          <ol className="drafts-list">
            {book.drafts.map(({ id, draft, words, addedAt }, position) => {
              const before = book.drafts[position - 1];
              return (
                <li key={id}>
                  {id === book.id ? (
                    <strong>{texts.draftNumber(draft)}</strong>
                  ) : (
                    <a href={to(["books", id])}>{texts.draftNumber(draft)}</a>
                  )}{" "}
                  <span className="muted">
                    {texts.words(words)} · {moment(addedAt, language)}
                  </span>{" "}
                  {before ? <a href={to(["drafts"], { before: before.id, after: id })}>{texts.compareDrafts}</a> : null}
                </li>
              );
            })}
          </ol>
          {book.draft > 1 ? (
            <button type="button" className="quiet" disabled={join.isBusy} onClick={() => void join.run(null)}>
              {texts.draftSeparate}
            </button>
          ) : null}
        </section>
      ) : null}
      {join.problem ? <ProblemNotice problem={join.problem} /> : null}
    </>
  );
}
