import type { ReactNode } from "react";
import type { NoteMark, NoteRow } from "../../../src/api/notes.ts";
import { useTexts } from "../../texts/preferences.tsx";
import { BlockRow } from "./block-row.tsx";
import type { RowToDraw } from "./book-scroller.tsx";
import { NoteCards } from "./note-cards.tsx";
import { ParagraphEditor } from "./revising/paragraph-editor.tsx";
import { paragraphKey, type Revisions } from "./revising/use-revisions.ts";

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
