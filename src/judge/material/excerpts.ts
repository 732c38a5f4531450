import { sum } from "../../stats/distribution/sum.ts";
import type { Book } from "../../text/book.ts";
import { countWords } from "../../text/words.ts";

/** A passage shown to a judge word for word. */
export interface Excerpt {
  readonly chapter: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly why: "opening" | "dialogue" | "narration" | "distinctive" | "typical" | "ending";
}

/** A measure of a passage, to compare with the book's other passages; null where it cannot be measured. */
export type PassageMeasure = (passage: Pick<Excerpt, "chapter" | "start" | "end">) => number | null;

export interface ExcerptOptions {
  readonly words?: number;
  readonly count?: number;
  /** What makes a passage distinctive or typical; how rare its words are in this very book, unless given. */
  readonly measure?: PassageMeasure;
}

interface Candidate {
  readonly chapter: number;
  readonly start: number;
  readonly end: number;
  readonly words: number;
  readonly dialogue: number;
  /** How far the passage lies from the book's average passage, in standard deviations; null where it was not measured. */
  readonly oddity: number | null;
}

const LEAST_WORDS = 60;
const MOST_WORDS = 220;
const DIALOGUE = /[“”"「」『』]|^[—–-]\s/gm;

/**
 * Excerpts by a rule that anybody can check: the book is cut into as many equal stretches as there are excerpts. The first
 * gives the opening passage, the last the ending; between them each stretch gives, in turn, its passage with most speech,
 * with least, its most distinctive one (which lies furthest from the book's average passage, in either direction) and its
 * most typical. The same book always gives the same excerpts.
 */
export function chooseExcerpts(book: Pick<Book, "chapters">, options: ExcerptOptions = {}): Excerpt[] {
  const count = options.count ?? 8;
  const limit = options.words ?? 1000;
  const candidates = passages(book, options.measure ?? wordRarity(book));
  if (candidates.length === 0) return [];
  const chosen: Excerpt[] = [];
  const cut = (candidate: Candidate, why: Excerpt["why"]): Excerpt => {
    const { text } = book.chapters.find(({ index }) => index === candidate.chapter)!;
    const { chapter, start, end } = candidate;
    return { chapter, start, end, text: text.slice(start, end), why };
  };
  const stretches = Math.min(count, candidates.length);
  let words = 0;
  for (let stretch = 0; stretch < stretches; stretch++) {
    const from = Math.floor((stretch * candidates.length) / stretches);
    const to = Math.floor(((stretch + 1) * candidates.length) / stretches);
    const why = reason(stretch, stretches);
    const pick = choose(candidates.slice(from, to), why);
    if (words + pick.words > limit && chosen.length > 1) continue;
    words += pick.words;
    chosen.push(cut(pick, why));
  }
  return chosen;
}

const CHAPTER_OPENING_WORDS = 500;

/**
 * The excerpt that LongStoryEval shows: the opening paragraphs of one chapter, up to 500 words, leaving out lines that name
 * a chapter. The paper draws the chapter at random; here the book's own bytes draw it, so that it is the same each time.
 */
export function openingOfOneChapter(book: Pick<Book, "chapters" | "source">): Excerpt[] {
  const { chapters, source } = book;
  const chapter = chapters[Number.parseInt(source.sha256.slice(0, 8), 16) % Math.max(1, chapters.length)];
  if (!chapter) return [];
  const shown: string[] = [];
  let words = 0;
  let end = 0;
  for (const match of chapter.text.matchAll(/[^\n]+/g)) {
    const [line] = match;
    if (/chapter /i.test(line)) continue;
    words += countWords(line);
    if (words > CHAPTER_OPENING_WORDS) break;
    shown.push(line.trim());
    end = match.index + line.length;
  }
  if (shown.length === 0) return [];
  return [{ chapter: chapter.index, start: 0, end, text: shown.join("\n"), why: "opening" }];
}

function reason(stretch: number, stretches: number): Excerpt["why"] {
  if (stretch === 0) return "opening";
  if (stretch === stretches - 1) return "ending";
  return (["dialogue", "narration", "distinctive", "typical"] as const)[(stretch - 1) % 4]!;
}

function choose(stretch: readonly Candidate[], why: Excerpt["why"]): Candidate {
  const least = (measure: (candidate: Candidate) => number) =>
    stretch.reduce((best, candidate) => (measure(candidate) < measure(best) ? candidate : best));
  switch (why) {
    case "opening":
      return stretch[0]!;
    case "ending":
      return stretch.at(-1)!;
    case "dialogue":
      return least(({ dialogue }) => -dialogue);
    case "narration":
      return least(({ dialogue }) => dialogue);
    case "distinctive":
      return least(({ oddity }) => -(oddity ?? Number.NEGATIVE_INFINITY));
    case "typical":
      return least(({ oddity }) => oddity ?? Number.POSITIVE_INFINITY);
    default:
      return why satisfies never;
  }
}

/** Paragraphs, short ones joined to their neighbours, none over the limit: in reading order. */
function passages(book: Pick<Book, "chapters">, measure: PassageMeasure): Candidate[] {
  const raw: Omit<Candidate, "oddity">[] = [];
  for (const { index, text } of book.chapters) {
    let start = 0;
    let from = 0;
    const close = (end: number) => {
      const passage = text.slice(start, end);
      const words = countWords(passage);
      if (words >= LEAST_WORDS && words <= MOST_WORDS) {
        raw.push({ chapter: index, start, end, words, dialogue: (passage.match(DIALOGUE)?.length ?? 0) / words });
        start = end;
      } else if (words > MOST_WORDS) start = end;
    };
    while (from < text.length) {
      const gap = text.indexOf("\n\n", from);
      const end = gap < 0 ? text.length : gap;
      if (start === from || text.slice(start, from).trim() === "") start = from;
      close(end);
      from = gap < 0 ? text.length : gap + 2;
      if (start === end) start = from;
    }
  }
  return withOddity(raw, measure);
}

function withOddity(raw: readonly Omit<Candidate, "oddity">[], measure: PassageMeasure): Candidate[] {
  const measured = raw.map(measure);
  const known = measured.filter((value) => value !== null);
  const mean = sum(known) / Math.max(1, known.length);
  const variance = sum(known.map((value) => (value - mean) ** 2)) / Math.max(1, known.length);
  const spread = Math.sqrt(variance) || 1;
  return raw.map((candidate, position) => {
    const value = measured[position]!;
    return { ...candidate, oddity: value === null ? null : Math.abs(value - mean) / spread };
  });
}

/** How rare a passage's words are in this very book, on average. */
function wordRarity(book: Pick<Book, "chapters">): PassageMeasure {
  const counts = new Map<string, number>();
  let total = 0;
  for (const { text } of book.chapters) {
    for (const word of wordsOf(text)) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
      total++;
    }
  }
  const texts = new Map(book.chapters.map(({ index, text }) => [index, text]));
  return ({ chapter, start, end }) => {
    const words = wordsOf(texts.get(chapter)!.slice(start, end));
    return words.reduce((sum, word) => sum - Math.log((counts.get(word) ?? 1) / total), 0) / Math.max(1, words.length);
  };
}

export const ONE_CHAPTER_RULE =
  "The judge saw the opening of one chapter word for word, up to 500 words, as LongStoryEval shows it.";

/** The rule in a sentence, for the report; `measure` says what makes a passage distinctive. */
export function excerptRule(excerpts: readonly Excerpt[], measure: string | null): string {
  return (
    `The judge saw ${excerpts.length} excerpts word for word, from equal stretches of the book: the opening, the ending, and between ` +
    "them in turn the passage with most speech, with least, the most distinctive and the most typical one, by " +
    `${measure ?? "how rare their words are in this book"}.`
  );
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}]+/gu) ?? [];
}
