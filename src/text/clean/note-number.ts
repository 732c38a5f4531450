/** "He lied.1": the raised number of a note, glued to a word; in brackets it reads as the notes themselves do. */
export function isNoteNumber(text: string, before: string): boolean {
  return text.length <= 3 && /^\d+$/.test(text) && /[^\s\d[(]$/u.test(before.slice(-1));
}
