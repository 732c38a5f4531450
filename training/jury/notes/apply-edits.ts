/** A draft with the edits one professional made in it. */
export interface EditedText {
  readonly text: string;
  readonly edits: readonly { readonly before: string; readonly after: string; readonly why: string }[];
}

/** Spans are found in order, each after the one before where it stands there, else from the beginning. */
export function spansOf({ text, edits }: EditedText): { start: number; end: number; after: string; why: string }[] {
  let cursor = 0;
  return edits.flatMap(({ before, after, why }) => {
    if (before === "") return [];
    const later = text.indexOf(before, cursor);
    const start = later === -1 ? text.indexOf(before) : later;
    if (start === -1) return [];
    cursor = start + before.length;
    return [{ start, end: start + before.length, after, why }];
  });
}

/** The text with its edits made; of two edits of one place the first stands. */
export function applyEdits(edited: EditedText): string {
  let cursor = 0;
  let result = "";
  for (const { start, end, after } of spansOf(edited).sort((left, right) => left.start - right.start)) {
    if (start < cursor) continue;
    result += edited.text.slice(cursor, start) + after;
    cursor = end;
  }
  return result + edited.text.slice(cursor);
}
