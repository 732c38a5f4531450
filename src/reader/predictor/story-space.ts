import { sumBy } from "../../stats/distribution.ts";
import type { Story } from "./story.ts";
import { countTerms, type SparseVector, TermSpace, type TermTable } from "./term-space.ts";
import { pushLabel, pushLetterRuns, pushWords, TermBuffer } from "./terms.ts";

interface StoryBlock {
  readonly id: string;
  /** Its name in a sentence: "how it ends"; null if it has none. */
  readonly inWords: string | null;
  readonly minimumStories: number;
  push(story: Story, into: TermBuffer): void;
}

/** The parts of a description that are read. The last third of the plot counts again: readers forgive much for an ending. */
export const STORY_BLOCKS: readonly StoryBlock[] = [
  {
    id: "summary",
    inWords: "what happens in it",
    minimumStories: 3,
    push: (story, into) => pushWords(story.plot_summary ?? "", into, true),
  },
  {
    id: "ending",
    inWords: "how it ends",
    minimumStories: 3,
    push: (story, into) => pushWords(lastThird(story.plot_summary ?? ""), into, true),
  },
  {
    id: "letters",
    inWords: null,
    minimumStories: 5,
    push: (story, into) => pushLetterRuns(wholeText(story), into),
  },
  {
    id: "premise",
    inWords: "its premise",
    minimumStories: 3,
    push: (story, into) => pushWords(story.premise ?? "", into, true),
  },
  {
    id: "characters",
    inWords: "its characters",
    minimumStories: 3,
    push: (story, into) => pushWords(story.characters ?? "", into, true),
  },
  {
    id: "title",
    inWords: "its title",
    minimumStories: 2,
    push: (story, into) => pushWords(story.title ?? "", into, false),
  },
];

const MINIMUM_GENRE_STORIES = 4;

/** The weights of blocks relative to the plot summary. A training chooses among these designs by its own stories. */
export interface StoryDesign {
  readonly ending: number;
  /** Of runs of letters; 0 leaves them out. */
  readonly letters: number;
  readonly premise: number;
  readonly characters: number;
  /** Of each genre of a story, however many it has. */
  readonly genre: number;
}

export const STORY_DESIGNS: readonly StoryDesign[] = [0.5, 1.5].flatMap((ending) =>
  [0, 1.5].flatMap((letters) =>
    [0.5, 1].flatMap((premise) =>
      [0, 0.7].flatMap((characters) =>
        [0.03, 0.1, 0.3, 1].map((genre) => ({ ending, letters, premise, characters, genre })),
      ),
    ),
  ),
);

/** A title is short, so chance plays a larger part in it. */
const TITLE_WEIGHT = 0.3;

/** The length of each block's vector, the genres' last. */
export function storyWeights({ ending, letters, premise, characters, genre }: StoryDesign): number[] {
  const lengths: Readonly<Record<string, number>> = {
    summary: 1,
    ending,
    letters,
    premise,
    characters,
    title: TITLE_WEIGHT,
  };
  return [...STORY_BLOCKS.map(({ id }) => lengths[id]!), genre];
}

export interface StoryVector {
  readonly positions: Uint32Array;
  readonly values: Float32Array;
  /** Where each block ends within `positions`; the last is the genres'. */
  readonly ends: readonly number[];
}

/** Stories as sparse vectors: every block of unit length times its weight, genres beside them. */
export class StorySpace {
  readonly size: number;
  readonly tables: readonly TermTable[];
  readonly genreTable: TermTable;
  /** By block, the genres' last. */
  readonly weights: readonly number[];
  private readonly spaces: readonly TermSpace[];
  private readonly genres: TermSpace;
  private readonly buffer = new TermBuffer();

  constructor(tables: readonly TermTable[], genreTable: TermTable, weights: readonly number[]) {
    this.tables = tables;
    this.genreTable = genreTable;
    this.weights = weights;
    this.spaces = tables.map((table) => new TermSpace(table));
    this.genres = new TermSpace(genreTable);
    this.size = this.genres.size + sumBy(this.spaces, ({ size }) => size);
  }

  static fit(stories: readonly Story[], weights: readonly number[]): StorySpace {
    const buffer = new TermBuffer();
    const tables = STORY_BLOCKS.map((block) =>
      countTerms(
        stories.length,
        (index) => {
          block.push(stories[index]!, buffer.clear());
          return buffer.view();
        },
        { minimumDocuments: block.minimumStories },
      ),
    );
    const genreTable = countTerms(stories.length, (index) => genreTerms(stories[index]!, buffer), {
      minimumDocuments: MINIMUM_GENRE_STORIES,
    });
    return new StorySpace(tables, genreTable, weights);
  }

  /**
   * What each block adds to a sum of weights, the genres last: the vector's product with them, block by block. Null for a block
   * that the story lacks, and if none of its genres was in the training.
   */
  shares(story: Story, weights: Float32Array): (number | null)[] {
    let offset = 0;
    const shares = STORY_BLOCKS.map((block, index) => {
      const space = this.spaces[index]!;
      const weight = this.weights[index]!;
      // A block without weight is not read at all.
      if (weight > 0) block.push(story, this.buffer.clear());
      const terms = this.buffer.view();
      const share = weight === 0 ? 0 : terms.length === 0 ? null : weight * space.dot(terms, weights, offset);
      offset += space.size;
      return share;
    });
    const genres = this.#genrePositions(story);
    const ofGenres = this.weights.at(-1)! * sumBy(genres, (position) => weights[offset + position]!);
    return [...shares, genres.length === 0 ? null : ofGenres];
  }

  #genrePositions(story: Story): number[] {
    const terms = [...new Set(genreTerms(story, this.buffer))];
    return terms.map((term) => this.genres.find(term)).filter((position) => position >= 0);
  }

  vector(story: Story): StoryVector {
    const parts: SparseVector[] = STORY_BLOCKS.map((block, index) => {
      block.push(story, this.buffer.clear());
      return this.spaces[index]!.vector(this.buffer.view());
    });
    const genres = this.#genrePositions(story);
    const total = parts.reduce((sum, part) => sum + part.positions.length, genres.length);
    const positions = new Uint32Array(total);
    const values = new Float32Array(total);
    const ends: number[] = [];
    let cursor = 0;
    let offset = 0;
    parts.forEach((part, index) => {
      const weight = this.weights[index]!;
      for (let i = 0; i < part.positions.length; i++) {
        positions[cursor] = offset + part.positions[i]!;
        values[cursor++] = weight * part.values[i]!;
      }
      ends.push(cursor);
      offset += this.spaces[index]!.size;
    });
    for (const position of genres) {
      positions[cursor] = offset + position;
      values[cursor++] = this.weights.at(-1)!;
    }
    ends.push(cursor);
    return { positions, values, ends };
  }
}

export function wholeText(story: Story): string {
  return [story.premise, story.plot_summary, story.characters].filter(Boolean).join("\n");
}

export function sharedGenres(left: Story, right: Story): string[] {
  const others = new Set(right.genres.map((genre) => genre.toLowerCase()));
  return left.genres.filter((genre) => others.has(genre.toLowerCase()));
}

/** Cosine of two sets of genres; null where either story has none. */
export function genreSimilarity(left: Story, right: Story): number | null {
  if (left.genres.length === 0 || right.genres.length === 0) return null;
  return sharedGenres(left, right).length / Math.sqrt(left.genres.length * right.genres.length);
}

function genreTerms(story: Story, buffer: TermBuffer): Uint32Array {
  buffer.clear();
  for (const genre of story.genres) pushLabel(genre.toLowerCase(), buffer);
  return buffer.view();
}

function lastThird(text: string): string {
  return text.slice(Math.floor((text.length * 2) / 3));
}
