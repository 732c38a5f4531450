import { countOf } from "../../core/wording.ts";
import type { WrittenNotes } from "../../tasks/books/notes/write-notes-docx.ts";

/** What became of the notes that were to stand in a Word document. */
export function notesInWords({ notes, placed }: WrittenNotes, path: string): string {
  const found = `The manuscript with ${countOf(placed, "comment")} is in ${path}.`;
  const lost = notes - placed;
  return lost === 0
    ? found
    : `${found} ${lost} more could not be placed: their sentences are not in the document as they were read.`;
}
