import { sumBy } from "../../stats/distribution/sum-by.ts";
import { type PreparedText, prepareText } from "../prepare-text.ts";

/** The words of a window: a chapter with fewer has no whole one. */
const WINDOW = 250;
/** Neighbours are joined to a few windows, so that where a piece ends matters little. */
const PIECE = 4 * WINDOW;
/**
 * From which part of a book's words in such chapters on they are read together. The most among the 80 reference novels is
 * 0.7% (`evals/cohesion.ts` prints it), and a book with a few short chapters is read as it is.
 */
const MOST_IN_SHORT_CHAPTERS = 0.05;

/** Every juror asks of the same chapters. */
const remembered = new WeakMap<readonly PreparedText[], readonly PreparedText[]>();

/**
 * What a juror reads of a book by itself: its chapters. Where many are shorter than a window, neighbours are joined, so
 * that the same words get about the same score however they are cut.
 */
export function piecesOf(chapters: readonly PreparedText[]): readonly PreparedText[] {
  const known = remembered.get(chapters);
  if (known !== undefined) return known;
  const pieces = partInShortChapters(chapters) <= MOST_IN_SHORT_CHAPTERS ? chapters : joined(chapters);
  remembered.set(chapters, pieces);
  return pieces;
}

/** The part of a book's words that stands in chapters shorter than a window; nothing can be joined where there is one chapter. */
export function partInShortChapters(chapters: readonly PreparedText[]): number {
  if (chapters.length < 2) return 0;
  const words = sumBy(chapters, ({ prose }) => prose.wordCount);
  const short = sumBy(chapters, ({ prose }) => (prose.wordCount < WINDOW ? prose.wordCount : 0));
  return words === 0 ? 0 : short / words;
}

function joined(chapters: readonly PreparedText[]): PreparedText[] {
  const runs: PreparedText[][] = [[]];
  let words = 0;
  for (const chapter of chapters) {
    if (words >= PIECE) {
      runs.push([]);
      words = 0;
    }
    runs.at(-1)!.push(chapter);
    words += chapter.prose.wordCount;
  }
  // What is left at the end of the book goes with the piece before it.
  if (words < PIECE && runs.length > 1) runs.at(-2)!.push(...runs.pop()!);
  return runs.map((run) => (run.length === 1 ? run[0]! : prepareText(run.map(({ text }) => text).join("\n\n"))));
}
