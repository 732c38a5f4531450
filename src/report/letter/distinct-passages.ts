import type { LetterItem } from "../../judge/letter/letter-part.ts";
import type { QuotedPassage } from "../../judge/letter/quoted-passage.ts";

/** No passage is praised twice in one letter: an item takes the next good one, and "what works" those that are left. */
export function withDistinctPraise(
  items: readonly LetterItem[],
  strengths: readonly QuotedPassage[],
): { readonly items: LetterItem[]; readonly strengths: QuotedPassage[] } {
  const used = new Set<string>();
  const isNew = (passage: QuotedPassage) => !used.has(placeOf(passage));
  const distinct = items.map((item): LetterItem => {
    const candidates = [...(item.better ? [item.better] : []), ...(item.kind.startsWith("notes") ? strengths : [])];
    const better = candidates.find(isNew) ?? null;
    if (better) used.add(placeOf(better));
    return { ...item, better };
  });
  return { items: distinct, strengths: strengths.filter(isNew) };
}

function placeOf({ chapter, start }: QuotedPassage): string {
  return `${chapter}:${start}`;
}
