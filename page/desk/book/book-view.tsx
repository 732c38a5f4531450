import { useCallback, useState } from "react";
import type { BookDetails, BookEdit } from "../../../src/api/books.ts";
import { api, ask } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { ConfirmButton } from "../../parts/confirm-button.tsx";
import { Facts } from "../../parts/facts.tsx";
import { useAction } from "../../parts/use-action.ts";
import { focusHeading, View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { goTo, to, type ViewProps } from "../../routing.ts";
import { usePreferences, useReason, useTexts } from "../../texts/preferences.tsx";
import { BookTabs } from "../book-tabs.tsx";
import { JoinDraft } from "../letter/draft-changes.tsx";
import { Cover } from "../library/cover.tsx";
import "./book.css";
import { useAnnouncer } from "../../parts/announcer.tsx";
import { Field } from "../../parts/field.tsx";
import { chapterInWords, languageInWords, moment } from "../../parts/formats.ts";
import { readingInWords } from "../../parts/judges/judge-name.ts";
import { ColumnNames, TableScroller } from "../../parts/table.tsx";

const atFirst = 20;

/** What was in the file and will not be judged, with the rule that removed it, so that a user can check. */
function Cleaning({ removed }: { readonly removed: BookDetails["removed"] }) {
  const texts = useTexts();
  const [shown, setShown] = useState(atFirst);
  if (removed.length === 0)
    return (
      <section>
        <h2>{texts.cleanedAway}</h2>
        <p className="muted">{texts.cleanedNothing}</p>
      </section>
    );
  return (
    <section>
      <h2>{texts.cleanedAway}</h2>
      <p className="hint">{texts.cleanedHint(removed.length)}</p>
      <TableScroller label={texts.cleanedAway}>
        <table>
          <ColumnNames names={[texts.rule, texts.where, texts.text]} />
          <tbody>
            {removed.slice(0, shown).map((removal, position) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same line may be taken out twice, and the list never changes.
              <tr key={position}>
                <td>{removal.rule}</td>
                <td className="muted">{removal.where}</td>
                <td className="removed-text">{removal.text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
      {shown < removed.length ? (
        <div className="load-more">
          <span className="muted">{texts.rowsOf(shown, removed.length)}</span>
          <button type="button" onClick={() => setShown(shown + 200)}>
            {texts.more}
          </button>
        </div>
      ) : null}
    </section>
  );
}

/** What Fabula made of the file, to be looked at before anything is judged. */
export default function BookView({ route }: ViewProps) {
  const texts = useTexts();
  const id = route.path[1] ?? "";
  const asked = useAnswer(api.books[":id"], { param: { id } });
  const book = asked.answer;
  const removal = useAction(
    useCallback(async () => {
      await ask(api.books[":id"].$delete, { param: { id } });
      goTo(to(["library"]));
    }, [id]),
  );
  return (
    <View
      title={book?.title ?? texts.book}
      kicker={<a href={to(["library"])}>{texts.library}</a>}
      className="narrow"
      actions={
        book ? (
          <>
            <a className="button" href={to(["books", id, "read"], { notes: "open" })}>
              {texts.readNotes}
            </a>
            <a className="button" href={to(["evaluate"], { book: id })}>
              {texts.evaluateBook}
            </a>
          </>
        ) : null
      }
    >
      <BookTabs book={{ id }} current="about" />
      <Waiting asked={asked}>
        {(known) => (
          <>
            <BookHead book={known} />
            <Drafts book={known} onChanged={asked.replace} />
            <JoinDraft book={known} onChanged={asked.replace} />
            <Readings book={known} />
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
  const { texts, language } = usePreferences();
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
            [texts.bookLanguage, book.language ? languageInWords(book.language, language) : texts.unknown],
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

function Contents({ book }: { readonly book: BookDetails }) {
  const texts = useTexts();
  const longest = Math.max(1, ...book.contents.map((chapter) => chapter.words));
  return (
    <section>
      <h2>{texts.contents}</h2>
      <p className="hint">
        {texts.contentsHint} <a href={to(["books", book.id, "chapters"])}>{texts.correctChapters}</a>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
      <section className="contents-scroller" aria-label={texts.contents} tabIndex={0}>
        <ol className="contents">
          {book.contents.map((chapter, position) => (
            <li key={chapter.index}>
              {chapter.part && chapter.part !== book.contents[position - 1]?.part ? (
                <span className="part">{chapter.part}</span>
              ) : null}
              <a href={to(["books", book.id, "read"], { chapter: chapter.index })}>
                {chapterInWords(chapter.index, chapter.title, texts.chapterNumber)}
              </a>
              <span className="length">
                <span className="number muted">{texts.words(chapter.words)}</span>
                <i aria-hidden="true" style={{ width: `${(chapter.words / longest) * 100}%` }} />
              </span>
            </li>
          ))}
        </ol>
      </section>
    </section>
  );
}

/** Who has read the book and when, each with its letter. */
function Readings({ book }: { readonly book: BookDetails }) {
  const { texts, language } = usePreferences();
  return (
    <section>
      <h2>{texts.readings}</h2>
      {book.evaluations.length === 0 ? (
        <p className="muted">{texts.letterMissing}</p>
      ) : (
        <ul className="drafts-list">
          {book.evaluations.map((reading) => (
            <li key={reading.id}>
              <a href={to(["books", book.id, "letter"], { reading: reading.id })}>
                {readingInWords(reading, texts, language)}
              </a>{" "}
              <a className="muted" href={to(["evaluations", reading.id])}>
                {texts.report}
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The drafts of a book, each beside the one before; and, for a title that is there already, the question whether it is one. */
function Drafts({ book, onChanged }: { readonly book: BookDetails; readonly onChanged: (book: BookDetails) => void }) {
  const { texts, language } = usePreferences();
  const join = useAction(
    useCallback(
      async (draftOf: string | null) => {
        const edit: BookEdit = { draftOf };
        onChanged(await ask(api.books[":id"].$patch, { param: { id: book.id }, json: edit }));
        // The button that was pressed goes with what it changed.
        focusHeading();
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

/** Title, author and the rest, put right by hand where the file did not say. */
function MetadataForm({
  book,
  onSaved,
}: {
  readonly book: BookDetails;
  readonly onSaved: (book: BookDetails) => void;
}) {
  const texts = useTexts();
  const announce = useAnnouncer();
  const [title, setTitle] = useState(book.title);
  const [author, setAuthor] = useState(book.author ?? "");
  const [language, setLanguage] = useState(book.language ?? "");
  const [genres, setGenres] = useState(book.genres.join(", "));
  const [premise, setPremise] = useState(book.premise ?? "");
  const [isSaved, setSaved] = useState(false);
  const save = useAction(
    useCallback(
      async (edit: BookEdit) => {
        onSaved(await ask(api.books[":id"].$patch, { param: { id: book.id }, json: edit }));
        setSaved(true);
        announce(texts.saved);
      },
      [book.id, onSaved, announce, texts],
    ),
  );
  return (
    <section>
      <h2>{texts.about}</h2>
      <form
        className="panel"
        onChange={() => setSaved(false)}
        onSubmit={(event) => {
          event.preventDefault();
          void save.run({
            title: title.trim(),
            author: author.trim() || null,
            language: language.trim() || null,
            genres: genres
              .split(/[,，、]/)
              .map((genre) => genre.trim())
              .filter(Boolean),
            premise: premise.trim() || null,
          });
        }}
      >
        <Field label={texts.title}>
          {(attributes) => (
            <input {...attributes} required value={title} onChange={(event) => setTitle(event.target.value)} />
          )}
        </Field>
        <Field label={texts.author}>
          {(attributes) => <input {...attributes} value={author} onChange={(event) => setAuthor(event.target.value)} />}
        </Field>
        <Field label={texts.bookLanguage} hint={texts.bookLanguageHint}>
          {(attributes) => (
            <input
              {...attributes}
              value={language}
              maxLength={12}
              onChange={(event) => setLanguage(event.target.value)}
            />
          )}
        </Field>
        <Field label={texts.genres} hint={texts.genresHint}>
          {(attributes) => <input {...attributes} value={genres} onChange={(event) => setGenres(event.target.value)} />}
        </Field>
        <Field label={texts.premise}>
          {(attributes) => (
            <textarea {...attributes} rows={3} value={premise} onChange={(event) => setPremise(event.target.value)} />
          )}
        </Field>
        <div className="actions">
          <button type="submit" disabled={save.isBusy}>
            {texts.save}
          </button>
          {isSaved ? <span className="muted">{texts.saved}</span> : null}
        </div>
        {save.problem ? <ProblemNotice problem={save.problem} /> : null}
      </form>
    </section>
  );
}
