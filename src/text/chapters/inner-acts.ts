import type { Candidate, Outline } from "./outline.ts";

/**
 * Parts hold chapters. Two of a kind with a text between them and no chapter (ACT I, ACT II), all inside one chapter, are those
 * of a play or a book that somebody reads there.
 */
export function withoutInnerActs(
  divisions: readonly Candidate[],
  chapters: readonly Candidate[],
  outline: Outline,
): readonly Candidate[] {
  const last = chapters.at(-1)?.at ?? 0;
  let next = 0;
  const chaptersBefore = new Map(
    divisions.map((division) => {
      while (next < chapters.length && chapters[next]!.at < division.at) next++;
      return [division.at, next];
    }),
  );
  const isPair = (one: Candidate | undefined, other: Candidate | undefined) =>
    one !== undefined &&
    other !== undefined &&
    one.recognition?.series === other.recognition?.series &&
    chaptersBefore.get(one.at) === chaptersBefore.get(other.at) &&
    outline.wordsBefore[other.at]! - outline.wordsBefore[one.at]! >= FEWEST_WORDS_OF_ACT;
  /** An act with its text right under it, in a book of chapters. */
  const isAct = ({ at, recognition }: Candidate) => {
    const next = chapters[chaptersBefore.get(at)!];
    const words = next ? outline.wordsBefore[next.at]! - outline.wordsBefore[at]! : 0;
    return ACTS.has(recognition?.series ?? "") && words >= FEWEST_WORDS_OF_ACT;
  };
  return divisions.filter((division, index) => {
    const isInner = chaptersBefore.get(division.at)! > 0 && division.at < last;
    if (!isInner) return true;
    return !isPair(divisions[index - 1], division) && !isPair(division, divisions[index + 1]) && !isAct(division);
  });
}

const ACTS = new Set(["act", "akt", "aufzug", "acte", "acto", "ato", "atto", "действие"]);

const FEWEST_WORDS_OF_ACT = 60;
