import type { LetterItem } from "../../judge/letter/letter-part.ts";
import { someOf } from "../../prose/map/passage.ts";
import type { LetterSource } from "./letter-source.ts";

/** What no published book should have at all, and so needs no reference: two spellings, numbers that jump, mixed marks. */
export function smallSlips({ map, quoter }: LetterSource): LetterItem[] {
  const found = map.consistency;
  if (found === null) return [];
  const item = (
    kind: string,
    facts: LetterItem["facts"],
    touched: number,
    passages: Parameters<typeof someOf<Parameters<typeof quoter.quote>[0]>>[0],
  ): LetterItem[] => {
    const quotes = someOf(passages, 3).flatMap((passage) => quoter.quote(passage) ?? []);
    return quotes.length === 0
      ? []
      : [{ kind, figure: null, facts, touched, distance: 0, passages: quotes, better: null }];
  };
  return [
    ...found.spellings
      .slice(0, 1)
      .flatMap(({ usual, rare, counts, passages }) =>
        item("spelling", { usual, rare, usualCount: counts[0], rareCount: counts[1] }, counts[1], passages),
      ),
    ...mixed("marks", found.quotationMarks, item),
    ...mixed("dashes", found.dashes, item),
    ...found.numbering.slice(0, 1).flatMap(({ chapter, title, expected }) => {
      const opening = map.shape.chapters.find((each) => each.chapter === chapter)?.opening;
      return opening ? item("numbering", { title, expected }, 1, [opening]) : [];
    }),
  ];
}

type Mixture = NonNullable<LetterSource["map"]["consistency"]>["dashes"];

function mixed(
  kind: string,
  marks: Mixture,
  item: (
    kind: string,
    facts: LetterItem["facts"],
    touched: number,
    passages: Mixture[number]["passages"],
  ) => LetterItem[],
): LetterItem[] {
  const [usual, rare] = marks;
  if (!usual || !rare) return [];
  const facts = { usual: usual.mark.trim(), usualCount: usual.count, rare: rare.mark.trim(), rareCount: rare.count };
  return item(kind, facts, rare.count, rare.passages);
}
