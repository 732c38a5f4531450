import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { PastedBook, SampleRequest, ShelfBook } from "../../../src/api/books.ts";
import { api, ask } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { Field } from "../../parts/field.tsx";
import { day } from "../../parts/formats.ts";
import { LoadMore } from "../../parts/load-more.tsx";
import { UploadList } from "../../parts/upload-list.tsx";
import { useAddBook } from "../../parts/use-add-book.ts";
import { useDebounced } from "../../parts/use-debounced.ts";
import { View } from "../../parts/view.tsx";
import { goTo, replaceRoute, to, type ViewProps } from "../../routing.ts";
import { usePreferences, useTexts } from "../../texts/preferences.tsx";
import { expectBook, expectFile, useUploads } from "../../uploads.ts";
import { Cover } from "./cover.tsx";
import "./library.css";
import { useAction } from "../../parts/use-action.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";

export default function LibraryView({ route }: ViewProps) {
  const texts = useTexts();
  const [words, setWords] = useState(route.query.get("search") ?? "");
  const search = useDebounced(words, 250);
  const pages = usePages(api.books.shelf, { query: { search } }, 60);
  const adding = useAddBook();
  // The search stands in the address, so that going back finds it again.
  useEffect(() => {
    if (search !== (route.query.get("search") ?? "")) replaceRoute(to(["library"], { search }));
  }, [search, route]);
  const arrived = useUploads().filter(({ state }) => state === "done").length;
  const { reload } = pages;
  useEffect(() => {
    if (arrived > 0) reload();
  }, [arrived, reload]);
  useEffect(() => {
    const expect = () => {
      if (document.visibilityState === "visible") expectBook();
    };
    expect();
    document.addEventListener("visibilitychange", expect);
    return () => document.removeEventListener("visibilitychange", expect);
  }, []);
  const file = useRef<HTMLInputElement>(null);
  const paste = useRef<HTMLDialogElement>(null);
  const [pasted, setPasted] = useState("");
  const openWith = useCallback((text: string) => {
    setPasted(text);
    paste.current?.showModal();
  }, []);
  usePaste({ onFiles: adding.addFiles, onText: openWith });
  const choose = useCallback(() => {
    expectFile();
    file.current?.click();
  }, []);
  const isEmpty = !pages.isLoading && !pages.problem && pages.items.length === 0;
  const isFirstVisit = isEmpty && search === "";
  return (
    <View
      title={texts.library}
      className="broad"
      actions={
        <>
          <button type="button" onClick={() => paste.current?.showModal()}>
            {texts.pasteText}
          </button>
          {isFirstVisit ? null : (
            <button type="button" className="primary" onClick={choose}>
              {texts.addBook}
            </button>
          )}
        </>
      }
    >
      <input
        ref={file}
        type="file"
        hidden
        multiple
        onChange={(event) => {
          const chosen = [...(event.target.files ?? [])];
          if (chosen.length > 0) adding.addFiles(chosen);
          event.target.value = "";
        }}
      />
      <PasteDialog dialog={paste} text={pasted} onText={setPasted} onPaste={adding.addText} />
      <UploadList />
      {isFirstVisit ? (
        <FirstVisit onChoose={choose} />
      ) : (
        <>
          <div className="toolbar">
            <Field label={texts.searchBooks}>
              {(attributes) => (
                <input {...attributes} type="search" value={words} onChange={(event) => setWords(event.target.value)} />
              )}
            </Field>
            <p className="hint drop-hint">{texts.libraryIntroduction}</p>
          </div>
          {isEmpty ? <p className="muted">{texts.noBooksFound}</p> : null}
        </>
      )}
      <ul className="shelf">
        {pages.items.map((book) => (
          <Tile key={book.id} book={book} />
        ))}
      </ul>
      {pages.problem || pages.hasMore || pages.isLoading ? <LoadMore pages={pages} /> : null}
    </View>
  );
}

/** A book: its newest draft, what is left to do there, and the way to its earlier drafts. */
function Tile({ book }: { readonly book: ShelfBook }) {
  const { texts, language } = usePreferences();
  const { id, title, author, words, addedAt, drafts, open } = book;
  return (
    <li>
      <a className="tile" href={to(["books", id, "letter"])}>
        <Cover title={title} author={author} />
        <span className="tile-facts">{texts.words(words)}</span>
        <span className="tile-facts">{day(addedAt.slice(0, 10), language)}</span>
        <span className={open ? "tile-open" : "tile-facts"}>
          {open === null ? texts.notReadYet : texts.openFindings(open)}
        </span>
      </a>
      {drafts.length > 1 ? (
        <span className="tile-drafts">
          {drafts.map((draft) => (
            <a key={draft.id} href={to(["books", draft.id, "letter"])}>
              {texts.draftNumber(draft.draft)}
            </a>
          ))}
        </span>
      ) : null}
    </li>
  );
}

interface Pasted {
  readonly onFiles: (files: readonly File[]) => void;
  readonly onText: (text: string) => void;
}

/** Files or a text pasted outside a field; what is pasted into a field stays there. */
function usePaste({ onFiles, onText }: Pasted): void {
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      if (event.target instanceof HTMLElement && event.target.closest("input, textarea, dialog")) return;
      const files = [...(event.clipboardData?.files ?? [])];
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (files.length > 0) onFiles(files);
      else if (text.trim() !== "") onText(text);
    };
    window.addEventListener("paste", paste);
    return () => window.removeEventListener("paste", paste);
  }, [onFiles, onText]);
}

/** An empty library: what this is, something to try at once, and a place for files. */
function FirstVisit({ onChoose }: { readonly onChoose: () => void }) {
  const { texts, language } = usePreferences();
  const sample = useAction(
    useCallback(async () => {
      const request: SampleRequest = { language };
      const book = await ask(api.books.sample.$post, { json: request });
      goTo(to(["books", book.id, "letter"]));
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

function PasteDialog({
  dialog,
  text,
  onText,
  onPaste,
}: {
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onPaste: (book: PastedBook) => void;
}) {
  const texts = useTexts();
  const [title, setTitle] = useState("");
  return (
    <dialog ref={dialog} aria-label={texts.pasteText}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          dialog.current?.close();
          onPaste({ title: title.trim(), text });
          setTitle("");
          onText("");
        }}
      >
        <Field label={texts.pasteTitle}>
          {(attributes) => (
            <input {...attributes} required value={title} onChange={(event) => setTitle(event.target.value)} />
          )}
        </Field>
        <Field label={texts.pasteBody} hint={texts.pasteHint}>
          {(attributes) => (
            <textarea
              {...attributes}
              required
              rows={12}
              className="prose"
              value={text}
              onChange={(event) => onText(event.target.value)}
            />
          )}
        </Field>
        <div className="actions">
          <button type="submit" className="primary">
            {texts.pasteAdd}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            {texts.cancel}
          </button>
        </div>
      </form>
    </dialog>
  );
}
