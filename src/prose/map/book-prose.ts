import { countLeading } from "../../core/count-leading.ts";
import { type CharacterCorrections, NO_CORRECTIONS } from "../../text/corrections/character-and-story.ts";
import { forEachSentence, splitSentences } from "../../text/sentences.ts";
import { wordCounter } from "../../text/words.ts";
import { joinProse, type ProseText, readPart, readProse, type Span, wordAt } from "../prose-text.ts";
import { type Dialogue, readDialogue } from "../speakers/read-dialogue.ts";

/** A place in a book: `chapters[…].text.slice(start, end)` of the chapter with this index. */
export interface Passage {
  readonly chapter: number;
  readonly start: number;
  readonly end: number;
}

/** At most this many passages are kept for one figure; the count has the total. */
export const MOST_PASSAGES = 12;

/** A few items out of many, spread evenly. */
export function someOf<T>(items: readonly T[], most = MOST_PASSAGES): T[] {
  if (items.length <= most) return [...items];
  return Array.from({ length: most }, (_, index) => items[Math.floor((index * items.length) / most)]!);
}

export interface ChapterText {
  readonly index: number;
  readonly title: string | null;
  readonly text: string;
}

/** A chapter inside the joined text of the book. */
export interface ChapterSpan extends Span {
  readonly index: number;
  readonly title: string | null;
  /** Its words are those from `firstWord` up to `endWord`. */
  readonly firstWord: number;
  readonly endWord: number;
}

export interface SentenceSpan extends Span {
  readonly firstWord: number;
  readonly endWord: number;
  /** Whether more than half of it is in quotation marks. */
  readonly isQuoted: boolean;
}

/** A parsed book, in which every part of the map counts. */
export interface BookProse {
  readonly prose: ProseText;
  readonly chapters: readonly ChapterSpan[];
  readonly sentences: readonly SentenceSpan[];
  readonly dialogue: Dialogue;
  locate(span: Span): Passage;
  /** The number of words as a reader would count them: `countWords` of this part of the text. */
  wordsBetween(start: number, end: number): number;
}

const BETWEEN = "\n\n";

interface KnownChapter {
  readonly prose: ProseText;
  readonly sentences: readonly Span[];
}

/** Parsed chapters: if one chapter of a book changed, the others are not parsed again. */
export type ChapterMemory = WeakMap<ChapterText, KnownChapter>;

export function readManuscript(
  chapters: readonly ChapterText[],
  corrections: CharacterCorrections = NO_CORRECTIONS,
  memory?: ChapterMemory,
): BookProse {
  const known = memory && chaptersKnown(chapters, memory);
  const prose = known
    ? joinProse(
        known.map((chapter) => chapter.prose),
        BETWEEN,
      )
    : readProse(chapters.map(({ text }) => text).join(BETWEEN));
  const dialogue = readDialogue(prose, corrections);
  let start = 0;
  const spans = chapters.map(({ index, title, text }) => {
    const end = start + text.length;
    const span = { index, title, start, end, firstWord: wordAt(prose, start), endWord: wordAt(prose, end) };
    start = end + BETWEEN.length;
    return span;
  });
  const locate = (span: Span): Passage => {
    const chapter = spans[lastStartingBy(spans, span.start)]!;
    return {
      chapter: chapter.index,
      start: span.start - chapter.start,
      end: Math.min(span.end, chapter.end) - chapter.start,
    };
  };
  const sentences = sentencesOf(prose, dialogue.quoted, (visit) => {
    if (!known) return forEachSentence(prose.text, visit);
    for (const [at, chapter] of known.entries())
      for (const sentence of chapter.sentences)
        visit(sentence.start + spans[at]!.start, sentence.end + spans[at]!.start);
  });
  return { prose, chapters: spans, sentences, dialogue, locate, wordsBetween: wordCounter(prose.text) };
}

/** Null if reading the chapters separately would not give the same result as reading the whole. */
function chaptersKnown(chapters: readonly ChapterText[], memory: ChapterMemory): KnownChapter[] | null {
  if (chapters.length < 2 || chapters.some(({ text }) => text === "" || text !== text.trim())) return null;
  return chapters.map((chapter) => {
    const known = memory.get(chapter) ?? { prose: readPart(chapter.text), sentences: splitSentences(chapter.text) };
    memory.set(chapter, known);
    return known;
  });
}

/** The index of the last span that starts at or before a position; 0 if none does. Spans are in order. */
export function lastStartingBy(spans: readonly Span[], position: number): number {
  return Math.max(0, countLeading(spans, ({ start }) => start <= position) - 1);
}

/** The spans, given in order, that start from `start` up to `end`. */
export function startingBetween<T extends Span>(spans: readonly T[], start: number, end: number): T[] {
  let first = lastStartingBy(spans, start);
  while (first < spans.length && spans[first]!.start < start) first++;
  while (first > 0 && spans[first - 1]!.start >= start) first--;
  let last = first;
  while (last < spans.length && spans[last]!.start < end) last++;
  return spans.slice(first, last);
}

function sentencesOf(
  prose: ProseText,
  quoted: Uint8Array,
  forEach: (visit: (start: number, end: number) => void) => void,
): SentenceSpan[] {
  const sentences: SentenceSpan[] = [];
  let word = 0;
  forEach((start, end) => {
    while (word < prose.wordCount && prose.starts[word]! < start) word++;
    const firstWord = word;
    let inside = 0;
    while (word < prose.wordCount && prose.starts[word]! < end) inside += quoted[word++]!;
    if (word > firstWord)
      sentences.push({ start, end, firstWord, endWord: word, isQuoted: 2 * inside > word - firstWord });
  });
  return sentences;
}

/** The text span of words `first` up to `end`. */
export function spanOfWords({ starts, ends }: ProseText, first: number, end: number): Span {
  return { start: starts[first]!, end: ends[end - 1]! };
}
