import type { Chapter } from "../../book.ts";
import { recogniseHeading } from "../recognise.ts";

const MOST_LISTED = 5;

/** Two chapters in a row with one number: the file may hold one twice. Gaps are looked for in `sanity-check.ts`. */
export function numberingWarnings(chapters: readonly Chapter[]): string[] {
  const repeats: string[] = [];
  const last = new Map<string, { number: number; rest: string; part: string | undefined }>();
  for (const { title, part } of chapters) {
    const recognition = recogniseHeading(title ?? "");
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
  return repeats.length > 0 ? [`Two chapters in a row have the same number: ${listed(repeats)}.`] : [];
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
