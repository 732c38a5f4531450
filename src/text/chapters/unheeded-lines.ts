import type { Block } from "../manuscript.ts";
import { countWords } from "../words.ts";
import { isDate } from "./dates.ts";
import { mayBeTitle } from "./title-case.ts";

const LONGEST_LINE = 60;
const WORDS_BETWEEN = 100;

/**
 * Where no headings were found, the short lines that stand alone like some: dates of a diary, titles that nothing sets apart.
 * They are too uncertain to cut at, and too likely to say nothing.
 */
export function unheededLines(blocks: readonly Block[]): string[] {
  const lines: string[] = [];
  let open: string | null = null;
  let words = 0;
  const close = () => {
    if (open !== null && words >= WORDS_BETWEEN) lines.push(open);
    open = null;
    words = 0;
  };
  for (const block of blocks) {
    const text = block.kind === "heading" ? block.lines.join(" ") : block.kind === "paragraph" ? block.text : "";
    if (text !== "" && text.length <= LONGEST_LINE && (mayBeTitle([text]) || isDate(text))) {
      close();
      open = text;
    } else if (text !== "" && words < WORDS_BETWEEN) words += countWords(text);
  }
  close();
  return lines;
}
