import type { Span } from "./span.ts";

/**
 * Paragraphs are parted by a blank line. A text without blank lines (one line per paragraph, as many manuscripts are
 * saved) is parted at its line ends instead.
 */
export function splitParagraphs(text: string): Span[] {
  const byBlankLines = split(text, /\n[^\S\n]*\n\s*/g);
  if (byBlankLines.length > 1 || text.length < LONG_PARAGRAPH) return byBlankLines;
  return split(text, /\n\s*/g);
}

const LONG_PARAGRAPH = 5000;

function split(text: string, separator: RegExp): Span[] {
  const spans: Span[] = [];
  let start = text.length - text.trimStart().length;
  for (const match of text.matchAll(separator)) {
    if (match.index > start) spans.push({ start, end: match.index });
    start = match.index + match[0].length;
  }
  if (start < text.length) spans.push({ start, end: text.trimEnd().length });
  return spans.filter(({ start, end }) => end > start);
}

export function isParagraphGap(gap: string): boolean {
  return /\n[^\S\n]*\n/.test(gap);
}
