import type { Removal } from "../../book.ts";
import { type LinePass, passOverLines } from "../../clean/line-pass.ts";
import { withoutInvisible } from "../../clean/squeeze.ts";
import { decodeText } from "../../files/encoding.ts";
import type { Manuscript } from "../../manuscript.ts";
import { nulWarning, undecodableWarning } from "../../warnings.ts";
import type { Format, FormatInput } from "../format.ts";
import { breakGluedHeadings } from "../glued-headings.ts";
import { breakInlineHeadings } from "../inline-headings.ts";
import { breakInlineNumerals } from "../inline-numerals.ts";
import { withoutAozoraNotes } from "./aozora.ts";
import { type NumberLines, numberLinesIn } from "./page-numbers.ts";
import { linesToBlocks } from "./plain-text-blocks.ts";
import { headerMetadata } from "./plain-text-header.ts";
import { layoutOf } from "./plain-text-layout.ts";

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

/** The story's lines: what is skipped leaves a blank line, a page number in a sentence none. */
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

/** Asked of the whole text, or of stretches all over a long one: a book in Chinese shows it everywhere. */
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

/** 《红楼梦》目录 glued to a title is no part of it; alone it stands over the table of contents. */
function withoutContentsLabel(line: string): string {
  if (line.length > 200 || !/》[\s　]*目[\s　]*[录錄次]/u.test(line)) return line;
  return line.replace(/《[^》]{0,30}》[\s　]*目[\s　]*[录錄次][\s　：:]*/u, "").trim() || "目录";
}

/** 《红楼梦》目录 names the book, before that label is taken off. */
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
