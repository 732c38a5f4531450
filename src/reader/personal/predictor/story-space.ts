import type { Story } from "./story.ts";
import { countTerms, type SparseVector, TermSpace, type TermTable } from "./term-space.ts";
import { pushLabel, pushLetterRuns, pushWords, TermBuffer } from "./terms.ts";

interface StoryBlock {
  readonly id: string;
  /** How it is named to a reader: "how it ends"; null for what has no name. */
  readonly inWords: string | null;
  /** Length of this block's vector: how loudly it speaks beside the others. */
  readonly weight: number;
  readonly minimumStories: number;
  push(story: Story, into: TermBuffer): void;
}

/**
 * What of a story's description is read, and how loudly. The weights were chosen by cross-validation over books: the plot
 * summary speaks loudest, its last third again on its own, since readers forgive much for an ending.
 */
export const STORY_BLOCKS: readonly StoryBlock[] = [
  {
    id: "summary",
    inWords: "what happens in it",
    weight: 1,
    minimumStories: 3,
    push: (story, into) => pushWords(story.plot_summary ?? "", into, true),
  },
  {
    id: "ending",
    inWords: "how it ends",
    weight: 0.5,
    minimumStories: 3,
    push: (story, into) => pushWords(lastThird(story.plot_summary ?? ""), into, true),
  },
  {
    id: "letters",
    inWords: null,
    weight: 1,
    minimumStories: 5,
    push: (story, into) => pushLetterRuns(wholeText(story), into),
  },
  {
    id: "premise",
    inWords: "its premise",
    weight: 0.5,
    minimumStories: 3,
    push: (story, into) => pushWords(story.premise ?? "", into, true),
  },
  {
    id: "characters",
    inWords: "its characters",
    weight: 0.5,
    minimumStories: 3,
    push: (story, into) => pushWords(story.characters ?? "", into, true),
  },
  {
    id: "title",
    inWords: "its title",
    weight: 0.3,
    minimumStories: 2,
    push: (story, into) => pushWords(story.title ?? "", into, false),
  },
];

/** Each genre a story carries counts this much, however many it carries. */
const GENRE_WEIGHT = 0.07;
const MINIMUM_GENRE_STORIES = 4;

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
  private readonly spaces: readonly TermSpace[];
  private readonly genres: TermSpace;
  private readonly buffer = new TermBuffer();

  constructor(tables: readonly TermTable[], genreTable: TermTable) {
    this.tables = tables;
    this.genreTable = genreTable;
    this.spaces = tables.map((table) => new TermSpace(table));
    this.genres = new TermSpace(genreTable);
    this.size = this.spaces.reduce((sum, space) => sum + space.size, this.genres.size);
  }

  static fit(stories: readonly Story[]): StorySpace {
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
    return new StorySpace(tables, genreTable);
  }

  vector(story: Story): StoryVector {
    const parts: SparseVector[] = STORY_BLOCKS.map((block, index) => {
      block.push(story, this.buffer.clear());
      return this.spaces[index]!.vector(this.buffer.view());
    });
    const genres = [...new Set(genreTerms(story, this.buffer))]
      .map((term) => this.genres.find(term))
      .filter((p) => p >= 0);
    const total = parts.reduce((sum, part) => sum + part.positions.length, genres.length);
    const positions = new Uint32Array(total);
    const values = new Float32Array(total);
    const ends: number[] = [];
    let cursor = 0;
    let offset = 0;
    parts.forEach((part, index) => {
      const { weight } = STORY_BLOCKS[index]!;
      for (let i = 0; i < part.positions.length; i++) {
        positions[cursor] = offset + part.positions[i]!;
        values[cursor++] = weight * part.values[i]!;
      }
      ends.push(cursor);
      offset += this.spaces[index]!.size;
    });
    for (const position of genres) {
      positions[cursor] = offset + position;
      values[cursor++] = GENRE_WEIGHT;
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

/** Cosine of two sets of genres; 0 when either has none. */
export function genreKinship(left: Story, right: Story): number {
  if (left.genres.length === 0 || right.genres.length === 0) return 0;
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
