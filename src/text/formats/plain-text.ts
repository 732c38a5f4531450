import { passOverLines } from "../clean/line-pass.ts";
import { decodeText } from "../encoding.ts";
import type { Manuscript } from "../manuscript.ts";
import { undecodableWarning } from "../warnings.ts";
import type { Format, FormatInput } from "./format.ts";
import { breakGluedHeadings } from "./glued-headings.ts";
import { breakInlineHeadings } from "./inline-headings.ts";
import { breakInlineNumerals } from "./inline-numerals.ts";
import { linesToBlocks } from "./plain-text-blocks.ts";
import { headerMetadata } from "./plain-text-header.ts";
import { layoutOf } from "./plain-text-layout.ts";

/** Plain text: the only structure is blank lines, indentation and the words of headings. */
export const format: Format = {
  async read({ bytes, name }: FormatInput): Promise<Manuscript> {
    const { text, encoding, undecodable } = decodeText(bytes, name);
    const lines = HAN.test(text) ? withHanHeadings(toLines(text)) : toLines(text);
    const pass = passOverLines(lines, (line) => `line ${line + 1}`);
    const body = lines.slice(pass.from, pass.to);
    for (const index of pass.skipped.keys()) if (index >= pass.from) body[index - pass.from] = "";
    return {
      blocks: linesToBlocks(body, layoutOf(body)),
      metadata: headerMetadata(lines, pass.from),
      encoding,
      isLinePassed: true,
      removed: pass.removed,
      warnings: undecodableWarning(undecodable, encoding),
    };
  },
};

const HAN = /[\u4e00-\u9fff]/;

/** Chinese files lose line ends around their headings in several ways. */
function withHanHeadings(lines: readonly string[]): readonly string[] {
  return breakGluedHeadings(breakInlineNumerals(breakInlineHeadings(lines)));
}

function toLines(text: string): string[] {
  const plain = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  return plain.replace(/\f/g, "\n\n").split("\n");
}
