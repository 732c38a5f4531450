import { chapterMark } from "../judge/material.ts";
import type { PromptLanguage } from "../prompts/load-prompt.ts";
import type { Book } from "../text/book.ts";
import { countWords } from "../text/words.ts";
import type { Claim } from "./claim.ts";

/** What is looked for: a claim, or a question, which has no passages. */
type Subject = Pick<Claim, "title" | "claim" | "passages">;

interface Paragraph {
  readonly chapter: number;
  readonly start: number;
  readonly end: number;
  readonly words: number;
}

/** Paragraphs shown before and after each passage. */
const NEIGHBOURS = 2;
/** A word that stands in more of the paragraphs tells nothing about what they are about. */
const COMMON_SHARE = 0.1;

/**
 * What a second reader needs to see of a long book: for some claims, the paragraphs of their passages, those around them, and
 * the paragraphs elsewhere that share most of the claims' rarer words, up to a number of words. What is left out is marked.
 * The index is made once, so a lookup costs as much as the claims' words occur.
 */
export class Surroundings {
  readonly #book: Pick<Book, "chapters">;
  readonly #language: PromptLanguage;
  readonly #paragraphs: Paragraph[] = [];
  readonly #places = new Map<string, number[]>();
  /** Where each chapter's paragraphs begin in the list. */
  readonly #starts = new Map<number, number>();

  constructor(book: Pick<Book, "chapters">, language: PromptLanguage) {
    this.#book = book;
    this.#language = language;
    for (const { index, text } of book.chapters) {
      this.#starts.set(index, this.#paragraphs.length);
      for (const { 0: paragraph, index: start } of text.matchAll(/[^\n]+/g)) {
        const position = this.#paragraphs.length;
        this.#paragraphs.push({ chapter: index, start, end: start + paragraph.length, words: countWords(paragraph) });
        for (const word of new Set(termsOf(paragraph))) {
          const known = this.#places.get(word);
          if (known) known.push(position);
          else this.#places.set(word, [position]);
        }
      }
    }
  }

  /** The text to show for these claims: about as many words as are allowed. */
  textFor(claims: readonly Subject[], words: number): string {
    const chosen = new Set<number>();
    let taken = 0;
    const take = (position: number) => {
      const paragraph = this.#paragraphs[position];
      if (!paragraph || chosen.has(position)) return;
      chosen.add(position);
      taken += paragraph.words;
    };
    for (let distance = 0; distance <= NEIGHBOURS; distance++) {
      for (const position of claims.flatMap(({ passages }) => passages.flatMap((passage) => this.#at(passage)))) {
        if (distance > 0 && taken > words) break;
        take(position - distance);
        take(position + distance);
      }
    }
    // Claims take turns, so that none is left without what the book says elsewhere.
    const ranked = claims.map((claim) => this.#ranked(claim));
    for (let rank = 0; taken < words && ranked.some((list) => rank < list.length); rank++) {
      for (const list of ranked) {
        if (taken < words && list[rank] !== undefined) take(list[rank]!);
      }
    }
    return this.#render([...chosen].sort((left, right) => left - right));
  }

  #at({ chapter, start, end }: Claim["passages"][number]): number[] {
    const found: number[] = [];
    for (let position = this.#starts.get(chapter)!; this.#paragraphs[position]?.chapter === chapter; position++) {
      const paragraph = this.#paragraphs[position]!;
      if (paragraph.start < end && start < paragraph.end) found.push(position);
    }
    return found;
  }

  /** Paragraphs by how many of the claim's rarer words they hold, rare words counting more. */
  #ranked({ claim, title, passages }: Subject): number[] {
    const scores = new Map<number, number>();
    const count = this.#paragraphs.length;
    for (const word of new Set(termsOf([title, claim, ...passages.map(({ quote }) => quote)].join(" ")))) {
      const places = this.#places.get(word) ?? [];
      if (places.length > Math.max(8, count * COMMON_SHARE)) continue;
      const weight = Math.log((count + 1) / (places.length + 1));
      for (const place of places) scores.set(place, (scores.get(place) ?? 0) + weight);
    }
    return [...scores]
      .sort(([first, left], [second, right]) => right - left || first - second)
      .map(([position]) => position);
  }

  #render(positions: readonly number[]): string {
    const lines: string[] = [];
    let before: number | null = null;
    let chapter: number | null = null;
    for (const position of positions) {
      const paragraph = this.#paragraphs[position]!;
      if (paragraph.chapter !== chapter) {
        const { title, text } = this.#chapter(paragraph.chapter);
        chapter = paragraph.chapter;
        lines.push(chapterMark(chapter, title, this.#language));
        if (text.slice(0, paragraph.start).trim() !== "") lines.push("[…]");
      } else if (before !== null && position > before + 1) lines.push("[…]");
      lines.push(this.#chapter(paragraph.chapter).text.slice(paragraph.start, paragraph.end));
      before = position;
    }
    return lines.join("\n\n");
  }

  #chapter(index: number) {
    return this.#book.chapters.find((chapter) => chapter.index === index)!;
  }
}

/** Words of three letters or more, and pairs of characters where a script has no spaces. */
function termsOf(text: string): string[] {
  const lower = text.toLowerCase();
  const words = lower.match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return words.flatMap((word) =>
    /[\u3040-\u30ff\u3400-\u9fff]/u.test(word)
      ? Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2))
      : [word],
  );
}
