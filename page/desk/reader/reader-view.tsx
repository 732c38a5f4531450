import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { BookDetails, SearchHit } from "../../../src/api/books.ts";
import type { LetterFinding } from "../../../src/api/letters.ts";
import type { BookNotes, NoteMark, NoteMarkRequest, NoteRow } from "../../../src/api/notes.ts";
import { api, ask, pathOf } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { useAnnouncer } from "../../parts/announcer.tsx";
import { chapterInWords, ratesInWords } from "../../parts/formats.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { goTo, type Route, replaceRoute, to, type ViewProps } from "../../routing.ts";
import { usePreferences, useReason, useTexts } from "../../texts/preferences.tsx";
import { BookScroller, type RowToDraw, type Target, type VisibleRange } from "./book-scroller.tsx";
import { filterNotes, noteBeside } from "./note-filter.ts";
import { HeatLegend, ReaderToolbar } from "./reader-toolbar.tsx";
import { paragraphKey, type Revisions, useRevisions } from "./revising/use-revisions.ts";
import { SearchHits, useBookSearch } from "./search-panel.tsx";
import type { Mark } from "./text-runs.ts";
import { useChapterHeat } from "./use-chapter-texts.ts";
import { WriterRow } from "./writer-row.tsx";
import "./reader.css";
import { saveFile } from "../../api/save-file.ts";
import { ConfirmButton } from "../../parts/confirm-button.tsx";
import { useAction } from "../../parts/use-action.ts";
import { BookTabs } from "../book-tabs.tsx";

export default function ReaderView({ route }: ViewProps) {
  const texts = useTexts();
  const id = route.path[1] ?? "";
  const asked = useAnswer(api.books[":id"], { param: { id } });
  const from = route.query.get("from");
  const grid = route.query.get("grid");
  return (
    <View
      title={asked.answer?.title ?? texts.book}
      className="reader"
      kicker={
        grid !== null ? (
          <a href={`#/grid?${grid}`}>{texts.cellReturn}</a>
        ) : from ? (
          <a href={to(["evaluations", from], { tab: route.query.get("tab") })}>{texts.backToReport}</a>
        ) : (
          <a href={to(["library"])}>{texts.library}</a>
        )
      }
      actions={<BookTabs book={{ id }} current="read" />}
    >
      <Waiting asked={asked}>{(book) => <Reader book={book} route={route} />}</Waiting>
    </View>
  );
}

function Reader({ book, route }: { readonly book: BookDetails; readonly route: Route }) {
  const texts = useTexts();
  const inWords = useReason();
  const passage = usePassage(route);
  const heat = route.query.get("heat");
  const fetchedHeat = useChapterHeat(book.id, heat !== null);
  const search = useBookSearch(book.id);
  const [sight, setSight] = useState({ current: passage?.chapter ?? 1, share: 0 });
  const filter = route.query.get("notes");
  const isAll = route.query.get("all") !== null;
  const noted = useBookNotes(book.id, filter !== null, isAll);
  const shown = useMemo(() => (filter === null ? NO_NOTES : filterNotes(noted.notes, filter)), [noted.notes, filter]);
  const chosen =
    noted.notes.find(({ chapter, start }) => chapter === passage?.chapter && start === passage.start) ?? null;
  const revisions = useRevisions(book.id);
  const findings = useFindings(book.id, route);
  const marks = useMarks(passage, search.hits, shown, findings);
  useAnnouncedPassage(book, passage);

  const { ask } = fetchedHeat;
  const onVisibleChange = useCallback(
    ({ chapters, current, share }: VisibleRange) => {
      setSight({ current, share });
      ask(chapters);
    },
    [ask],
  );
  const open = (query: Readonly<Record<string, string | number | null>>) =>
    to(["books", book.id, "read"], {
      heat,
      notes: filter,
      all: isAll ? 1 : null,
      findings: route.query.get("findings"),
      from: route.query.get("from"),
      tab: route.query.get("tab"),
      grid: route.query.get("grid"),
      ...query,
    });
  const place = (note: NoteRow) => ({ chapter: note.chapter, start: note.start, end: note.end });
  const show = (query: Readonly<Record<string, string | number | null>>) =>
    replaceRoute(open({ ...Object.fromEntries(route.query), ...query }));
  const step = (direction: 1 | -1) => {
    const from = passage && passage.start !== null ? { chapter: passage.chapter, start: passage.start } : null;
    const note = noteBeside(shown, from ?? { chapter: sight.current, start: -1 }, direction);
    if (note) show(place(note));
  };
  const openParagraph = useParagraphOpener(revisions.open);
  const drawRow = (row: RowToDraw) => {
    openParagraph.see(row);
    return (
      <WriterRow
        bookId={book.id}
        row={row}
        notes={shown}
        current={chosen?.id ?? null}
        revisions={revisions}
        onMark={noted.mark}
        onChoose={(note) => show(place(note))}
      />
    );
  };
  const cold = fetchedHeat.known.get(sight.current)?.unscored ?? null;
  return (
    <>
      <ReaderToolbar
        book={book}
        current={sight.current}
        share={sight.share}
        heat={heat}
        onChapter={(chapter) => goTo(open({ chapter }))}
        onHeat={(layer) =>
          replaceRoute(open({ ...Object.fromEntries(route.query), chapter: passage?.chapter ?? null, heat: layer }))
        }
        hasFindings={route.query.get("findings") !== "off"}
        onFindings={(isOn) => show({ findings: isOn ? null : "off" })}
        notes={noted.notes}
        filter={filter}
        onFilter={(next) => show({ notes: next })}
        search={search}
      />
      {noted.problem ? <ProblemNotice problem={noted.problem} /> : null}
      {filter !== null && noted.isLoading ? <p className="muted">{texts.loading}</p> : null}
      {filter !== null && noted.answer ? (
        <NotesBar
          answer={noted.answer}
          shown={shown}
          current={chosen}
          isAll={isAll}
          onAll={(all) => show({ all: all ? 1 : null })}
          onStep={step}
          onMark={noted.mark}
          onEdit={() => chosen && openParagraph.at(chosen)}
          exportPath={pathOf(api.books[":id"].notes.export, { param: { id: book.id } })}
        />
      ) : null}
      {heat ? <HeatLegend problem={cold === null ? null : inWords(cold)} /> : null}
      <div className="reader-body">
        <SearchHits
          search={search}
          book={book}
          onOpen={(hit) => goTo(open({ chapter: hit.chapter, start: hit.start, end: hit.end }))}
        />
        <BookScroller
          book={book}
          target={passage}
          marks={marks}
          heat={fetchedHeat.known}
          onVisibleChange={onVisibleChange}
          drawRow={filter === null && revisions.edited.size === 0 ? undefined : drawRow}
        />
      </div>
      <RevisionBar revisions={revisions} />
      <p className="visually-hidden">{texts.words(book.words)}</p>
    </>
  );
}

type Passage = Target & { readonly end: number | null };

/** Where the address points: a chapter, perhaps a passage in it. Each address is one wish to go there. */
function usePassage({ query }: Route): Passage | null {
  const chapter = number(query.get("chapter"));
  const [start, end] = [number(query.get("start")), number(query.get("end"))];
  return useMemo(
    () => (chapter === null ? null : { chapter, start, end, request: `${chapter}:${start}:${end}` }),
    [chapter, start, end],
  );
}

function number(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

const NO_NOTES: readonly NoteRow[] = [];

/** Opens the paragraph of a note: only paragraphs that are drawn are known, and a chosen note's is. */
function useParagraphOpener(open: (key: string) => void) {
  const drawn = useRef(new Map<string, RowToDraw>());
  return {
    see: (row: RowToDraw) => void drawn.current.set(paragraphKey(row.chapter, row.block), row),
    at: ({ chapter, start }: NoteRow) => {
      const row = [...drawn.current.values()].find(
        (each) => each.chapter === chapter && each.block.start <= start && start < each.block.end,
      );
      if (row) open(paragraphKey(chapter, row.block));
    },
  };
}

function useMarks(
  passage: Passage | null,
  hits: readonly SearchHit[],
  notes: readonly NoteRow[],
  findings: readonly LetterFinding[],
): ReadonlyMap<number, readonly Mark[]> {
  return useMemo(() => {
    const marks = new Map<number, Mark[]>();
    const add = (chapter: number, mark: Mark) => {
      const known = marks.get(chapter);
      if (known) known.push(mark);
      else marks.set(chapter, [mark]);
    };
    if (passage && passage.start !== null && passage.end !== null)
      add(passage.chapter, { start: passage.start, end: passage.end, kind: "passage" });
    for (const hit of hits) add(hit.chapter, { start: hit.start, end: hit.end, kind: "hit" });
    for (const note of notes) add(note.chapter, { start: note.start, end: note.end, kind: "note" });
    for (const { title, passages } of findings)
      for (const { chapter, start, end } of passages)
        add(chapter, { start, end: Math.min(end, start + LONGEST_MARK), kind: "finding", title });
    return marks;
  }, [passage, hits, notes, findings]);
}

/** Of a finding about a whole chapter the beginning is marked: a chapter of underlined text would not be read. */
const LONGEST_MARK = 300;
const NO_FINDINGS: readonly LetterFinding[] = [];

/** What the letter finds and the writer has not settled; not for whoever comes from a report to look at its passages. */
function useFindings(bookId: string, { query }: Route): readonly LetterFinding[] {
  const { language } = usePreferences();
  const isOn = query.get("from") === null && query.get("grid") === null && query.get("findings") !== "off";
  const { answer } = useAnswer(api.books[":id"].letter, isOn ? { param: { id: bookId }, query: { language } } : null);
  return useMemo(
    () =>
      answer?.letter?.findings.filter(
        ({ number, mark }) => number !== null && mark !== "done" && mark !== "intended",
      ) ?? NO_FINDINGS,
    [answer],
  );
}

function useAnnouncedPassage(book: BookDetails, passage: Passage | null): void {
  const texts = useTexts();
  const announce = useAnnouncer();
  useEffect(() => {
    if (!passage || passage.start === null) return;
    const title = book.contents.find((chapter) => chapter.index === passage.chapter)?.title;
    announce(texts.passageShown(chapterInWords(passage.chapter, title, texts.chapterNumber)));
  }, [passage, book, announce, texts]);
}

/** What was rewritten and is not saved yet. */
function RevisionBar({ revisions }: { readonly revisions: Revisions }) {
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

/** The line notes of a book and what the writer says of them; a mark shows at once and is kept by the server. */
function useBookNotes(bookId: string, isOn: boolean, isAll: boolean) {
  const asked = useAnswer(
    api.books[":id"].notes,
    isOn ? { param: { id: bookId }, query: { all: isAll ? 1 : null } } : null,
  );
  const [marked, setMarked] = useState<ReadonlyMap<string, NoteMark | null>>(new Map());
  const saving = useAction(
    useCallback(
      async (id: string, mark: NoteMark | null) => {
        setMarked((known) => new Map(known).set(id, mark));
        const request: NoteMarkRequest = { mark };
        await ask(api.books[":id"].notes[":note"].$patch, { param: { id: bookId, note: id }, json: request });
      },
      [bookId],
    ),
  );
  const notes = useMemo(
    () =>
      (asked.answer?.notes ?? []).map((note): NoteRow => {
        const mark = marked.get(note.id);
        return mark === undefined ? note : { ...note, mark };
      }),
    [asked.answer, marked],
  );
  const { run } = saving;
  const mark = useCallback((id: string, next: NoteMark | null) => void run(id, next), [run]);
  return { answer: asked.answer, isLoading: asked.isLoading, problem: asked.problem ?? saving.problem, notes, mark };
}

/** How many notes there are, and the way from one to the next, by keyboard too. */
function NotesBar({
  answer,
  shown,
  current,
  isAll,
  onAll,
  onStep,
  onMark,
  onEdit,
  exportPath,
}: {
  readonly answer: BookNotes;
  readonly shown: readonly NoteRow[];
  readonly current: NoteRow | null;
  readonly isAll: boolean;
  readonly onAll: (isAll: boolean) => void;
  readonly onStep: (step: 1 | -1) => void;
  readonly onMark: (id: string, mark: NoteMark | null) => void;
  readonly onEdit: () => void;
  /** Where the manuscript with its notes is fetched from. */
  readonly exportPath: string;
}) {
  const saving = useAction(saveFile);
  const texts = useTexts();
  const inWords = useReason();
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.closest("input, textarea, select, dialog");
      if (isTyping || event.altKey || event.ctrlKey || event.metaKey) return;
      const mark = (next: NoteMark) => {
        if (current) onMark(current.id, next);
      };
      const acts: Readonly<Record<string, () => void>> = {
        n: () => onStep(1),
        p: () => onStep(-1),
        d: () => mark("done"),
        i: () => mark("ignored"),
        e: onEdit,
      };
      const act = Object.hasOwn(acts, event.key) ? acts[event.key] : undefined;
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [current, onStep, onMark, onEdit]);
  if (answer.unscored !== null) return <p className="muted">{texts.notesUnavailable(inWords(answer.unscored))}</p>;
  return (
    <div className="notes-bar">
      <span role="status">{shown.length === 0 ? texts.notesNone : texts.notesShown(shown.length, answer.likely)}</span>
      <button type="button" disabled={shown.length === 0} onClick={() => onStep(-1)}>
        {texts.notePrevious}
      </button>
      <button type="button" disabled={shown.length === 0} onClick={() => onStep(1)}>
        {texts.noteNext}
      </button>
      {answer.likely > answer.notes.length || isAll ? (
        <button type="button" className="quiet" onClick={() => onAll(!isAll)}>
          {isAll ? texts.notesFewer : texts.notesAll}
        </button>
      ) : null}
      <button
        type="button"
        className="quiet"
        disabled={saving.isBusy}
        title={texts.exportDocxHint}
        onClick={() => void saving.run(exportPath)}
      >
        {texts.exportAs} DOCX
      </button>
      {saving.problem ? <ProblemNotice problem={saving.problem} /> : null}
      <small className="muted">
        {answer.rates ? ratesInWords(answer.rates, texts) : ""} {texts.notesKeys}
      </small>
    </div>
  );
}
