import type { ProgressListener } from "../../core/progress.ts";
import { type DuplicatePair, findNearDuplicates } from "../near-duplicates.ts";

/** What the preparation of a corpus needs to know about a book. */
export interface CorpusBook {
  readonly id: string;
  readonly author: string | null;
  readonly chapters: number;
  readonly words: number;
}

export interface Exclusion {
  readonly id: string;
  readonly rule: "too few chapters" | "near-duplicate" | "author with few works";
  /** The whole reason, for people: what was found and what is required. */
  readonly reason: string;
}

export interface PreparedCorpus {
  readonly kept: readonly CorpusBook[];
  readonly excluded: readonly Exclusion[];
  /** Every pair above the threshold, by id. */
  readonly duplicates: readonly { readonly left: string; readonly right: string; readonly similarity: number }[];
}

export interface PrepareOptions {
  /** A book with fewer is not a long story, or its chapters were not recognised. WebNovelBench requires ten. */
  readonly minimumChapters?: number;
  /** Authors with fewer works in the corpus are the tail that WebNovelBench leaves out; 1 keeps all authors. */
  readonly minimumWorks?: number;
  readonly similarity?: number;
  readonly onProgress?: ProgressListener;
}

/**
 * WebNovelBench's three steps (section 3.1), in its order: near-duplicates, chapters, tail authors. Every excluded book has a
 * reason.
 *
 * @example
 * ```ts
 * const read = await mapBounded(files, 2, (file) => readBook(file));
 * const books = read.map(({ source, author, chapters, words }) => {
 *   return { id: source.file, author, chapters: chapters.length, words };
 * });
 * const textAt = (index: number) => read[index]?.chapters.map(({ text }) => text).join("\n\n") ?? "";
 * const { kept, excluded } = prepareCorpus(books, textAt, { minimumChapters: 10 });
 * for (const { id, reason } of excluded) console.log(`${id}: ${reason}`);
 * ```
 */
export function prepareCorpus(
  books: readonly CorpusBook[],
  textAt: (index: number) => string,
  options: PrepareOptions = {},
): PreparedCorpus {
  const { minimumChapters = 10, minimumWorks = 1, similarity = 0.9, onProgress } = options;
  const excluded: Exclusion[] = [];
  const pairs = findNearDuplicates(books.length, textAt, { threshold: similarity, ...(onProgress && { onProgress }) });
  const originals = originalOf(books, pairs);
  const distinct = books.filter((book, index) => {
    const original = originals.get(index);
    if (original === undefined) return true;
    const { id } = books[original]!;
    const share = pairs.find(
      ({ left, right }) => [left, right].includes(index) && [left, right].includes(original),
    )?.similarity;
    const likeness = share === undefined ? "through other copies" : `${(100 * share).toFixed(1)} % the same`;
    excluded.push({
      id: book.id,
      rule: "near-duplicate",
      reason: `nearly the same text as ${id} (${likeness}), which is kept`,
    });
    return false;
  });
  const long = distinct.filter((book) => {
    if (book.chapters >= minimumChapters) return true;
    const reason = `${book.chapters} chapters were found, ${minimumChapters} are required`;
    excluded.push({ id: book.id, rule: "too few chapters", reason });
    return false;
  });
  const works = new Map<string, number>();
  for (const { author } of long) if (author !== null) works.set(author, (works.get(author) ?? 0) + 1);
  const kept = long.filter(({ id, author }) => {
    const count = author === null ? 0 : (works.get(author) ?? 0);
    if (minimumWorks <= 1 || count >= minimumWorks) return true;
    const reason =
      author === null
        ? "its author is not known"
        : `${author} has ${count} in the corpus, ${minimumWorks} are required`;
    excluded.push({ id, rule: "author with few works", reason });
    return false;
  });
  const duplicates = pairs.map((pair) => ({
    left: books[pair.left]!.id,
    right: books[pair.right]!.id,
    similarity: pair.similarity,
  }));
  return { kept, excluded, duplicates };
}

/** For each copy the book that is kept instead: the longest of its group, and of equally long ones the first. */
function originalOf(books: readonly CorpusBook[], pairs: readonly DuplicatePair[]): ReadonlyMap<number, number> {
  const parent = new Map<number, number>();
  const root = (index: number): number => {
    let at = index;
    for (let above = parent.get(at); above !== undefined && above !== at; above = parent.get(at)) at = above;
    return at;
  };
  for (const { left, right } of pairs) {
    const [one, other] = [root(left), root(right)];
    if (one === other) continue;
    const keepsOne =
      books[one]!.words > books[other]!.words || (books[one]!.words === books[other]!.words && one < other);
    parent.set(keepsOne ? other : one, keepsOne ? one : other);
  }
  return new Map([...parent.keys()].map((index) => [index, root(index)]));
}
