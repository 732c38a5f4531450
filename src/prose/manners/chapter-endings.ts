import { countWords } from "../../text/words.ts";
import { mean, rounded } from "../map/numbers.ts";
import type { Passage } from "../map/passage.ts";
import type { Reading } from "../map/reading.ts";

/** How much the ends of chapters resemble each other. */
export interface ChapterEndings {
  /** Of the chapters, those that end in a paragraph of one short sentence. */
  readonly shortShare: number | null;
  /** Mean overlap of the words of two last paragraphs, from 0 to 1 (Jaccard, words of four letters and more). */
  readonly likeness: number | null;
  readonly passages: readonly Passage[];
}

const SHORT = 15;
const FEWEST_CHAPTERS = 4;

export function chapterEndings({ prose, chapters, locate }: Reading): ChapterEndings {
  const endings = chapters.flatMap((chapter) => {
    const last = prose.paragraphs.findLast(({ start, end }) => start >= chapter.start && end <= chapter.end);
    return last ? [last] : [];
  });
  if (endings.length < FEWEST_CHAPTERS) return { shortShare: null, likeness: null, passages: endings.map(locate) };
  const short = endings.filter(({ start, end }) => countWords(prose.text, start, end) <= SHORT).length;
  const sets = endings.map(
    ({ start, end }) =>
      new Set(
        prose.text
          .slice(start, end)
          .toLowerCase()
          .match(/\p{L}{4,}/gu) ?? [],
      ),
  );
  const overlaps = sets.flatMap((left, index) => sets.slice(index + 1).map((right) => jaccard(left, right)));
  return {
    shortShare: rounded(short / endings.length, 3),
    likeness: rounded(mean(overlaps)),
    passages: endings.map(locate),
  };
}

function jaccard(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let both = 0;
  for (const word of left) if (right.has(word)) both++;
  const all = left.size + right.size - both;
  return all === 0 ? 0 : both / all;
}
