import { estimateTokens } from "../../core/estimate-tokens.ts";
import type { Book } from "../../text/book.ts";
import type { OverlongRule } from "../choices.ts";
import { searchPassages } from "./passage-search.ts";
import { passagesOf } from "./passages.ts";

export interface SeenText {
  readonly text: string;
  /** Of the book's characters, from 0 to 1. */
  readonly share: number;
}

/** A book's whole text, and as much of it as fits. */
export interface OpenText {
  readonly text: string;
  fitting(question: string, tokens: number, rule: Exclude<OverlongRule, "refuse">): SeenText;
}

/** Passages that say where a question's answer may stand, the first counting most. */
const LANDMARKS = 24;

export function openText(book: Book): OpenText {
  const chapters = book.chapters.map(({ title, text }) => (title ? `${title}\n\n${text}` : text));
  const text = chapters.join(GAP);
  let find: ((question: string) => number[]) | null = null;
  return {
    text,
    fitting(question, tokens, rule) {
      if (estimateTokens(text) <= tokens) return { text, share: 1 };
      find ??= landmarkFinder(book, chapters);
      const length = charactersFor(text, tokens);
      const start = rule === "truncate" ? 0 : bestStart(find(question), length, text.length);
      const seen = wholeParagraphs(text, start, length);
      return { text: seen, share: seen.length / text.length };
    },
  };
}

const GAP = "\n\n\n";

/** Where in the joined text the passages begin that fit a question best. */
function landmarkFinder(book: Book, chapters: readonly string[]): (question: string) => number[] {
  const offsets = new Map<number, number>();
  let offset = 0;
  book.chapters.forEach(({ index, text }, at) => {
    const whole = chapters[at]!;
    offsets.set(index, offset + whole.length - text.length);
    offset += whole.length + GAP.length;
  });
  const search = searchPassages(passagesOf(book));
  return (question) => search(question, LANDMARKS).map(({ chapter, start }) => offsets.get(chapter)! + start);
}

/** The start of the window with most landmarks in it: a quarter of the window stands before the first of them. */
function bestStart(landmarks: readonly number[], length: number, whole: number): number {
  let best = { start: 0, inside: 0 };
  for (const first of landmarks) {
    const start = Math.max(0, Math.min(whole - length, first - Math.floor(length / 4)));
    const inside = landmarks.filter((place) => place >= start && place < start + length).length;
    if (inside > best.inside) best = { start, inside };
  }
  return best.start;
}

/** How many characters of this text make so many tokens, by halving: scripts differ in how many letters a token holds. */
function charactersFor(text: string, tokens: number): number {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (estimateTokens(text.slice(0, middle)) <= tokens) low = middle;
    else high = middle - 1;
  }
  return low;
}

function wholeParagraphs(text: string, from: number, length: number): string {
  const start = from === 0 ? 0 : text.indexOf("\n\n", from) + 1 || from;
  const limit = from + length;
  const end = limit >= text.length ? text.length : text.lastIndexOf("\n\n", limit);
  return text.slice(start, end > start ? end : limit).trim();
}
