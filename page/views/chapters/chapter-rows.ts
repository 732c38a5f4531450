import type { BookCorrections, ChapterCorrections } from "../../../src/api/corrections.ts";

/** One chapter as the file has it, and what is to become of it. */
export interface ChapterRow {
  readonly index: number;
  readonly foundTitle: string | null;
  readonly words: number;
  readonly title: string;
  readonly isJoined: boolean;
  readonly isFrontMatter: boolean;
  readonly splitAt: string;
  readonly splitTitle: string;
}

/** The form's rows, and the corrections that have no place in them: a second split of one chapter, which stays as it is. */
export function rowsOf({ found, corrections }: BookCorrections): { rows: ChapterRow[]; others: ChapterCorrections } {
  const others: ChapterCorrections = [];
  const rows = new Map<number, ChapterRow>(
    found.map(({ index, title, words }) => [
      index,
      { index, foundTitle: title, words, title: title ?? "", ...UNCHANGED },
    ]),
  );
  const change = (index: number, changed: Partial<ChapterRow>) => {
    const row = rows.get(index);
    if (row) rows.set(index, { ...row, ...changed });
  };
  for (const correction of corrections) {
    if ("merge" in correction) change(correction.merge, { isJoined: true });
    else if ("rename" in correction) change(correction.rename, { title: correction.title });
    else if ("front-matter" in correction) change(correction["front-matter"], { isFrontMatter: true });
    else if (rows.get(correction.split)?.splitAt) others.push(correction);
    else change(correction.split, { splitAt: correction.at, splitTitle: correction.title ?? "" });
  }
  return { rows: [...rows.values()], others };
}

const UNCHANGED = { isJoined: false, isFrontMatter: false, splitAt: "", splitTitle: "" };

/** Renames come first: both halves of a split chapter keep its number, and a rename would reach them both. */
export function correctionsOf(rows: readonly ChapterRow[], others: ChapterCorrections): ChapterCorrections {
  const renames = rows.filter(({ title, foundTitle }) => title.trim() !== "" && title.trim() !== (foundTitle ?? ""));
  const splits = rows.filter(({ splitAt }) => splitAt.trim() !== "");
  return [
    ...renames.map(({ index, title }) => ({ rename: index, title: title.trim() })),
    ...splits.map(({ index, splitAt, splitTitle }) => ({
      split: index,
      at: splitAt.trim(),
      ...(splitTitle.trim() !== "" && { title: splitTitle.trim() }),
    })),
    ...others,
    ...rows.filter(({ isJoined }) => isJoined).map(({ index }) => ({ merge: index })),
    ...rows.filter(({ isFrontMatter }) => isFrontMatter).map(({ index }) => ({ "front-matter": index })),
  ];
}
