import { useCallback, useState } from "react";
import type { BookDetails, BookEdit } from "../../../src/api/books.ts";
import { send } from "../../api/request.ts";
import { useAnnouncer } from "../../parts/announcer.tsx";
import { Field } from "../../parts/field.tsx";
import { useAction } from "../../parts/use-action.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { useTexts } from "../../texts/preferences.tsx";

/** Title, author and the rest, put right by hand where the file did not say. */
export function MetadataForm({
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
        onSaved(await send<BookDetails>("PATCH", `/api/books/${encodeURIComponent(book.id)}`, edit));
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
