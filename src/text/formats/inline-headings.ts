import { HAN_NUMBER_CHARACTERS, isWithoutZeros, parseHan } from "../chapters/numbers/numbers.ts";
import { titleEnd } from "./inline-title.ts";

/** A line longer than this may hold whole chapters: some sites save a novel as one line. */
const LONG_LINE = 1000;
/** One longer than this is no heading, but may begin with one: a chapter to a line. */
const LONGEST_HEADING_LINE = 60;
const LABEL = `(?:正文[\\s　]*)?第[\\s　]*([${HAN_NUMBER_CHARACTERS}]{1,9})[\\s　]*([章回囘节節话話])`;
/** A storyteller ends a chapter with 且听下回分解, and files that lost their line ends go on right after it. */
const HEADING = new RegExp(`(^|[\\s　。！？”」』…）)]|下回分解|分解)(${LABEL})`, "gu");
const CHAPTER_END = /分解[\s　。！？”」』]*$/u;
const STORYTELLER = /^([^。，！？；：“”「」…,.!?;:]{2,30}?)(?=(?:却|卻|话|話|且|再)[说說]|[诗詩词詞]曰)/u;
const LEADING = new RegExp(`^[\\s　]*${LABEL}[\\s　：:]`, "u");
const CONTENTS = /^[\s　]*目[\s　]*[录錄次][\s　：:]/u;
const FEWEST_ENTRIES = 3;

/** Puts Chinese headings that stand inside long lines on lines of their own. Only numbers that count up are headings. */
export function breakInlineHeadings(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => line.length > LONGEST_HEADING_LINE && /第.{1,9}[章回囘节節话話]/u.test(line))) return lines;
  let expected = 1;
  const result: string[] = [];
  for (const line of lines) {
    if (CONTENTS.test(line)) {
      for (const entry of entriesOf(line)) result.push(entry);
      continue;
    }
    const isLong = line.length > LONG_LINE;
    if (!isLong && !(line.length > LONGEST_HEADING_LINE && LEADING.test(line))) {
      result.push(line);
      continue;
    }
    let from = 0;
    for (const match of line.matchAll(HEADING)) {
      const number = numberNear(match[3] ?? "", expected);
      if (number === null || number < expected || number > expected + 2) continue;
      const start = match.index + (match[1]?.length ?? 0);
      if (!isLong && line.slice(0, start).trim() !== "") break;
      const isCertain =
        number === expected && (match[4] === "章" || start === 0 || CHAPTER_END.test(line.slice(start - 8, start)));
      const end = headingEnd(line, match.index + match[0].length, isCertain);
      if (end === null) continue;
      result.push(line.slice(from, start), "", line.slice(start, end), "");
      from = end;
      expected = number + 1;
    }
    result.push(line.slice(from));
  }
  return result;
}

/** 第一一回 where 101 is due: the sign for zero was lost in the source. */
function numberNear(digits: string, expected: number): number | null {
  const number = parseHan(digits);
  return number !== null && isWithoutZeros(number, expected) ? expected : number;
}

/** After the label comes a gap or a colon, or a title glued to it; 第三章 that counts on may stand right before the prose. */
function headingEnd(line: string, labelEnd: number, isCertain: boolean): number | null {
  if (/[\s　：:]/u.test(line.charAt(labelEnd))) return titleEnd(line, labelEnd + 1);
  const glued = /^[^\s　。，！？；：“”「」…,.!?;:]{1,20}(?=[\s　])/u.exec(line.slice(labelEnd, labelEnd + 24));
  if (glued) {
    // A couplet: the second half of the title stands after one space.
    const end = labelEnd + glued[0].length;
    const second = /^[\s　][^\s　。，！？；：“”「」…,.!?;:]{1,20}(?=[\s　])/u.exec(line.slice(end, end + 24));
    return end + (second?.[0].length ?? 0);
  }
  if (!isCertain) return null;
  // The storyteller's first words end a title that is glued to them.
  const opening = STORYTELLER.exec(line.slice(labelEnd, labelEnd + 40));
  return labelEnd + (opening?.[1]?.length ?? 0);
}

/** A table of contents in one line: an entry to a line, so that it is seen to be one. */
function entriesOf(line: string): readonly string[] {
  const starts = [...line.matchAll(HEADING)].map((match) => match.index + (match[1]?.length ?? 0));
  if (starts.length < FEWEST_ENTRIES) return [line];
  return ["", line.slice(0, starts[0]), ...starts.map((start, at) => line.slice(start, starts[at + 1])), ""];
}
