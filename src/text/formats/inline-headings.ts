import { HAN_NUMBER_CHARACTERS, parseHan } from "../chapters/numbers.ts";

/** A line longer than this may hold whole chapters: some sites save a novel as one line. */
const LONG_LINE = 1000;
const HEADING = new RegExp(
  `(^|[\\s　。！？”」』…）)])((?:正文[\\s　]*)?第[\\s　]*([${HAN_NUMBER_CHARACTERS}]{1,9})[\\s　]*[章回节節话話][\\s　：:])`,
  "gu",
);
const SENTENCE_MARK = /[。，！？；：“”「」…,.!?;:]/u;
const LONGEST_TITLE_PART = 20;

/** Puts Chinese headings that stand inside long lines on lines of their own. Only numbers that count up are headings. */
export function breakInlineHeadings(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => line.length > LONG_LINE && /第.{1,9}[章回节節话話]/u.test(line))) return lines;
  let expected = 1;
  const result: string[] = [];
  for (const line of lines) {
    if (line.length <= LONG_LINE) {
      result.push(line);
      continue;
    }
    let from = 0;
    for (const match of line.matchAll(HEADING)) {
      const number = parseHan(match[3] ?? "");
      if (number === null || number < expected || number > expected + 2) continue;
      const start = match.index + (match[1]?.length ?? 0);
      const end = titleEnd(line, match.index + match[0].length);
      result.push(line.slice(from, start), "", line.slice(start, end), "");
      from = end;
      expected = number + 1;
    }
    result.push(line.slice(from));
  }
  return result;
}

/** A title is one or two short runs without a sentence's marks; a wide gap ends it at once. */
function titleEnd(line: string, start: number): number {
  let end = start;
  for (let part = 0; part < 2; part++) {
    const match = /^([\s　]*)([^\s　]+)/u.exec(line.slice(end, end + 60));
    if (!match) break;
    const [whole, gap = "", run = ""] = match;
    if (part > 0 && gap.length > 1) break;
    if (run.length > LONGEST_TITLE_PART || SENTENCE_MARK.test(run)) break;
    end += whole.length;
  }
  return end;
}
