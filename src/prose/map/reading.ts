import { type CharacterCorrections, NO_CORRECTIONS } from "../../text/corrections/character-corrections.ts";
import { forEachSentence } from "../../text/sentences.ts";
import { type ProseText, readProse, type Span, wordAt } from "../reading.ts";
import { type Dialogue, readDialogue } from "../speakers/read-dialogue.ts";
import type { Passage } from "./passage.ts";

export interface ChapterText {
  readonly index: number;
  readonly title: string | null;
  readonly text: string;
}

/** A chapter inside the joined text of the book. */
export interface ChapterSpan extends Span {
  readonly index: number;
  readonly title: string | null;
  /** Its words: from `firstWord` up to `endWord`. */
  readonly firstWord: number;
  readonly endWord: number;
}

export interface SentenceSpan extends Span {
  readonly firstWord: number;
  readonly endWord: number;
  /** More than half of it stands in quotation marks. */
  readonly isQuoted: boolean;
}

/** A whole book read once; every part of the map counts in it. */
export interface Reading {
  readonly prose: ProseText;
  readonly chapters: readonly ChapterSpan[];
  readonly sentences: readonly SentenceSpan[];
  readonly dialogue: Dialogue;
  locate(span: Span): Passage;
}

const BETWEEN = "\n\n";

export function readManuscript(
  chapters: readonly ChapterText[],
  corrections: CharacterCorrections = NO_CORRECTIONS,
): Reading {
  const prose = readProse(chapters.map(({ text }) => text).join(BETWEEN));
  const dialogue = readDialogue(prose, corrections);
  let start = 0;
  const spans = chapters.map(({ index, title, text }) => {
    const end = start + text.length;
    const span = { index, title, start, end, firstWord: wordAt(prose, start), endWord: wordAt(prose, end) };
    start = end + BETWEEN.length;
    return span;
  });
  const locate = (span: Span): Passage => {
    const chapter = spans.findLast((each) => each.start <= span.start) ?? spans[0]!;
    return {
      chapter: chapter.index,
      start: span.start - chapter.start,
      end: Math.min(span.end, chapter.end) - chapter.start,
    };
  };
  return { prose, chapters: spans, sentences: sentencesOf(prose, dialogue.quoted), dialogue, locate };
}

function sentencesOf(prose: ProseText, quoted: Uint8Array): SentenceSpan[] {
  const sentences: SentenceSpan[] = [];
  let word = 0;
  forEachSentence(prose.text, (start, end) => {
    while (word < prose.wordCount && prose.starts[word]! < start) word++;
    const firstWord = word;
    let inside = 0;
    while (word < prose.wordCount && prose.starts[word]! < end) inside += quoted[word++]!;
    if (word > firstWord)
      sentences.push({ start, end, firstWord, endWord: word, isQuoted: 2 * inside > word - firstWord });
  });
  return sentences;
}

/** Where words `first` up to `end` stand. */
export function spanOfWords({ starts, ends }: ProseText, first: number, end: number): Span {
  return { start: starts[first]!, end: ends[end - 1]! };
}
