import type { Choice } from "../choose.ts";
import { joinTitle } from "../titles.ts";

const MOST_LISTED = 5;

/** Two chapters in a row with one number: the file may hold one twice. Gaps are looked for in `sanity-check.ts`. */
export function numberingWarnings(choices: readonly Choice[]): string[] {
  const repeats: string[] = [];
  const last = new Map<string, { number: number; rest: string }>();
  for (const { candidate, role } of choices) {
    // Books and parts number their chapters from one again.
    if (role === "division") last.clear();
    const { recognition } = candidate;
    if (role !== "chapter" || recognition?.number == null || recognition.number === 0) continue;
    const { series, number, rest } = recognition;
    const previous = last.get(series);
    // A chapter in numbered pieces, 第一章（一） and 第一章（二）, repeats its number rightly.
    if (previous !== undefined && number === previous.number && (!isPieceNumber(rest) || rest === previous.rest)) {
      repeats.push(`${number} at “${joinTitle(candidate.lines)}”`);
    }
    last.set(series, { number, rest });
  }
  return repeats.length > 0 ? [`Two chapters in a row have the same number: ${listed(repeats)}.`] : [];
}

/** （一）, 上, (ii), before a title or after it. */
const PIECE_FIRST = /^[（(【[]?[\d一二三四五六七八九十ivx上中下]+[）)】\]]?/iu;
const PIECE_LAST = /[（(【[][\d一二三四五六七八九十ivx上中下]+[）)】\]]$/iu;

function isPieceNumber(rest: string): boolean {
  return PIECE_FIRST.test(rest) || PIECE_LAST.test(rest);
}

function listed(items: readonly string[]): string {
  const shown = items.slice(0, MOST_LISTED).join(", ");
  return items.length > MOST_LISTED ? `${shown} and ${items.length - MOST_LISTED} more` : shown;
}
