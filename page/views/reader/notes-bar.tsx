import { useEffect } from "react";
import type { BookNotes, NoteMark, NoteRow } from "../../../src/api/notes.ts";
import { saveFile } from "../../api/save-file.ts";
import { ratesInWords } from "../../parts/formats.ts";
import { useAction } from "../../parts/use-action.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { useReason, useTexts } from "../../texts/preferences.tsx";

/** How many notes there are, and the way from one to the next, by keyboard too. */
export function NotesBar({
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
  useEffect(() => {
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
