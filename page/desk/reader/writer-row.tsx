import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import type {
  ChapterRecheck,
  ParagraphFigure,
  ParagraphReading,
  Revision,
  RevisionRequest,
} from "../../../src/api/drafts.ts";
import type { NoteMark, NoteRow } from "../../../src/api/notes.ts";
import { api, askUntil } from "../../api/client.ts";
import { onHundred, percent } from "../../parts/formats.ts";
import { JudgeLabel } from "../../parts/judges/judge-label.tsx";
import { ColumnNames } from "../../parts/table.tsx";
import { VerdictInWords } from "../../parts/verdict.tsx";
import type { Texts } from "../../texts/english.ts";
import { count } from "../../texts/language.ts";
import { useNames, useReason, useTexts } from "../../texts/preferences.tsx";
import { FindingNames } from "../finding-names.tsx";
import { BlockRow } from "./block-row.tsx";
import type { RowToDraw } from "./book-scroller.tsx";
import { paragraphKey, type Revisions } from "./revising/use-revisions.ts";

const NAMES = {
  words: "figureWords",
  "sentence-words": "figureSentenceWords",
  "dialogue-share": "figureDialogue",
  "reading-ease": "figureReadingEase",
  "filter-words": "figureFilterWords",
  "weak-openings": "figureWeakOpenings",
  cliches: "figureCliches",
  "model-phrases": "figureModelPhrases",
  echoes: "figureEchoes",
  "stacked-similes": "figureSimiles",
} as const satisfies Readonly<Record<ParagraphFigure, keyof Texts>>;

/** From this probability on an editor would probably change a sentence. */
const LIKELY = 0.5;

/** Notes, figures and jurors of a paragraph, as it was and as it is being written. */
function LiveReading({
  text,
  before,
  now,
}: {
  readonly text: string;
  readonly before: ParagraphReading | null;
  readonly now: ParagraphReading | null;
}) {
  const texts = useTexts();
  const inWords = useReason();
  const names = useNames();
  if (!now) return <p className="muted">{texts.loading}</p>;
  const likely = now.notes.filter(({ change }) => change >= LIKELY);
  const shown = now.figures.filter(({ id, value }) => {
    const old = before?.figures.find((figure) => figure.id === id)?.value ?? null;
    return value !== null && (value !== 0 || (old ?? 0) !== 0);
  });
  return (
    <div className="live">
      <table>
        <caption>{texts.liveFigures}</caption>
        <ColumnNames names={[texts.figureName, texts.originally, texts.nowFigure]} />
        <tbody>
          {shown.map(({ id, value }) => (
            <tr key={id} data-figure={id}>
              <th scope="row">{texts[NAMES[id]]}</th>
              <td className="number">{figure(id, before?.figures.find((other) => other.id === id)?.value)}</td>
              <td className="number">{figure(id, value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <table>
        <caption>{texts.liveJurors(now.passageWords)}</caption>
        <ColumnNames names={[texts.judge, texts.originally, texts.nowFigure]} />
        <tbody>
          {now.jurors.map(({ id, verdict, scale }) => {
            const old = before?.jurors.find((juror) => juror.id === id)?.verdict;
            return (
              <tr key={id}>
                <th scope="row">
                  <JudgeLabel judge={id} />
                </th>
                <td>{old ? <VerdictInWords verdict={onHundred(old, scale)} /> : "–"}</td>
                <td>
                  <VerdictInWords verdict={onHundred(verdict, scale)} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <div>
        <h4>
          {texts.liveNotes}: {before ? `${before.notes.filter(({ change }) => change >= LIKELY).length} → ` : ""}
          {likely.length}
        </h4>
        {now.unscored ? <p className="muted">{inWords(now.unscored)}</p> : null}
        <ul className="live-notes">
          {likely.map(({ start, end, change, why }) => (
            <li key={start}>
              <q>{text.slice(start, end)}</q>{" "}
              <small className="muted">
                {percent(change)}
                {why === null ? "" : ` · ${names.why(why)}`}
              </small>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function figure(id: ParagraphFigure, value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  if (id === "dialogue-share") return percent(value);
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}

const PAUSE_MILLISECONDS = 60;

/** What the server reads in a paragraph: the answer to the last text that has one, while the next is on its way. */
function useParagraphReading(
  bookId: string,
  { chapter, start, end }: Pick<Revision, "chapter" | "start" | "end">,
  text: string,
): ParagraphReading | null {
  const [reading, setReading] = useState<ParagraphReading | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    const revision: Revision = { chapter, start, end, text };
    const timer = setTimeout(() => {
      askUntil(abort.signal, api.books[":id"].paragraph.$post, { param: { id: bookId }, json: revision }).then(
        setReading,
        // The figures stay as they were; saving tells what is wrong.
        () => {},
      );
    }, PAUSE_MILLISECONDS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [bookId, chapter, start, end, text]);
  return reading;
}

/** The whole chapter is read more slowly than a paragraph: after a rest in the typing. */
const CHAPTER_PAUSE_MILLISECONDS = 500;

/** What is fixed, still there and new in the chapter as it is being rewritten; null while nothing is. */
function useChapterRecheck(bookId: string, chapter: number, revisions: Revisions): ChapterRecheck | null {
  const [known, setKnown] = useState<ChapterRecheck | null>(null);
  const { edited } = revisions;
  useEffect(() => {
    if (edited.size === 0) return setKnown(null);
    const abort = new AbortController();
    const request: RevisionRequest = {
      revisions: [...edited.values()].map(({ original: _, ...revision }) => revision),
    };
    const timer = setTimeout(() => {
      // What was known stays; saving tells what is wrong.
      askUntil(abort.signal, api.books[":id"].chapters[":chapter"].recheck.$post, {
        param: { id: bookId, chapter: String(chapter) },
        json: request,
      }).then(setKnown, () => {});
    }, CHAPTER_PAUSE_MILLISECONDS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [bookId, chapter, edited]);
  return known;
}

/** The chapter as it would be: its faults by name, and what an editor would still change. */
function LiveChapter({ recheck, bookId }: { readonly recheck: ChapterRecheck; readonly bookId: string }) {
  const texts = useTexts();
  const { chapter, words, likelyNotes, fixed, still, new: added } = recheck;
  return (
    <section className="live-chapter" aria-label={texts.liveChapter(chapter)}>
      <h4>{texts.liveChapter(chapter)}</h4>
      <p role="status">
        <strong>{texts.findingsCounted(fixed.length, still.length, added.length)}</strong>{" "}
        {texts.liveWords(count(words.before), count(words.now))}{" "}
        {likelyNotes ? texts.liveLikely(likelyNotes.before, likelyNotes.now) : ""}
      </p>
      {(
        [
          [texts.findingsFixed, fixed],
          [texts.findingsNew, added],
          [texts.findingsStill, still],
        ] as const
      ).map(([name, findings]) =>
        findings.length === 0 ? null : (
          <div key={name}>
            <strong>{name}</strong>
            <FindingNames findings={findings} bookId={bookId} />
          </div>
        ),
      )}
    </section>
  );
}

/** One paragraph in a field of its own, with what notes, map and jurors make of it while it changes. */
function ParagraphEditor({
  bookId,
  place,
  original,
  text,
  revisions,
  onText,
  onClose,
  onHeight,
}: {
  readonly revisions: Revisions;
  readonly bookId: string;
  readonly place: { readonly chapter: number; readonly start: number; readonly end: number };
  readonly original: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onClose: () => void;
  /** The row may be higher or lower than before. */
  readonly onHeight: () => void;
}) {
  const texts = useTexts();
  const field = useRef<HTMLTextAreaElement>(null);
  const before = useParagraphReading(bookId, place, original);
  const now = useParagraphReading(bookId, place, text);
  const recheck = useChapterRecheck(bookId, place.chapter, revisions);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field is as high as what stands in it.
  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight + 4}px`;
    onHeight();
  }, [text, now, recheck, onHeight]);
  return (
    <div className="paragraph-editor">
      <textarea
        ref={field}
        aria-label={texts.editedParagraph}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
        }}
      />
      <div className="actions">
        <button type="button" onClick={onClose}>
          {texts.editClose}
        </button>
        <button type="button" className="quiet" disabled={text === original} onClick={() => onText(original)}>
          {texts.editUndo}
        </button>
      </div>
      {recheck ? <LiveChapter recheck={recheck} bookId={bookId} /> : null}
      <LiveReading text={text} before={before} now={now} />
    </div>
  );
}

/** A paragraph as a writer sees it: its notes in the margin, and open for rewriting. */
export function WriterRow({
  bookId,
  row,
  notes,
  current,
  revisions,
  onMark,
  onChoose,
}: {
  readonly bookId: string;
  readonly row: RowToDraw;
  readonly notes: readonly NoteRow[];
  readonly current: string | null;
  readonly revisions: Revisions;
  readonly onMark: (id: string, mark: NoteMark | null) => void;
  readonly onChoose: (note: NoteRow) => void;
}) {
  const texts = useTexts();
  const { chapter, text, block, plain, redraw } = row;
  const key = paragraphKey(chapter, block);
  const edited = revisions.edited.get(key);
  const isOpen = revisions.openKey === key;
  const own = notes.filter((note) => note.chapter === chapter && note.start >= block.start && note.start < block.end);
  const shown = (): ReactNode => {
    if (isOpen)
      return (
        <ParagraphEditor
          bookId={bookId}
          revisions={revisions}
          place={{ chapter, start: block.start, end: block.end }}
          original={text.slice(block.start, block.end)}
          text={edited?.text ?? text.slice(block.start, block.end)}
          onText={(next) => revisions.revise({ index: chapter, text }, block, next)}
          onClose={() => revisions.open(null)}
          onHeight={redraw}
        />
      );
    if (edited) return <BlockRow text={edited.text} block={{ start: 0, end: edited.text.length }} heat={null} />;
    return plain;
  };
  return (
    <div className={edited ? "writer-row revised" : "writer-row"}>
      {shown()}
      <div className="margin">
        {edited ? <span className="tag">{texts.revised}</span> : null}
        {edited && !isOpen ? (
          <button type="button" className="quiet" onClick={() => revisions.undo(key)}>
            {texts.editUndo}
          </button>
        ) : null}
        {edited ? null : <NoteCards notes={own} current={current} onMark={onMark} onChoose={onChoose} />}
        {isOpen ? null : (
          <button
            type="button"
            className="quiet edit-paragraph"
            aria-label={texts.editParagraphOf(row.name)}
            onClick={() => revisions.open(key)}
          >
            {texts.editParagraph}
          </button>
        )}
      </div>
    </div>
  );
}

/** The notes on one paragraph, beside it. */
function NoteCards({
  notes,
  current,
  onMark,
  onChoose,
}: {
  readonly notes: readonly NoteRow[];
  readonly current: string | null;
  readonly onMark: (id: string, mark: NoteMark | null) => void;
  readonly onChoose: (note: NoteRow) => void;
}) {
  const texts = useTexts();
  const names = useNames();
  return (
    <ul className="note-cards">
      {notes.map((note) => (
        <li key={note.id} className={note.id === current ? "note-card current" : "note-card"} data-note={note.id}>
          <button type="button" className="link note-reason" onClick={() => onChoose(note)}>
            {note.why === null ? texts.noteOther : names.why(note.why)}
          </button>
          <small className="muted">{texts.noteProbability(Math.round(100 * note.change))}</small>
          <span className="note-actions">
            {note.mark === null ? (
              <>
                <button type="button" className="quiet" onClick={() => onMark(note.id, "done")}>
                  {texts.noteDone}
                </button>
                <button type="button" className="quiet" onClick={() => onMark(note.id, "ignored")}>
                  {texts.noteIgnore}
                </button>
              </>
            ) : (
              <>
                <span className="tag quiet">
                  {note.mark === "done" ? texts.noteMarkedDone : texts.noteMarkedIgnored}
                </span>
                <button type="button" className="quiet" onClick={() => onMark(note.id, null)}>
                  {texts.noteReopen}
                </button>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
