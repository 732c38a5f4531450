import { rarityFrom, type WordRarity } from "../prose/reference/reference-words.ts";
import { scanProse } from "../prose/scan-prose.ts";
import type { ScannedProse } from "../prose/scanned-prose.ts";
import { countStyle } from "../prose/style-features.ts";
import { sumBy } from "../stats/distribution.ts";
import { codeCharacters } from "./character-runs.ts";
import type { SharedCounts } from "./counted-text.ts";
import { shippedGraderModel } from "./model-file.ts";
import { hashSentences } from "./sentence-hashes.ts";

/** Readers rate a longer story higher while it is short; from this many words on, length makes no difference. */
const FULL_LENGTH = 450;
/** Scales the length column relative to the others, which determines how strongly the ridge penalty shrinks it. */
const SCALE = 0.4;

/**
 * 0 for a text of full length, and lower for shorter texts. The length of a chapter or a book never affects its
 * rating.
 */
export function storyLength(words: number): number {
  return SCALE * Math.log(Math.min(Math.max(words, 1), FULL_LENGTH) / FULL_LENGTH);
}

/** The words in a window, the unit in which jurors score; a shorter chapter does not fill one. */
const WINDOW = 250;
/** Short neighbouring chapters are joined to a few windows of text, so that their boundaries matter little. */
const LEAST_JOINED_WORDS = 4 * WINDOW;
/**
 * Chapters are joined if more than this share of a book's words is in short ones. The largest share among the 80
 * reference novels is 0.7 % (`evals/cohesion.ts` prints it); a book with a few short chapters is read unchanged.
 */
const MOST_IN_SHORT_CHAPTERS = 0.05;

/** Cached, because every juror needs this for the same chapters. */
const remembered = new WeakMap<readonly PreparedText[], readonly PreparedText[]>();

/**
 * The parts of a book that a juror scores separately: its chapters. If many are shorter than a window, neighbours are
 * joined, so that the same words get about the same score however the book is divided.
 */
export function scoredParts(chapters: readonly PreparedText[]): readonly PreparedText[] {
  const known = remembered.get(chapters);
  if (known !== undefined) return known;
  const parts = partInShortChapters(chapters) <= MOST_IN_SHORT_CHAPTERS ? chapters : joined(chapters);
  remembered.set(chapters, parts);
  return parts;
}

/**
 * The share of a book's words in chapters shorter than a window; 0 for a single chapter, which has no neighbour to
 * join.
 */
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
    if (words >= LEAST_JOINED_WORDS) {
      runs.push([]);
      words = 0;
    }
    runs.at(-1)!.push(chapter);
    words += chapter.prose.wordCount;
  }
  // A short rest at the end of the book is joined to the part before it.
  if (words < LEAST_JOINED_WORDS && runs.length > 1) runs.at(-2)!.push(...runs.pop()!);
  return runs.map((run) => (run.length === 1 ? run[0]! : prepareText(run.map(({ text }) => text).join("\n\n"))));
}

/** A text read once, for all jurors and for line notes. */
export interface PreparedText {
  readonly text: string;
  readonly prose: ScannedProse;
  readonly counts: SharedCounts;
}

let rarity: WordRarity | undefined;

/** The rarity of words, from the grader's table; all jurors share it, so that style is counted once. */
function sharedRarity(): WordRarity {
  if (rarity === undefined) {
    const { model } = shippedGraderModel();
    rarity = rarityFrom(model.rarityHashes, model.rarityBands);
  }
  return rarity;
}

export function prepareText(text: string): PreparedText {
  const prose = scanProse(text);
  return {
    text,
    prose,
    counts: {
      words: hashSentences(prose),
      characters: codeCharacters(prose, text),
      style: countStyle(prose, sharedRarity()),
    },
  };
}
