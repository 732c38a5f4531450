import { useCallback, useMemo, useState } from "react";
import type { BookNotes, NoteMark, NoteMarkRequest, NoteRow } from "../../../src/api/notes.ts";
import { address, send } from "../../api/request.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { useAction } from "../../parts/use-action.ts";

/** The line notes of a book and what the writer says of them; a mark shows at once and is kept by the server. */
export function useBookNotes(bookId: string, isOn: boolean, isAll: boolean) {
  const path = `/api/books/${encodeURIComponent(bookId)}/notes`;
  const asked = useAnswer<BookNotes>(isOn ? address(path, { all: isAll ? 1 : null }) : null);
  const [marked, setMarked] = useState<ReadonlyMap<string, NoteMark | null>>(new Map());
  const saving = useAction(
    useCallback(
      async (id: string, mark: NoteMark | null) => {
        setMarked((known) => new Map(known).set(id, mark));
        const request: NoteMarkRequest = { mark };
        await send("PATCH", `${path}/${encodeURIComponent(id)}`, request);
      },
      [path],
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
