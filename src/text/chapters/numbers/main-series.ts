import { isMinor } from "../headings-with-prose.ts";
import { largestGroup } from "../largest-group.ts";
import type { Candidate } from "../outline.ts";

/**
 * A book in chapters may hold letters or scenes with numbers of their own: they are chapters only where they stand before
 * the first or after the last of the main series, as the letters of Frankenstein do.
 */
export function mainSeries(chapters: readonly Candidate[]): readonly Candidate[] {
  const seriesOf = ({ recognition }: Candidate) => recognition?.series;
  const major = largestGroup(
    chapters.filter((chapter) => !isMinor(chapter)),
    seriesOf,
  );
  // Sections inside chapters outnumber them; a book of letters may end with two chapters.
  const inside = chapters.filter((chapter) => isMinor(chapter) && chapter.at > (major[0]?.at ?? 0)).length;
  const minors = chapters.filter(isMinor).length;
  const main = major.length >= 2 && inside >= minors / 2 ? major : largestGroup(chapters, seriesOf);
  const first = main[0]?.at ?? 0;
  const last = main.at(-1)?.at ?? 0;
  const series = main[0]?.recognition?.series;
  const inner = new Set(chapters.filter(({ at }) => at > first && at < last).map(seriesOf));
  const isMainGlued = main.some(isGlued);
  return chapters.filter((chapter) => {
    const { at } = chapter;
    if (seriesOf(chapter) === series || at < first) return true;
    return at > last && !inner.has(seriesOf(chapter)) && (isMainGlued || !isGlued(chapter));
  });
}

/** 第一回见面时他笑了: where the other headings set the label apart, this is a sentence. */
function isGlued({ lines, recognition }: Candidate): boolean {
  return (
    recognition !== null &&
    recognition.rest !== "" &&
    /^第[^\s　]{1,8}$/u.test(lines[0]!.slice(0, -recognition.rest.length))
  );
}
