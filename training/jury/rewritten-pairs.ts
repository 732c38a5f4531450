import type { FigureRow } from "./figures.ts";
import type { Lesson } from "./lesson.ts";
import { pairsRight } from "./measures.ts";
import { survivingWords } from "./notes/survival.ts";

/** Fewer of the draft's words left than this: the professional wrote the paragraph again. */
const REWRITTEN = 0.6;

/**
 * The nearest thing in the data to an author beside an imitation: drafts that a professional nearly wrote again. There are no
 * pairs of an author's own text and a model's imitation of it.
 */
export function rewrittenRow(lessons: readonly Lesson[], predictions: Float64Array): FigureRow {
  const drafts = new Map(
    lessons.flatMap(({ pair, target, text }): [number, string][] =>
      pair !== undefined && target === 0 ? [[pair, text]] : [],
    ),
  );
  const rewritten = new Set(
    lessons.flatMap(({ pair, target, text }) => {
      if (pair === undefined || target !== 1) return [];
      const words = survivingWords(drafts.get(pair)!, text);
      return words.filter(({ survives }) => survives).length < REWRITTEN * words.length ? [pair] : [];
    }),
  );
  const own = predictions.map((value, place) => {
    const { pair } = lessons[place]!;
    return pair !== undefined && rewritten.has(pair) ? value : Number.NaN;
  });
  return {
    name: `rewritten (under ${100 * REWRITTEN}% of the words kept) above draft, share right, families held back`,
    measured: pairsRight(lessons, [own], "expert-pairs"),
  };
}
