import { useCallback } from "react";
import type { BookDetails } from "../../../src/api/books.ts";
import { send } from "../../api/request.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { ConfirmButton } from "../../parts/confirm-button.tsx";
import { EvaluationTable } from "../../parts/evaluation-table.tsx";
import { Facts } from "../../parts/facts.tsx";
import { useAction } from "../../parts/use-action.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { goTo, to, type ViewProps } from "../../routing.ts";
import { useReason, useTexts } from "../../texts/preferences.tsx";
import { Cover } from "../library/cover.tsx";
import { Cleaning } from "./cleaning.tsx";
import { Contents } from "./contents.tsx";
import { Drafts } from "./drafts.tsx";
import { MetadataForm } from "./metadata-form.tsx";
import "./book.css";

/** What Fabula made of the file, to be looked at before anything is judged. */
export default function BookView({ route }: ViewProps) {
  const texts = useTexts();
  const id = route.path[1] ?? "";
  const path = `/api/books/${encodeURIComponent(id)}`;
  const asked = useAnswer<BookDetails>(path);
  const book = asked.answer;
  const removal = useAction(
    useCallback(async () => {
      await send("DELETE", path);
      goTo(to(["library"]));
    }, [path]),
  );
  return (
    <View
      title={book?.title ?? texts.book}
      kicker={<a href={to(["library"])}>{texts.library}</a>}
      actions={
        book ? (
          <>
            <a className="button" href={to(["books", id, "read"])}>
              {texts.readBook}
            </a>
            <a className="button" href={to(["books", id, "map"])}>
              {texts.tabMap}
            </a>
            <a className="button" href={to(["books", id, "read"], { notes: "open" })}>
              {texts.readNotes}
            </a>
            <a className="button primary" href={to(["evaluate"], { book: id })}>
              {texts.evaluateBook}
            </a>
          </>
        ) : null
      }
    >
      <Waiting asked={asked}>
        {(known) => (
          <>
            <BookHead book={known} />
            <Drafts book={known} onChanged={asked.replace} />
            <h2>{texts.evaluations}</h2>
            {known.evaluations.length === 0 ? (
              <p className="muted">{texts.noEvaluations}</p>
            ) : (
              <EvaluationTable evaluations={known.evaluations} />
            )}
            <div className="two-columns">
              <Contents book={known} />
              <MetadataForm key={known.id} book={known} onSaved={asked.replace} />
            </div>
            <Cleaning removed={known.removed} />
            {removal.problem ? <ProblemNotice problem={removal.problem} /> : null}
            <div className="end-actions">
              <ConfirmButton question={texts.removeBookQuestion} onConfirm={() => void removal.run()}>
                {texts.removeBook}
              </ConfirmButton>
            </div>
          </>
        )}
      </Waiting>
    </View>
  );
}

/** What is known of the book at a glance, and what to keep in mind about the file. */
function BookHead({ book }: { readonly book: BookDetails }) {
  const texts = useTexts();
  const inWords = useReason();
  return (
    <div className="book-head">
      <div className="book-cover" aria-hidden="true">
        <Cover title={book.title} author={book.author} />
      </div>
      <div>
        {book.author ? <p className="byline">{texts.by(book.author)}</p> : null}
        <p>
          {texts.words(book.words)} · {texts.chapters(book.chapters)}
        </p>
        {book.premise ? <p className="prose premise">{book.premise}</p> : null}
        <Facts
          facts={[
            [texts.file, book.file],
            [texts.format, book.format],
            [texts.encoding, book.encoding],
            [texts.bookLanguage, book.language ?? texts.unknown],
            [texts.genres, book.genres.join(", ") || texts.none],
          ]}
        />
        {book.warnings.length > 0 ? (
          <div className="notice">
            <strong>{texts.warnings}</strong>
            <ul>
              {book.warnings.map((warning) => (
                <li key={warning}>{inWords(warning)}</li>
              ))}
            </ul>
          </div>
        ) : null}
      </div>
    </div>
  );
}
