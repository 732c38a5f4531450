/**
 * The line whose first word is `word`, cut at its spaces, from lines sorted by first word; null when there is none.
 * Halving the text where it stands costs a few microseconds and spares the loading of an index.
 */
export function sortedLine(text: string, word: string): string[] | null {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const start = middle === 0 ? 0 : text.lastIndexOf("\n", middle - 1) + 1;
    const next = text.indexOf("\n", middle);
    const end = next < 0 ? text.length : next;
    const space = text.indexOf(" ", start);
    const first = text.slice(start, space < 0 || space > end ? end : space);
    if (first === word) return text.slice(start, end).split(" ");
    if (first < word) low = end + 1;
    else high = start;
  }
  return null;
}
