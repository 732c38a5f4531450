/** Lines that are not prose: headings, rules, word counts, "the end". A judge that read them would be grading layout. */
const LAYOUT_LINES = [
  /^\s*#{1,6}\s/,
  /^[^\p{L}\p{N}]*(?:chapter|part|prologue|epilogue|interlude|scene|act|book)\b[^.!?]{0,80}$/iu,
  /^[^\p{L}\p{N}]*(?:the end|fin|end of (?:chapter|part|book|story|scene)\b.{0,60})[^\p{L}\p{N}]*$/iu,
  /^[^\p{L}\p{N}]*chapter \w+ ends[^\p{L}\p{N}]*$/iu,
  /^[^\p{L}\p{N}]*(?:approximate |total |final |chapter \d+ )?word ?count\b/iu,
  /^[^\p{L}\p{N}]*to be continued[^\p{L}\p{N}]*$/iu,
  /^\s*\*\*[^*]{1,120}\*\*\s*$/,
  /^[^\p{L}\p{N}]+$/u,
];

const LONGEST_LAYOUT_LINE = 140;

export function isLayoutLine(line: string): boolean {
  return line.length <= LONGEST_LAYOUT_LINE && LAYOUT_LINES.some((pattern) => pattern.test(line));
}

/**
 * Whether single line ends fall inside sentences, as in text wrapped at a fixed width. Then only a blank line ends a
 * paragraph; otherwise every line end does.
 */
export function isHardWrapped(text: string): boolean {
  let inside = 0;
  let lines = 0;
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", end + 1)) {
    const next = text.charCodeAt(end + 1);
    const last = lastVisible(text, end);
    if (last === -1 || next === 10 || next === 13 || Number.isNaN(next)) continue;
    lines++;
    if (/[\p{Ll},;]/u.test(text[last]!)) inside++;
  }
  return lines >= 4 && inside > 0.3 * lines;
}

/** The position of the last character before `end` on its line that is not a space; -1 on a blank line. */
function lastVisible(text: string, end: number): number {
  for (let position = end - 1; position >= 0; position--) {
    const code = text.charCodeAt(position);
    if (code === 10) return -1;
    if (code !== 32 && code !== 9 && code !== 13) return position;
  }
  return -1;
}
