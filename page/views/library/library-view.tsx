import { useCallback, useEffect, useRef, useState } from "react";
import type { BookSummary } from "../../../src/api/books.ts";
import { usePages } from "../../api/use-pages.ts";
import { Field } from "../../parts/field.tsx";
import { HUNDRED, onHundred } from "../../parts/formats.ts";
import { LoadMore } from "../../parts/load-more.tsx";
import { UploadList } from "../../parts/upload-list.tsx";
import { useDebounced } from "../../parts/use-debounced.ts";
import { VerdictInWords } from "../../parts/verdict.tsx";
import { View } from "../../parts/view.tsx";
import { replaceRoute, to, type ViewProps } from "../../routing.ts";
import { useTexts } from "../../texts/preferences.tsx";
import { useUploads } from "../../uploads.ts";
import { Cover } from "./cover.tsx";
import { FirstVisit } from "./first-visit.tsx";
import { PasteDialog } from "./paste-dialog.tsx";
import { useAddBook } from "./use-add-book.ts";
import { useDrop } from "./use-drop.ts";
import { usePaste } from "./use-paste.ts";
import "./library.css";

export default function LibraryView({ route }: ViewProps) {
  const texts = useTexts();
  const [words, setWords] = useState(route.query.get("search") ?? "");
  const search = useDebounced(words, 250);
  const pages = usePages<BookSummary>("/api/books", { search }, 60);
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
  const isDragging = useDrop(adding.addFiles);
  const file = useRef<HTMLInputElement>(null);
  const paste = useRef<HTMLDialogElement>(null);
  const [pasted, setPasted] = useState("");
  const openWith = useCallback((text: string) => {
    setPasted(text);
    paste.current?.showModal();
  }, []);
  usePaste({ onFiles: adding.addFiles, onText: openWith });
  const isEmpty = !pages.isLoading && !pages.problem && pages.items.length === 0;
  return (
    <View
      title={texts.library}
      actions={
        <>
          <button type="button" onClick={() => paste.current?.showModal()}>
            {texts.pasteText}
          </button>
          <button type="button" className="primary" onClick={() => file.current?.click()}>
            {texts.addBook}
          </button>
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
      {isDragging ? <div className="drop-curtain">{texts.dropToAdd}</div> : null}
      {isEmpty && search === "" ? (
        <FirstVisit onChoose={() => file.current?.click()} />
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
      <LoadMore pages={pages} />
    </View>
  );
}

function Tile({ book }: { readonly book: BookSummary }) {
  const texts = useTexts();
  return (
    <li>
      <a className="tile" href={to(["books", book.id])}>
        <Cover title={book.title} author={book.author} />
        <span className="tile-facts">
          <span>{texts.words(book.words)}</span> · <span>{texts.chapters(book.chapters)}</span>
          {book.draft > 1 ? <> · {texts.draftNumber(book.draft)}</> : null}
        </span>
        <span className="tile-verdict">
          {book.latest ? (
            <>
              <VerdictInWords verdict={onHundred(book.latest.overall, book.latest.scale)} />{" "}
              <span className="muted">
                {texts.ofScale(HUNDRED.maximum)} · {book.latest.judge}
              </span>
            </>
          ) : (
            texts.notJudgedYet
          )}
        </span>
      </a>
    </li>
  );
}
