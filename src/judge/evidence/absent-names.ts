import type { Book } from "../../text/book.ts";

/** Capitalised words of criticism that name no character: schools, languages, festivals, days. */
const KNOWN = new Set(
  `i english french german american british european african asian indian chinese japanese russian victorian edwardian
  georgian regency gothic romantic modernist postmodern shakespearean dickensian bildungsroman christian jewish muslim
  western eastern northern southern monday tuesday wednesday thursday friday saturday sunday january february march april
  may june july august september october november december chapter part book act prologue epilogue mr mrs ms miss dr sir
  lady lord god lgbt lgbtq ya pov sci-fi mary sue macguffin chekhov freytag aristotle deus ex machina`.split(/\s+/),
);
const NAME = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}'’-]*\p{Ll}[\p{L}'’-]*(?:\s+\p{Lu}[\p{L}'’-]*\p{Ll}[\p{L}'’-]*)*/gu;
const SENTENCE_START = /(?:^|[.!?:;–—(“"‘'\n]\s*|[-•*]\s+)$/;

/** Finds names in a remark that do not occur in the book: a judge that mentions them may be thinking of another book. */
export class NameCheck {
  readonly #words: ReadonlySet<string>;

  /** `terms` are words a judge may capitalise though they name no character: the aspects it was asked about. */
  constructor(book: Pick<Book, "chapters" | "title" | "author" | "premise" | "genres">, terms: readonly string[] = []) {
    const words = new Set<string>();
    const sources = [...terms, book.title, book.author ?? "", book.premise ?? "", ...book.genres];
    for (const text of [...sources, ...book.chapters.map((chapter) => chapter.text)]) {
      for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) words.add(word);
    }
    this.#words = words;
  }

  /** Only names inside a sentence count: at its start every word is capitalised. */
  absentFrom(remark: string): string[] {
    const absent = new Set<string>();
    // What is quoted is checked as a quotation.
    const own = remark.replace(/"[^"]*"|“[^”]*”|「[^」]*」/g, (quote) => ".".repeat(quote.length));
    for (const match of own.matchAll(NAME)) {
      const atStart = SENTENCE_START.test(own.slice(0, match.index));
      const parts = match[0].split(/\s+/).map((part) => part.replace(/['’]s?$/, ""));
      const tested = atStart ? parts.slice(1) : parts;
      const missing = tested.filter((part) => !this.#isKnown(part));
      // One unknown word of several ("Aunt Petunia") is enough to make the name unknown.
      if (missing.length > 0) absent.add(tested.join(" "));
    }
    return [...absent];
  }

  #isKnown(part: string): boolean {
    const lower = part.toLowerCase();
    if (KNOWN.has(lower) || /(?:esque|ian|ean|ism|ist)$/.test(lower)) return true;
    return lower.split(/['’-]/).every((piece) => piece === "" || this.#words.has(piece));
  }
}
