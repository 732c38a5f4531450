import type { Passage } from "../core/finding.ts";
import { QuotationIndex } from "../judge/evidence/quotation-index.ts";
import type { ChatReply } from "../models/chat-model.ts";
import type { Book } from "../text/book.ts";
import type { Quoted } from "./claim.ts";

/** Looks up what a model quotes, and counts what does not stand in the book. */
export class QuotationCheck {
  readonly #index: QuotationIndex;
  readonly #text: ReadonlyMap<number, string>;
  quotations = 0;
  missing = 0;
  /** Nobody was asked: the replies are placeholders of a plan, whose quotations stand nowhere. */
  isPlan = false;

  constructor({ chapters }: Pick<Book, "chapters">) {
    this.#index = new QuotationIndex(chapters);
    this.#text = new Map(chapters.map(({ index, text }) => [index, text]));
  }

  note(replies: readonly Pick<ChatReply, "isPlaceholder">[]): void {
    this.isPlan ||= replies.some(({ isPlaceholder }) => isPlaceholder);
  }

  /** The passage as it stands in the book, or null. */
  locate({ chapter, quote }: Quoted): Passage | null {
    if (quote.trim() === "") return null;
    this.quotations += 1;
    const found = this.#index.find(quote, chapter);
    if (!found) {
      this.missing += 1;
      return null;
    }
    const { chapter: index, start, end } = found;
    return { chapter: index, start, end, quote: this.#text.get(index)!.slice(start, end) };
  }

  /** The passages that stand in the book, each once, in the order of the book. */
  locateAll(quoted: readonly Quoted[]): Passage[] {
    const found = quoted.flatMap((one) => this.locate(one) ?? []);
    return found
      .filter((one, at) => found.findIndex((other) => overlaps(one, other)) === at)
      .sort((left, right) => left.chapter - right.chapter || left.start - right.start);
  }
}

/** Every place where these words stand, letter by letter. */
export function placesOf(quote: string, { chapters }: Pick<Book, "chapters">): Passage[] {
  return chapters.flatMap(({ index, text }) => {
    const found: Passage[] = [];
    for (let start = text.indexOf(quote); start >= 0; start = text.indexOf(quote, start + 1))
      found.push({ chapter: index, start, end: start + quote.length, quote });
    return found;
  });
}

export function overlaps(left: Passage, right: Passage): boolean {
  return left.chapter === right.chapter && left.start < right.end && right.start < left.end;
}
