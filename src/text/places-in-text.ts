import { countLeading } from "../core/count-leading.ts";
import type { Book } from "./book.ts";

export interface Place {
  readonly start: number;
  readonly end: number;
}

/** The position of a chapter's passage in the text that the book was read from. */
export type PlaceInText = (chapter: number, passage: Place) => Place | null;

/** A paragraph begins within this many letters after the previous one, unless something was removed between them. */
const NEARBY = 5_000;
/** A paragraph with fewer letters may also occur elsewhere, so it is not searched further away. */
const TELLING_LETTERS = 60;
/** How often the whole rest of a text is searched. Few books leave out as much, and a hostile text must not make it slow. */
const MOST_FAR_SEARCHES = 100;
/** How many letters may be between two words of one paragraph, if cleaning removed something between them. */
const WORD_NEARBY = 300;
/** If less of the book is found again, or the book is a smaller share of the text, the places are not trusted. */
const LEAST_FOUND = 0.95;
const LEAST_SHARE = 0.7;

/**
 * Locates a book in the text that it was read from. Reading joins lines, drops headings and cleans, so offsets into a
 * chapter mean nothing to a caller who has only the text. Letters and digits are unchanged and in order, so the two
 * are aligned by them, paragraph by paragraph. Null if too little is found.
 */
export function placesInText(text: string, { chapters }: Pick<Book, "chapters">): PlaceInText | null {
  const whole = lettersOf(text);
  const places = new Map<number, { own: readonly number[]; inText: readonly (number | null)[] }>();
  let cursor = 0;
  let letters = 0;
  let found = 0;
  let farSearches = 0;
  const find = (paragraph: string) => {
    const near = whole.letters.slice(cursor, cursor + NEARBY + paragraph.length).indexOf(paragraph);
    if (near >= 0) return cursor + near;
    if (paragraph.length < TELLING_LETTERS || farSearches++ >= MOST_FAR_SEARCHES) return -1;
    return whole.letters.indexOf(paragraph, cursor);
  };
  for (const chapter of chapters) {
    const own: number[] = [];
    const inText: (number | null)[] = [];
    for (const { 0: line, index } of chapter.text.matchAll(/[^\n]+/g)) {
      const paragraph = lettersOf(line);
      const at = find(paragraph.letters);
      const along = at < 0 ? wordByWord(paragraph, whole, cursor) : paragraph.places.map((_, letter) => at + letter);
      for (const [letter, place] of paragraph.places.entries()) {
        own.push(index + place);
        const there = along[letter] ?? null;
        inText.push(there === null ? null : whole.places[there]!);
        if (there === null) continue;
        found++;
        cursor = there + 1;
      }
    }
    letters += own.length;
    places.set(chapter.index, { own, inText });
  }
  if (letters === 0 || found < LEAST_FOUND * letters || found < LEAST_SHARE * whole.letters.length) return null;
  const texts = new Map(chapters.map((chapter) => [chapter.index, chapter.text]));
  return (chapter, { start, end }) => {
    const { own, inText } = places.get(chapter)!;
    const there = inText.slice(firstFrom(own, start), firstFrom(own, end)).filter((place) => place !== null);
    const [from, to] = [there[0], there.at(-1)];
    if (from === undefined || to === undefined) return null;
    // A quotation mark or a full stop at either end belongs to the passage if it does in the chapter.
    const isMark = (at: number, of = text) => /[^\s\p{L}\p{N}]/u.test(of[at] ?? " ");
    let [startInText, endInText] = [from, to + 1];
    if (isMark(start, texts.get(chapter))) while (isMark(startInText - 1)) startInText--;
    if (isMark(end - 1, texts.get(chapter))) while (isMark(endInText)) endInText++;
    return { start: startInText, end: endInText };
  };
}

interface Letters {
  readonly letters: string;
  /** The position of each letter in the text. */
  readonly places: readonly number[];
}

/** The letters and digits of a text. */
function lettersOf(text: string): Letters {
  const places: number[] = [];
  const runs: string[] = [];
  for (const { 0: run, index } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    runs.push(run);
    for (let at = 0; at < run.length; at++) places.push(index + at);
  }
  return { letters: runs.join(""), places };
}

/** The letters of a paragraph from which cleaning removed something: each word at its next place. */
function wordByWord(paragraph: Letters, whole: Letters, from: number): (number | null)[] {
  const along: (number | null)[] = [];
  let cursor = from;
  for (let at = 0; at < paragraph.places.length; ) {
    let end = at + 1;
    while (end < paragraph.places.length && paragraph.places[end] === paragraph.places[end - 1]! + 1) end++;
    const word = paragraph.letters.slice(at, end);
    const there = whole.letters.slice(cursor, cursor + WORD_NEARBY + word.length).indexOf(word);
    for (let letter = 0; letter < word.length; letter++) along.push(there < 0 ? null : cursor + there + letter);
    if (there >= 0) cursor += there + word.length;
    at = end;
  }
  return along;
}

/** The place in an ordered list of the first value that is not below the limit. */
function firstFrom(values: readonly number[], limit: number): number {
  return countLeading(values, (value) => value < limit);
}
