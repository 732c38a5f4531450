import { remembered } from "../../core/remembered.ts";
import { countOf } from "../../core/wording.ts";
import type { BookProse } from "../map/book-prose.ts";
import { markedWords, type Span } from "../prose-text.ts";
import { type Check, chapterOfWord, type Suspicion } from "./check.ts";

const PEOPLE = new Set("he she him her his hers himself herself i me my myself".split(" "));

/** A paragraph of narration: its words, and how many are about people. */
interface Stretch {
  readonly firstParagraph: number;
  lastParagraph: number;
  firstWord: number;
  words: number;
}

interface ParagraphCounts {
  readonly words: Uint32Array;
  readonly quoted: Uint32Array;
  readonly people: Uint32Array;
  readonly firstWord: Uint32Array;
}

const countsOf = remembered(({ prose, dialogue }: BookProse): ParagraphCounts => {
  const size = prose.paragraphs.length;
  const [words, quoted, people, firstWord] = [
    new Uint32Array(size),
    new Uint32Array(size),
    new Uint32Array(size),
    new Uint32Array(size),
  ];
  const isPerson = markedWords(prose, (word) => (PEOPLE.has(word) ? 1 : 0));
  for (let word = 0; word < prose.wordCount; word++) {
    const paragraph = prose.paragraphOf[word]!;
    if (words[paragraph]! === 0) firstWord[paragraph] = word;
    words[paragraph]!++;
    if (dialogue.quoted[word]) quoted[paragraph]!++;
    else if (isPerson[prose.ids[word]!] || dialogue.cast.beginsAt(word)) people[paragraph]!++;
  }
  return { words, quoted, people, firstWord };
});

/** The share of words about people in a block of exposition; in a scene it is one in ten or more. */
const MOST_PEOPLE = 0.02;
const FEWEST_WORDS = 800;
/** A book with more blocks, or with a larger share of exposition, is written that way on purpose. */
const MOST_EXPOSITION = 0.12;
const MOST_BLOCKS = 2;

/** Finds long passages in which nobody says or does anything. */
export const expositionBlocks: Check = (bookProse) => {
  const { words, quoted, people, firstWord } = countsOf(bookProse);
  const runs = runsOf(
    bookProse,
    words,
    firstWord,
    (paragraph) => quoted[paragraph] === 0 && people[paragraph]! <= MOST_PEOPLE * words[paragraph]!,
  );
  const blocks = runs.filter((run) => run.words >= FEWEST_WORDS);
  const total = blocks.reduce((sum, run) => sum + run.words, 0);
  return blocks.length > MOST_BLOCKS || total > MOST_EXPOSITION * bookProse.prose.wordCount
    ? []
    : found(bookProse, blocks);
};

function found(bookProse: BookProse, blocks: readonly Stretch[]): Suspicion[] {
  const others = blocks.length === 1 ? "no other such block" : "only one other such block";
  return blocks.map((block) => ({
    kind: "exposition-block",
    title: "A long block of explanation",
    claim: `${countOf(block.words, "word")} in chapter ${bookProse.chapters[chapterOfWord(bookProse, block.firstWord)]!.index} explain or describe almost without a person; ${others} of the book has ${FEWEST_WORDS} words or more.`,
    severity: "consider",
    places: placesOf(bookProse, block),
    advice: "Give the reader what the scene needs where it is needed, and cut the rest.",
  }));
}

function runsOf(
  bookProse: BookProse,
  words: Uint32Array,
  firstWord: Uint32Array,
  belongs: (paragraph: number) => boolean,
): Stretch[] {
  const { prose, chapters } = bookProse;
  const starts = new Set(chapters.map((chapter) => chapter.start));
  const runs: Stretch[] = [];
  let run: Stretch | null = null;
  for (let paragraph = 0; paragraph < prose.paragraphs.length; paragraph++) {
    if (words[paragraph] === 0) continue;
    if (!belongs(paragraph)) {
      run = null;
      continue;
    }
    if (run === null || starts.has(prose.paragraphs[paragraph]!.start)) {
      run = { firstParagraph: paragraph, lastParagraph: paragraph, firstWord: firstWord[paragraph]!, words: 0 };
      runs.push(run);
    }
    run.lastParagraph = paragraph;
    run.words += words[paragraph]!;
  }
  return runs;
}

const MOST_PLACES = 3;

function placesOf({ prose }: BookProse, { firstParagraph, lastParagraph }: Stretch): Span[] {
  return prose.paragraphs.slice(firstParagraph, Math.min(lastParagraph + 1, firstParagraph + MOST_PLACES));
}

const FEWEST_QUIET = 2000;
/** The share of paragraphs with dialogue; a book with less is a quiet one. */
const LEAST_SPOKEN = 0.25;
/** How many times as long as the second longest passage. */
const TIMES = 1.5;

/** Finds a passage without dialogue that is far longer than the others of the book. */
export const quietStretches: Check = (bookProse) => {
  const { words, quoted, firstWord } = countsOf(bookProse);
  let spoken = 0;
  let all = 0;
  for (let paragraph = 0; paragraph < words.length; paragraph++) {
    if (words[paragraph]! === 0) continue;
    all++;
    if (quoted[paragraph]! > 0) spoken++;
  }
  if (spoken < LEAST_SPOKEN * all) return [];
  const runs = runsAcross(words, quoted, firstWord).toSorted((left, right) => right.words - left.words);
  const [longest, second] = runs;
  if (!longest || longest.words < FEWEST_QUIET || longest.words < TIMES * (second?.words ?? 0)) return [];
  return [
    {
      kind: "quiet-stretch",
      title: "A long stretch without speech",
      claim: `No one speaks, and nothing is in quotation marks, for ${countOf(longest.words, "word")} from chapter ${bookProse.chapters[chapterOfWord(bookProse, longest.firstWord)]!.index} on; the next longest such stretch of the book has ${countOf(second?.words ?? 0, "word")}.`,
      severity: "consider",
      places: placesOf(bookProse, longest),
      advice: "See whether a scene could carry part of it.",
    },
  ];
};

/** Sequences of paragraphs without dialogue, across chapter boundaries. */
function runsAcross(words: Uint32Array, quoted: Uint32Array, firstWord: Uint32Array): Stretch[] {
  const runs: Stretch[] = [];
  let run: Stretch | null = null;
  for (let paragraph = 0; paragraph < words.length; paragraph++) {
    if (words[paragraph] === 0) continue;
    if (quoted[paragraph]! > 0) {
      run = null;
      continue;
    }
    if (run === null) {
      run = { firstParagraph: paragraph, lastParagraph: paragraph, firstWord: firstWord[paragraph]!, words: 0 };
      runs.push(run);
    }
    run.lastParagraph = paragraph;
    run.words += words[paragraph]!;
  }
  return runs;
}
