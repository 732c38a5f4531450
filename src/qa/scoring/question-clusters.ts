/** With fewer books or questions an interval would mainly reflect how few there are. */
export const FEWEST_CLUSTERS = 5;
/**
 * Single questions are resampled in groups, to which they are dealt in turn. The spread is the same, at a fixed cost.
 */
const QUESTION_GROUPS = 250;

/** The units that a resample draws whole. */
export interface QuestionClusters {
  /** For each question, its cluster. */
  readonly clusterOf: Uint32Array;
  readonly clusters: number;
  readonly over: "books" | "questions";
}

/** Books, when every question's book is known and there are some; otherwise questions as if they were independent. */
export function questionClusters(bookOf: readonly (string | null)[]): QuestionClusters {
  const books = new Map<string | null, number>();
  for (const book of bookOf) if (!books.has(book)) books.set(book, books.size);
  if (!books.has(null) && books.size >= FEWEST_CLUSTERS) {
    return { clusterOf: Uint32Array.from(bookOf, (book) => books.get(book)!), clusters: books.size, over: "books" };
  }
  const clusters = Math.min(bookOf.length, QUESTION_GROUPS);
  return { clusterOf: Uint32Array.from(bookOf, (_, position) => position % clusters), clusters, over: "questions" };
}
