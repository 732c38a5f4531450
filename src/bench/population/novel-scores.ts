import { mean } from "../../stats/distribution.ts";

/** The writer of books without a stated author; such books may have different authors. */
export const UNKNOWN_WRITER = "unknown";
/** The name of the human original as a contestant. */
export const HUMAN = "human original";

/** One chapter's scores, in the order of the population's dimensions; null if the judge gave none. */
export interface ScoredChapter {
  /** The novel (or generated story) the chapter belongs to. */
  readonly novel: string;
  /** Who wrote it: an author, or a model. */
  readonly writer: string;
  readonly chapter: number;
  /** `chapter` is only a position in a list, because the scores have no chapter number or are for a whole novel. */
  readonly isUnnumbered?: true;
  readonly words: number | null;
  readonly scores: readonly (number | null)[];
  /** For a panel, each judge's own scores of its own dimensions; `scores` then holds the judges' composites. */
  readonly scoresByJudge?: readonly (readonly (number | null)[] | null)[];
}

export interface NovelScores {
  readonly novel: string;
  readonly writer: string;
  readonly chapters: number;
  readonly words: number | null;
  /** The mean of each dimension over the chapters that have a score. */
  readonly scores: readonly number[];
}

export interface NovelExclusion {
  readonly novel: string;
  readonly writer: string;
  readonly reason: string;
}

export function groupByNovel(chapters: readonly ScoredChapter[]): Map<string, ScoredChapter[]> {
  const groups = new Map<string, ScoredChapter[]>();
  for (const chapter of chapters) {
    const key = `${chapter.writer}\u0000${chapter.novel}`;
    const group = groups.get(key);
    if (group) group.push(chapter);
    else groups.set(key, [chapter]);
  }
  return groups;
}

export function averageChapters(chapters: readonly ScoredChapter[], dimensions: number): (number | null)[] {
  return Array.from({ length: dimensions }, (_, dimension) => {
    const known = chapters.map(({ scores }) => scores[dimension]).filter((score) => score != null);
    return known.length === 0 ? null : mean(known);
  });
}

interface Entry {
  readonly novel: string;
  readonly writer: string;
  chapters: number;
  words: number | null;
  readonly sums: Float64Array;
  readonly counts: Uint32Array;
}

/** A dimension that fewer of the chapters than this have cannot be used for a population. */
const LEAST_SHARE = 0.5;

/**
 * Sums up scores by novel as chapters come in, so that the memory needed for a population of a hundred thousand
 * novels grows with the novels and not with their chapters.
 */
export class NovelSums {
  readonly #dimensions: readonly string[];
  readonly #novels = new Map<string, Entry>();
  readonly #known: Float64Array;
  #chapters = 0;

  constructor(dimensions: readonly string[]) {
    this.#dimensions = dimensions;
    this.#known = new Float64Array(dimensions.length);
  }

  static of(chapters: Iterable<ScoredChapter>, dimensions: readonly string[]): NovelSums {
    const sums = new NovelSums(dimensions);
    for (const chapter of chapters) sums.add(chapter);
    return sums;
  }

  /** `isAgain`: further scores of a chapter that was counted before. */
  add({ novel, writer, words, scores }: ScoredChapter, isAgain = false): void {
    const entry = this.#entryOf(novel, writer);
    if (!isAgain) {
      this.#chapters++;
      entry.chapters++;
      entry.words = words === null || entry.words === null ? null : entry.words + words;
    }
    for (let dimension = 0; dimension < this.#dimensions.length; dimension++) {
      const score = scores[dimension];
      if (score === null || score === undefined) continue;
      entry.sums[dimension]! += score;
      entry.counts[dimension]!++;
      this.#known[dimension]!++;
    }
  }

  /**
   * The dimensions that most chapters have, and the others, which are dropped rather than every novel that lacks
   * them.
   */
  usable(): { kept: string[]; dropped: string[] } {
    const isKept = (_: string, index: number) => this.#known[index]! / Math.max(1, this.#chapters) >= LEAST_SHARE;
    const kept = this.#dimensions.filter(isKept);
    return { kept, dropped: this.#dimensions.filter((dimension) => !kept.includes(dimension)) };
  }

  /**
   * A novel's score is the mean over its chapters, dimension by dimension. A chapter without a dimension is skipped there; a
   * novel that has no chapter with some dimension cannot be placed and is excluded, with the reason.
   */
  average(dimensions: readonly string[]): { novels: NovelScores[]; excluded: NovelExclusion[] } {
    const indexes = dimensions.map((dimension) => this.#dimensions.indexOf(dimension));
    const novels: NovelScores[] = [];
    const excluded: NovelExclusion[] = [];
    for (const { novel, writer, chapters, words, sums, counts } of this.#novels.values()) {
      const missing = dimensions.filter((_, position) => counts[indexes[position]!] === 0);
      if (missing.length > 0) {
        excluded.push({ novel, writer, reason: `no chapter has a score for ${missing.join(", ")}` });
        continue;
      }
      novels.push({ novel, writer, chapters, words, scores: indexes.map((index) => sums[index]! / counts[index]!) });
    }
    return { novels, excluded };
  }

  #entryOf(novel: string, writer: string): Entry {
    const key = `${writer}\u0000${novel}`;
    const known = this.#novels.get(key);
    if (known) return known;
    const size = this.#dimensions.length;
    const entry = { novel, writer, chapters: 0, words: 0, sums: new Float64Array(size), counts: new Uint32Array(size) };
    this.#novels.set(key, entry);
    return entry;
  }
}
