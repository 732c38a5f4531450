import { HAN_NUMBER_CHARACTERS, parseHan } from "../chapters/numbers/numbers.ts";
import { titleEnd } from "./inline-title.ts";

/** A novel saved as one line, or a few: longer than any paragraph. */
const GIANT_LINE = 5000;
const NUMERAL = new RegExp(
  `(^|[\\s　]|[。！？”」』…）)])((?:[（(]([${HAN_NUMBER_CHARACTERS}]{1,5})[）)]|([${HAN_NUMBER_CHARACTERS}]{1,5}))([、.．][\\s　]*|[\\s　]+))`,
  "gu",
);
const FEWEST = 3;
/** 一、二、三 also count the points of a list; chapters are longer. */
const SHORTEST_MEAN = 300;

/** Bare numbers inside a giant line, 一、归来 …… 二、…, where nothing else tells its chapters: only an unbroken count from one. */
export function breakInlineNumerals(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => line.length > GIANT_LINE) || lines.some((line) => line.length <= 60 && isOrdinal(line))) {
    return lines;
  }
  let expected = 1;
  let length = 0;
  const result: string[] = [];
  for (const line of lines) {
    length += line.length;
    if (line.length <= GIANT_LINE) {
      result.push(line);
      continue;
    }
    let from = 0;
    for (const match of line.matchAll(NUMERAL)) {
      if (parseHan(match[3] ?? match[4] ?? "") !== expected) continue;
      const start = match.index + (match[1]?.length ?? 0);
      const labelEnd = match.index + match[0].length;
      const isTitled = /[、.．]/u.test(match[5] ?? "") || match[3] !== undefined;
      const end = isTitled ? titleEnd(line, labelEnd) : labelEnd;
      result.push(line.slice(from, start), "", line.slice(start, end), "");
      from = end;
      expected++;
    }
    result.push(line.slice(from));
  }
  const found = expected - 1;
  return found >= FEWEST && length / found >= SHORTEST_MEAN ? result : lines;
}

function isOrdinal(line: string): boolean {
  return /^[\s　]*(?:正文[\s　]*)?第.{1,9}[章回囘节節话話]/u.test(line);
}
