import { HAN_NUMBER_CHARACTERS, parseHan } from "../chapters/numbers/numbers.ts";

/** 八, 第八章, 第8回 on a line of its own, perhaps with a title. */
const ALONE = new RegExp(
  `^[\\s　]*(第)?([${HAN_NUMBER_CHARACTERS}]{1,7})([章回节節话話]?)(?:[\\s　：:、.．].{0,40})?$`,
  "u",
);
/** The same at the end of a paragraph whose last sentence is closed, 他睡着了。八, perhaps with the next one behind it. */
const AT_END = new RegExp(
  `^(.*?[。！？”’」』…）])[\\s　]*((第?)([${HAN_NUMBER_CHARACTERS}]{1,7})([章回节節话話]?)(?:[\\s　][^\\s　。，！？；：“”「」…,.!?;:]{1,20})?)(?:[\\s　]*|[\\s　]{2,}(.*))$`,
  "u",
);
/** Or before the first sentence, with a gap between. */
const AT_START = new RegExp(
  `^[\\s　]*((第?)([${HAN_NUMBER_CHARACTERS}]{1,7})([章回节節话話]?))[\\s　]+(.{20,}[。！？”’」』…）].*)$`,
  "u",
);
const FEWEST_ALONE = 3;
/** A longer jump is chapters that the file lacks. */
const MOST_MISSING = 4;

interface Alone {
  readonly line: number;
  readonly series: string;
  readonly number: number;
}

/**
 * Chinese files lose line ends: where the headings that stand alone jump from 七 to 十, 八 and 九 are looked for at the ends
 * and beginnings of the paragraphs between, and put on lines of their own. Without a jump nothing is touched.
 */
export function breakGluedHeadings(lines: readonly string[]): readonly string[] {
  const alone = mainSeries(lines);
  if (alone.length < FEWEST_ALONE) return lines;
  const parts = new Map<number, readonly string[]>();
  for (const [position, { line, number, series }] of alone.entries()) {
    const next = alone[position + 1] ?? null;
    if (next !== null && (next.number <= number + 1 || next.number > number + 1 + MOST_MISSING)) continue;
    let missing = number + 1;
    for (let at = line + 1; at < (next?.line ?? lines.length) && missing !== next?.number; at++) {
      const found = glued(lines[at]!, series, missing, next !== null);
      if (found === null) continue;
      parts.set(at, found);
      missing++;
    }
  }
  return parts.size === 0 ? lines : lines.flatMap((line, at) => parts.get(at) ?? [line]);
}

/** The headings of the most frequent kind. */
function mainSeries(lines: readonly string[]): readonly Alone[] {
  const found = new Map<string, Alone[]>();
  for (const [line, text] of lines.entries()) {
    if (text.length === 0 || text.length > 60 || !mayBeHan(text)) continue;
    const match = ALONE.exec(text);
    const number = match ? parseHan(match[2] ?? "") : null;
    if (!match || number === null || (match[1] === undefined) !== (match[3] === "")) continue;
    const series = `${match[1] ?? ""}…${match[3]}`;
    const group = found.get(series);
    if (group) group.push({ line, series, number });
    else found.set(series, [{ line, series, number }]);
  }
  return [...found.values()].reduce((largest, group) => (group.length > largest.length ? group : largest), []);
}

/** One look at the first sign, since almost every line is prose. */
function mayBeHan(text: string): boolean {
  let at = 0;
  while (at < text.length && (text.charCodeAt(at) <= 32 || text.charCodeAt(at) === 0x3000)) at++;
  return text.charCodeAt(at) >= 0x2e80;
}

function glued(line: string, series: string, number: number, isBounded: boolean): readonly string[] | null {
  const fits = (prefix = "", digits = "", unit = "") => `${prefix}…${unit}` === series && parseHan(digits) === number;
  const end = AT_END.exec(line);
  if (end && fits(end[3], end[4], end[5])) return [end[1] ?? "", "", end[2] ?? "", "", end[6] ?? ""];
  // After the last heading only what closes a paragraph counts: a paragraph may well begin with a number.
  const start = isBounded ? AT_START.exec(line) : null;
  if (start && fits(start[2], start[3], start[4])) return ["", start[1] ?? "", "", start[5] ?? ""];
  return null;
}
