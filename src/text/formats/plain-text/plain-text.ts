import { passOverLines } from "../../clean/line-pass.ts";
import { decodeText } from "../../files/encoding.ts";
import type { Manuscript } from "../../manuscript.ts";
import { nulWarning, undecodableWarning } from "../../warnings.ts";
import type { Format, FormatInput } from "../format.ts";
import { breakGluedHeadings } from "../glued-headings.ts";
import { breakInlineHeadings } from "../inline-headings.ts";
import { breakInlineNumerals } from "../inline-numerals.ts";
import { linesToBlocks } from "./plain-text-blocks.ts";
import { headerMetadata } from "./plain-text-header.ts";
import { layoutOf } from "./plain-text-layout.ts";

/** Plain text: the only structure is blank lines, indentation and the words of headings. */
export const format: Format = {
  async read({ bytes, name }: FormatInput): Promise<Manuscript> {
    const { text, encoding, undecodable, nuls } = decodeText(bytes, name);
    const lines = HAN.test(text) ? withHanHeadings(toLines(text)) : toLines(text);
    const pass = passOverLines(lines, (line) => `line ${line + 1}`);
    const body = lines.slice(pass.from, pass.to);
    for (const index of pass.skipped.keys()) if (index >= pass.from) body[index - pass.from] = "";
    return {
      blocks: linesToBlocks(body, layoutOf(body)),
      metadata: headerMetadata(lines, pass.from, name),
      encoding,
      isLinePassed: true,
      removed: pass.removed,
      warnings: [...undecodableWarning(undecodable, encoding), ...nulWarning(nuls)],
    };
  },
};

const HAN = /[\u4e00-\u9fff]/;

/** Chinese files lose line ends around their headings in several ways. */
function withHanHeadings(lines: readonly string[]): readonly string[] {
  return breakGluedHeadings(breakInlineNumerals(breakInlineHeadings(lines.map(withoutContentsLabel))));
}

/** 《红楼梦》目录 glued to a title is no part of it; alone it stands over the table of contents. */
function withoutContentsLabel(line: string): string {
  if (line.length > 200 || !/》[\s　]*目[\s　]*[录錄次]/u.test(line)) return line;
  return line.replace(/《[^》]{0,30}》[\s　]*目[\s　]*[录錄次][\s　：:]*/u, "").trim() || "目录";
}

function toLines(text: string): string[] {
  const plain = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  return plain.replace(/\f/g, "\n\n").split("\n");
}
