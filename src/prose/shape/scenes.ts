import type { BookProse, ChapterSpan } from "../map/book-prose.ts";
import { paceOf, sceneBreaksIn } from "../pace/pace.ts";
import { type Span, wordAt } from "../prose-text.ts";
import { dialogueMap } from "../speakers/dialogue-map.ts";
import { type Person, type Tense, viewpointOf } from "../viewpoint/viewpoint.ts";

/** The text between two scene breaks, or a whole chapter, with its figures. */
export interface Scene {
  readonly chapter: number;
  readonly title: string | null;
  /** Its number within its chapter, from 1. */
  readonly number: number;
  /** Offsets into the chapter. */
  readonly start: number;
  readonly end: number;
  readonly words: number;
  /** Its first sentence. */
  readonly opening: string;
  /**
   * The people who are named or speak, most frequent first; null if names are not recognised in the book's language.
   */
  readonly people: readonly string[] | null;
  readonly dialogueShare: number | null;
  readonly sentenceWords: number | null;
  readonly person: Person | null;
  readonly tense: Tense | null;
}

/** The scenes of a book in order. */
export function scenesOf(bookProse: BookProse, language: string | null): Scene[] {
  const { prose, sentences, locate } = bookProse;
  const isEnglish = language === null || language === "en";
  const spans = bookProse.chapters.flatMap((chapter) => sceneSpans(bookProse, chapter));
  const parted = { ...bookProse, chapters: spans };
  const dialogue = dialogueMap(parted);
  const pace = isEnglish ? paceOf(parted) : null;
  const viewpoint = isEnglish ? viewpointOf(parted) : null;
  const people = isEnglish ? peopleIn(bookProse, spans) : null;
  return spans.map((span, at): Scene => {
    const { chapter, start, end } = locate(span);
    const opening = sentences.find((sentence) => sentence.start >= span.start && sentence.start < span.end);
    return {
      chapter,
      title: span.title,
      number: spans.slice(0, at).filter(({ index }) => index === span.index).length + 1,
      start,
      end,
      words: span.endWord - span.firstWord,
      opening: opening ? prose.text.slice(opening.start, opening.end).trim() : "",
      people: people && people[at]!,
      dialogueShare: dialogue.chapters[at]?.share ?? null,
      sentenceWords: pace?.chapters[at]?.sentenceWords ?? null,
      person: viewpoint?.chapters[at]?.person ?? null,
      tense: viewpoint?.chapters[at]?.tense ?? null,
    };
  });
}

function sceneSpans(bookProse: BookProse, chapter: ChapterSpan): ChapterSpan[] {
  const { prose } = bookProse;
  const breaks = sceneBreaksIn(bookProse, chapter);
  const starts = [chapter.start, ...breaks.map(({ end }) => end)];
  const ends = [...breaks.map(({ start }) => start), chapter.end];
  return starts
    .map((start, at) => trimmed(prose.text, { start, end: ends[at]! }))
    .map(({ start, end }) => ({ ...chapter, start, end, firstWord: wordAt(prose, start), endWord: wordAt(prose, end) }))
    .filter(({ firstWord, endWord }) => endWord > firstWord);
}

function trimmed(text: string, { start, end }: Span): Span {
  const own = text.slice(start, end);
  return { start: end - own.trimStart().length, end: start + own.trimEnd().length };
}

function peopleIn({ dialogue }: BookProse, spans: readonly ChapterSpan[]): string[][] {
  const counts = spans.map(() => new Map<number, number>());
  const note = (at: number, who: number) => {
    const own = counts[at];
    own?.set(who, (own.get(who) ?? 0) + 1);
  };
  for (const [who, { mentions }] of dialogue.cast.characters.entries()) {
    for (const { first } of mentions)
      note(
        spans.findLastIndex(({ firstWord }) => firstWord <= first),
        who,
      );
  }
  for (const [index, { start }] of dialogue.quotations.entries()) {
    const who = dialogue.speakers[index] ?? null;
    if (who !== null && dialogue.kinds[index] === "speech")
      note(
        spans.findLastIndex((span) => span.start <= start),
        who,
      );
  }
  return counts.map((own) =>
    [...own].sort((left, right) => right[1] - left[1]).map(([who]) => dialogue.cast.characters[who]!.name),
  );
}
