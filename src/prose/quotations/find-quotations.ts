import type { Span } from "../reading/span.ts";
import { mainQuotationMarks, type QuotationMarks } from "./quotation-marks.ts";

/** Text between quotation marks, without the marks. */
export interface QuotedSpan extends Span {
  readonly paragraph: number;
  /** The paragraph ended before the mark closed, and the next one goes on with an opening mark: one speech. */
  readonly continues: boolean;
}

/**
 * What stands in quotation marks, paragraph by paragraph: a forgotten mark costs its own paragraph and no more. A speech
 * that is not closed runs to the paragraph's end, as books set speeches of several paragraphs.
 */
export function findQuotedSpans(
  text: string,
  paragraphs: readonly Span[],
  marks: QuotationMarks | null = mainQuotationMarks(text),
): QuotedSpan[] {
  if (marks === null) return [];
  const found: QuotedSpan[] = [];
  const next = nextMark(marks);
  for (const [index, paragraph] of paragraphs.entries()) {
    let open = -1;
    for (let at = next(text, paragraph.start, false); at < paragraph.end; at = next(text, at + 1, open !== -1)) {
      if (open === -1) {
        if (text[at] === marks.open) open = at;
      } else if (text[at] === marks.close) {
        if (at > open + 1) found.push({ start: open + 1, end: at, paragraph: index, continues: false });
        open = -1;
      }
    }
    if (open === -1 || open + 1 >= paragraph.end) continue;
    const following = paragraphs[index + 1];
    const continues = following !== undefined && text[following.start] === marks.open;
    found.push({ start: open + 1, end: paragraph.end, paragraph: index, continues });
  }
  return found;
}

type NextMark = (text: string, from: number, isInside: boolean) => number;

/** The next place that can open (outside) or close (inside) a quotation; the text's length when there is none. */
function nextMark(marks: QuotationMarks): NextMark {
  const pattern = (source: string) => new RegExp(source, "gu");
  const find = (regular: RegExp, text: string, from: number) => {
    regular.lastIndex = from;
    return regular.exec(text)?.index ?? text.length;
  };
  if (marks.id === "single-straight" || marks.id === "single-curly") {
    // An apostrophe is not a quotation mark: an opening touches no letter before it, a closing none after it.
    const opening = pattern(`(?<![\\p{L}\\p{N}.,!?])${marks.open}(?=[\\p{L}\\p{N}“"…—-])`);
    const closing = pattern(
      `(?<=[.,!?…—-]["”]?)${marks.close}(?![\\p{L}\\p{N}])|(?<=\\p{L})${marks.close}(?=[?!.,;:)—-])`,
    );
    return (text, from, isInside) => find(isInside ? closing : opening, text, from);
  }
  return (text, from, isInside) => {
    const at = text.indexOf(isInside ? marks.close : marks.open, from);
    return at === -1 ? text.length : at;
  };
}
