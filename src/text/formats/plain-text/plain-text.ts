import { decodeText, nulWarning, undecodableWarning } from "../../../core/encoding.ts";
import { groupBy } from "../../../core/group-by.ts";
import type { Removal } from "../../book.ts";
import { largestGroup } from "../../chapters/counting-numerals.ts";
import { HAN_NUMBER_CHARACTERS, isWithoutZeros, parseHan } from "../../chapters/numbers.ts";
import { type LinePass, passOverLines } from "../../clean/line-pass.ts";
import type { Manuscript, Metadata } from "../../manuscript.ts";
import { withoutInvisible } from "../../words.ts";
import type { Format, FormatInput } from "../format.ts";
import { type NumberLines, numberLinesIn } from "./page-numbers.ts";
import { linesToBlocks } from "./plain-text-blocks.ts";
import { headerMetadata } from "./plain-text-header.ts";
import { layoutOf } from "./plain-text-layout.ts";

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
/** A longer jump means that the file lacks chapters. */
const MOST_MISSING = 4;

interface Alone {
  readonly line: number;
  readonly series: string;
  readonly number: number;
}

/**
 * Chinese files lose line ends. If the headings on lines of their own jump from 七 to 十, 八 and 九 are looked for at the ends and
 * beginnings of the paragraphs between, and put on lines of their own. Without a jump nothing changes.
 */
function breakGluedHeadings(lines: readonly string[]): readonly string[] {
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
  const found: Alone[] = [];
  for (const [line, text] of lines.entries()) {
    if (text.length === 0 || text.length > 60 || !mayBeHan(text)) continue;
    const match = ALONE.exec(text);
    const number = match ? parseHan(match[2] ?? "") : null;
    if (!match || number === null || (match[1] === undefined) !== (match[3] === "")) continue;
    found.push({ line, series: `${match[1] ?? ""}…${match[3]}`, number });
  }
  return largestGroup(found, ({ series }) => series);
}

/** Checks only the first character, because almost every line is prose. */
function mayBeHan(text: string): boolean {
  let at = 0;
  while (at < text.length && (text.charCodeAt(at) <= 32 || text.charCodeAt(at) === 0x3000)) at++;
  return text.charCodeAt(at) >= 0x2e80;
}

function glued(line: string, series: string, number: number, isBounded: boolean): readonly string[] | null {
  const fits = (prefix = "", digits = "", unit = "") => `${prefix}…${unit}` === series && parseHan(digits) === number;
  const end = AT_END.exec(line);
  if (end && fits(end[3], end[4], end[5])) return [end[1] ?? "", "", end[2] ?? "", "", end[6] ?? ""];
  // After the last heading only the end of a paragraph counts: a paragraph may well begin with a number.
  const start = isBounded ? AT_START.exec(line) : null;
  if (start && fits(start[2], start[3], start[4])) return ["", start[1] ?? "", "", start[5] ?? ""];
  return null;
}

const SENTENCE_MARK = /[。，！？；：“”「」…,.!?;:]/u;
const LONGEST_TITLE_PART = 20;

/** Where a title inside a long line ends: after one or two short runs without punctuation, or at a wide gap. */
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

/** A line longer than this may contain whole chapters, since some sites save a novel as one line. */
const LONG_LINE = 1000;
/** A line longer than this is not a heading but may begin with one, if the file has one chapter per line. */
const LONGEST_HEADING_LINE = 60;
const LABEL = `(?:正文[\\s　]*)?第[\\s　]*([${HAN_NUMBER_CHARACTERS}]{1,9})[\\s　]*([章回囘节節话話])`;
/** A storyteller ends a chapter with 且听下回分解, and files that lost their line ends continue directly after it. */
const HEADING = new RegExp(`(^|[\\s　。！？”」』…）)]|下回分解|分解)(${LABEL})`, "gu");
const CHAPTER_END = /分解[\s　。！？”」』]*$/u;
const STORYTELLER =
  /^([^。，！？；：“”「」…,.!?;:]{2,30}?)(?=(?:却|卻|话|話|且|再)[说說]|[诗詩词詞]曰|(?:单|單|上回|前回)[说說表书書])/u;
const LEADING = new RegExp(`^[\\s　]*${LABEL}[\\s　：:]`, "u");
const CONTENTS = /^[\s　]*目[\s　]*[录錄次][\s　：:]/u;
const FEWEST_ENTRIES = 3;

/** Puts Chinese headings within long lines on lines of their own. Only increasing numbers are headings. */
function breakInlineHeadings(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => line.length > LONGEST_HEADING_LINE && /第.{1,9}[章回囘节節话話]/u.test(line))) return lines;
  const run = countingRun(lines);
  let expected = 1;
  const result: string[] = [];
  for (const [index, line] of lines.entries()) {
    const places = run?.get(index);
    if (places) {
      let from = 0;
      for (const { start, labelEnd } of places) {
        const end = headingEnd(line, labelEnd, true) ?? labelEnd;
        result.push(line.slice(from, start), "", line.slice(start, end), "");
        from = end;
      }
      result.push(line.slice(from));
      continue;
    }
    if (run && !CONTENTS.test(line)) {
      result.push(line);
      continue;
    }
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

interface Label {
  readonly line: number;
  readonly start: number;
  readonly labelEnd: number;
  readonly number: number;
  readonly unit: string;
  /** Place in the whole text. */
  readonly at: number;
  /** Whether it begins a line, or follows the end of a sentence. */
  readonly isApart: boolean;
}

const FEWEST_IN_RUN = 8;
/** The entries of a table of contents are closer together, and so are mentions of other chapters. */
const SHORTEST_CHAPTER = 300;
const ANY_LABEL = new RegExp(LABEL, "gu");
/** More labels than this are noise; a long serial has a few thousand. */
const MOST_LABELS = 20_000;

/**
 * If 第一回, 第二回, 第三回 … are a chapter apart and count through the text, they are its headings, whatever is before and after them.
 * Returns their places by line; null if nothing counts, or if fewer than a quarter of them are inside a line.
 */
function countingRun(lines: readonly string[]): ReadonlyMap<number, readonly Label[]> | null {
  const labels: Label[] = [];
  let at = 0;
  for (const [index, line] of lines.entries()) {
    for (const match of line.includes("第") && !CONTENTS.test(line) ? line.matchAll(ANY_LABEL) : []) {
      const number = parseHan(match[1] ?? "");
      const [start, unit = ""] = [match.index, match[2]];
      const isApart = start === 0 || /[\s　。！？”」』…）)]|分解$/u.test(line.slice(Math.max(0, start - 2), start));
      // In lines of ordinary length a heading is at the beginning.
      const isPlaced = line.length > LONG_LINE || line.slice(0, start).trim() === "";
      if (number !== null && isPlaced) {
        labels.push({
          ...{ line: index, start, number, unit, isApart },
          labelEnd: start + match[0].length,
          at: at + start,
        });
      }
    }
    at += line.length + 1;
    if (labels.length > MOST_LABELS) return null;
  }
  const chain = longestCount(labels);
  const inside = chain.filter(
    ({ line, start }) => lines[line]!.slice(0, start).trim() !== "" || lines[line]!.length > LONG_LINE,
  );
  if (chain.length < FEWEST_IN_RUN || chain[0]!.number > 2 || inside.length < chain.length / 4) return null;
  return groupBy(inside, ({ line }) => line);
}

/** The longest chain of labels of one kind, each one higher than the last (or two, if one was lost) and a chapter's length after it. */
function longestCount(labels: readonly Label[]): readonly Label[] {
  const chains: { weight: number; before: number }[] = [];
  const latest = new Map<string, number[]>();
  let best = -1;
  for (const [index, label] of labels.entries()) {
    let [weight, before] = [0, -1];
    for (const step of [1, 2]) {
      const places = latest.get(`${label.unit}${label.number - step}`) ?? [];
      for (const place of places.slice(-MOST_TRIED)) {
        if (label.at - labels[place]!.at < SHORTEST_CHAPTER) continue;
        const gained = chains[place]!.weight - (step - 1) * SKIPPED_WEIGHT;
        // Of two equally good ones the later is the heading, because the first may be in a table of contents.
        if (gained >= weight) [weight, before] = [gained, place];
      }
    }
    chains.push({ weight: weight + (label.isApart ? 1 : UNMARKED_WEIGHT), before });
    const key = `${label.unit}${label.number}`;
    const same = latest.get(key);
    if (same) same.push(index);
    else latest.set(key, [index]);
    if (best < 0 || chains[index]!.weight >= chains[best]!.weight) best = index;
  }
  const chain: Label[] = [];
  for (let place = best; place >= 0; place = chains[place]!.before) chain.push(labels[place]!);
  return chain.reverse();
}

const MOST_TRIED = 20;
const SKIPPED_WEIGHT = 0.4;
const UNMARKED_WEIGHT = 0.6;

/** 第一一回 where 101 is expected: the character for zero was lost in the source. */
function numberNear(digits: string, expected: number): number | null {
  const number = parseHan(digits);
  return number !== null && isWithoutZeros(number, expected) ? expected : number;
}

/** A gap, a colon or a glued title follows the label; if the label surely continues the count, prose may follow directly. */
function headingEnd(line: string, labelEnd: number, isCertain: boolean): number | null {
  if (/[\s　：:]/u.test(line.charAt(labelEnd))) return titleEnd(line, labelEnd + 1);
  const glued = /^[^\s　。，！？；：“”「」…,.!?;:]{1,20}(?=[\s　])/u.exec(line.slice(labelEnd, labelEnd + 24));
  if (glued) {
    // A couplet: the second half of the title follows after one space.
    const end = labelEnd + glued[0].length;
    const second = /^[\s　][^\s　。，！？；：“”「」…,.!?;:]{1,20}(?=[\s　])/u.exec(line.slice(end, end + 24));
    return end + (second?.[0].length ?? 0);
  }
  if (!isCertain) return null;
  // The storyteller's first words end a title that is glued to them.
  const opening = STORYTELLER.exec(line.slice(labelEnd, labelEnd + 40));
  return labelEnd + (opening?.[1]?.length ?? 0);
}

/** Splits a table of contents that is one line into one line per entry, so that it is recognised. */
function entriesOf(line: string): readonly string[] {
  const starts = [...line.matchAll(HEADING)].map((match) => match.index + (match[1]?.length ?? 0));
  if (starts.length < FEWEST_ENTRIES) return [line];
  return ["", line.slice(0, starts[0]), ...starts.map((start, at) => line.slice(start, starts[at + 1])), ""];
}

const NOTE = /［＃[^］]{0,200}］/gu;
const HEADING_NOTE = /［＃[^］]{0,100}見出し(?:終わり)?］/u;
const RUBY = /《[^》]{1,40}》|｜/gu;
const LEGEND = /【テキスト中に現れる記号について】/u;
const RULE = /^-{20,}\s*$/;
const COLOPHON = /^[\s　]*底本[：:]/u;
/** The legend is directly below the names of the book and its author. */
const TOP_LINES = 60;

interface AozoraReading {
  readonly lines: readonly string[];
  readonly metadata: Metadata;
  readonly removed: readonly Removal[];
}

/**
 * Files of Aozora Bunko contain the reading of words (《ruby》) and the layout of the page (［＃…］), explain both at the top and name
 * the printed edition at the end. None of that is the story, but a note that says 見出し makes its line a heading. Lines keep their
 * places.
 */
function withoutAozoraNotes(source: readonly string[]): AozoraReading {
  const legend = source.slice(0, TOP_LINES).findIndex((line) => LEGEND.test(line));
  if (legend < 0) return { lines: source, metadata: {}, removed: [] };
  const from = RULE.test(source[legend - 1] ?? "") ? legend - 1 : legend;
  const end = source.findIndex((line, at) => at > legend && at < legend + TOP_LINES && RULE.test(line));
  const to = end < 0 ? legend + 1 : end + 1;
  const colophon = source.findLastIndex((line) => COLOPHON.test(line));
  const last = colophon > to ? colophon : source.length;
  const lines = source.map((line, at) => ((at >= from && at < to) || at >= last ? "" : plain(line)));
  const [title, ...names] = lines.slice(0, from).filter((line) => line.trim() !== "");
  const author = names.at(-1)?.trim();
  // The names on the first lines are not part of the story.
  for (let at = 0; at < from; at++) lines[at] = "";
  return {
    lines,
    metadata: { ...(title && { title: title.trim() }), ...(author && { author }) },
    removed: [
      { rule: "title page", where: "line 1", text: source.slice(0, from).join("\n").trim() },
      { rule: "legend of Aozora Bunko", where: `line ${from + 1}`, text: source.slice(from, to).join("\n") },
      ...(last < source.length
        ? [
            {
              rule: "colophon of Aozora Bunko",
              where: `line ${last + 1}`,
              text: source.slice(last).join("\n").slice(0, 4000),
            },
          ]
        : []),
    ].filter(({ text }) => text !== ""),
  };
}

/** Websites mark a heading with a star, whatever its words; so does this (see `SITE_HEADING`). */
function plain(line: string): string {
  const text = line.replace(NOTE, "").replace(RUBY, "");
  return HEADING_NOTE.test(line) && text.trim() !== "" ? `☆、${text.trim()}` : text;
}

/** A novel saved as one line, or a few: longer than any paragraph. */
const GIANT_LINE = 5000;
const NUMERAL = new RegExp(
  `(^|[\\s　]|[。！？”」』…）)])((?:[（(]([${HAN_NUMBER_CHARACTERS}]{1,5})[）)]|([${HAN_NUMBER_CHARACTERS}]{1,5}))([、.．][\\s　]*|[\\s　]+))`,
  "gu",
);
const FEWEST = 3;
/** 一、二、三 also count the points of a list; chapters are longer. */
const SHORTEST_MEAN = 300;

/** Bare numbers inside a giant line, 一、归来 …… 二、…, if nothing else marks its chapters: only an unbroken count from one. */
function breakInlineNumerals(lines: readonly string[]): readonly string[] {
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

/** Plain text: the only structure is blank lines, indentation and the words of headings. */
export const format: Format = {
  async read({ bytes, name }: FormatInput): Promise<Manuscript> {
    const { text, encoding, undecodable, nuls } = decodeText(bytes, name);
    const source = toLines(text);
    const aozora = withoutAozoraNotes(source);
    const lines = holdsHan(text) ? withHanHeadings(aozora.lines) : source;
    const where = (line: number) => `line ${line + 1}`;
    const numbers = numberLinesIn(lines);
    const pass = passOverLines(lines, where, numbers);
    const body = withoutNoise(lines, pass, numbers);
    return {
      blocks: linesToBlocks(body, layoutOf(body)),
      metadata: { ...titleOverContents(source), ...headerMetadata(lines, pass.from, name), ...aozora.metadata },
      encoding,
      isLinePassed: true,
      removed: [...aozora.removed, ...pass.removed, ...pageRemovals(lines, pass, numbers, where)],
      warnings: [...undecodableWarning(undecodable, encoding), ...nulWarning(nuls)],
    };
  },
};

/** The story's lines: skipped ones leave a blank line, but a page number within a sentence leaves none. */
function withoutNoise(lines: readonly string[], { from, to, skipped }: LinePass, { pages }: NumberLines): string[] {
  const body = lines.slice(from, to);
  for (const at of [...skipped.keys(), ...pages.keys()]) if (at >= from && at < to) body[at - from] = "";
  const joined = new Set([...pages].flatMap(([at, gap]) => (gap === null ? [] : [at, ...gap])));
  return joined.size === 0 ? body : body.filter((_line, offset) => !joined.has(from + offset));
}

function pageRemovals(
  lines: readonly string[],
  { from, to, skipped }: LinePass,
  { pages }: NumberLines,
  where: (line: number) => string,
): Removal[] {
  const own = [...pages.keys()].filter((at) => at >= from && at < to && !skipped.has(at));
  return own.map((at) => ({ rule: "page number", where: where(at), text: lines[at]!.trim() }));
}

const HAN = /[\u4e00-\u9fff]/;
const HAN_WINDOWS = 64;
const HAN_WINDOW = 4096;

/** Whether a text contains Han characters. A long one is only sampled, since a book in Chinese has them everywhere. */
function holdsHan(text: string): boolean {
  if (text.length <= 2 * HAN_WINDOWS * HAN_WINDOW) return HAN.test(text);
  const step = (text.length - HAN_WINDOW) / (HAN_WINDOWS - 1);
  for (let window = 0; window < HAN_WINDOWS; window++) {
    const start = Math.floor(window * step);
    if (HAN.test(text.slice(start, start + HAN_WINDOW))) return true;
  }
  return false;
}

/** Chinese files lose line ends around their headings in several ways. */
function withHanHeadings(lines: readonly string[]): readonly string[] {
  return breakGluedHeadings(breakInlineNumerals(breakInlineHeadings(lines.map(withoutContentsLabel))));
}

/** 《红楼梦》目录 glued to a title is not part of it; alone it is the heading of the table of contents. */
function withoutContentsLabel(line: string): string {
  if (line.length > 200 || !/》[\s　]*目[\s　]*[录錄次]/u.test(line)) return line;
  return line.replace(/《[^》]{0,30}》[\s　]*目[\s　]*[录錄次][\s　：:]*/u, "").trim() || "目录";
}

/** 《红楼梦》目录 names the book; the label itself is removed later. */
function titleOverContents(lines: readonly string[]): { title?: string } {
  const label = /^[\s　]*《([^》]{1,40})》[\s　]*目[\s　]*[录錄次]/u;
  const title = lines
    .slice(0, 12)
    .map((line) => label.exec(line)?.[1])
    .find(Boolean);
  return title ? { title } : {};
}

function toLines(text: string): string[] {
  const seen = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  // A word broken by a soft hyphen goes whole to the upper line, so that the lines stay about as long as they were.
  const whole = seen.includes("\u00ad") ? seen.replace(/\u00ad[ \t]*\n[ \t]*(\S+)[ \t]?/g, "$1\n") : seen;
  const plain = withoutInvisible(whole);
  return (plain.includes("\f") ? plain.replace(/\f/g, "\n\n") : plain).split("\n");
}
