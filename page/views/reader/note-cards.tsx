import type { NoteMark, NoteRow } from "../../../src/api/notes.ts";
import { useNames, useTexts } from "../../texts/preferences.tsx";

/** The notes on one paragraph, beside it. */
export function NoteCards({
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
