import type { Chapter } from "../../book.ts";
import { recogniseHeading } from "../recognise.ts";
import type { Recognition } from "../recognition.ts";

const MOST_LISTED = 5;

/** Two chapters in a row with one number: the file may hold one twice. Gaps are looked for in `sanity-check.ts`. */
export function numberingWarnings(chapters: readonly Chapter[]): string[] {
  const repeats: string[] = [];
  const last = new Map<string, { number: number; rest: string; part: string | undefined }>();
  const headings = chapters.map(({ title }) => recogniseHeading(title ?? ""));
  for (const [at, { title, part }] of chapters.entries()) {
    const recognition = headings[at];
    if (!recognition?.number) continue;
    const { kind, series, number, rest } = recognition;
    // BOOK I, CHAPTER II: the book's number stays while its chapters count.
    if (kind === "division" && recogniseHeading(rest)?.kind === "chapter") continue;
    const previous = last.get(series);
    // Books and parts number their chapters from one again.
    const isRepeated = previous !== undefined && previous.part === part && previous.number === number;
    // A chapter in numbered pieces, 第一章（一） and 第一章（二）, repeats its number rightly.
    if (isRepeated && (!isPieceNumber(rest) || rest === previous.rest)) repeats.push(`${number} at “${title}”`);
    last.set(series, { number, rest, part });
  }
  const restarts = restartsIn(chapters, headings);
  const again =
    restarts.length > 0 ? [`The numbering begins again without the title of a part: ${listed(restarts)}.`] : [];
  return repeats.length > 0 ? [`Two chapters in a row have the same number: ${listed(repeats)}.`, ...again] : again;
}

/**
 * One and two after two or more, in the same part and series, with nothing unnumbered between: two books in one file, or the
 * title of a part was missed. 第一回 alone may be a 第一〇〇回 that lost its zeros.
 */
function restartsIn(chapters: readonly Chapter[], headings: readonly (Recognition | null)[]): string[] {
  const found = chapters.filter(({ part }, at) => {
    const [before, here, after] = [headings[at - 1], headings[at], headings[at + 1]];
    if (here?.number !== 1 || after?.number !== 2 || (before?.number ?? 0) < 2) return false;
    return before?.series === here.series && here.series === after.series && chapters[at - 1]?.part === part;
  });
  return found.map(({ index, title }) => `chapter ${index} “${title}”`);
}

/** （一）, 上, (ii), before a title or after it. */
const PIECE_FIRST =
  /^(?:[（(【[][\d一二三四五六七八九十ivx上中下]+[）)】\]]|[\d一二三四五六七八九十ivx上中下]+(?!\p{L}))/iu;
const PIECE_LAST = /[（(【[][\d一二三四五六七八九十ivx上中下]+[）)】\]]$/iu;

function isPieceNumber(rest: string): boolean {
  return PIECE_FIRST.test(rest) || PIECE_LAST.test(rest);
}

function listed(items: readonly string[]): string {
  const shown = items.slice(0, MOST_LISTED).join(", ");
  return items.length > MOST_LISTED ? `${shown} and ${items.length - MOST_LISTED} more` : shown;
}
