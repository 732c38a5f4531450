import { setImmediate as nextTurn } from "node:timers/promises";
import type { Criterion } from "../../criteria/rubric.ts";
import { isPlaceholderText } from "../../models/placeholder-value.ts";
import type { Book } from "../../text/book.ts";
import type { Evidence, Remark } from "../evaluation.ts";
import type { JudgedRemark } from "../judge-reply.ts";
import { QuotationIndex } from "./quotation-index.ts";

/** Capitalised words in reviews that are not names of characters: schools, languages, festivals, days. */
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

  /**
   * `terms` are words that a judge may capitalise although they are not names, such as the aspects it was asked
   * about.
   */
  constructor(book: Pick<Book, "chapters" | "title" | "author" | "premise" | "genres">, terms: readonly string[] = []) {
    const words = new Set<string>();
    const sources = [...terms, book.title, book.author ?? "", book.premise ?? "", ...book.genres];
    for (const text of [...sources, ...book.chapters.map((chapter) => chapter.text)]) {
      for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) words.add(word);
    }
    this.#words = words;
  }

  /** Only names inside a sentence count, because every word is capitalised at its start. */
  absentFrom(remark: string): string[] {
    const absent = new Set<string>();
    // Quoted text is checked as a quotation, so it is blanked out here.
    const own = remark.replace(/"[^"]*"|“[^“”]*”|「[^「」]*」/g, (quote) => ".".repeat(quote.length));
    for (const match of own.matchAll(NAME)) {
      const atStart = SENTENCE_START.test(own.slice(0, match.index));
      const parts = match[0].split(/\s+/).map((part) => part.replace(/['’]s?$/, ""));
      const tested = atStart ? parts.slice(1) : parts;
      const missing = tested.filter((part) => !this.#isKnown(part));
      // One unknown word of several ("Aunt Petunia") makes the whole name unknown.
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

export interface CheckedRemark {
  readonly text: string;
  readonly evidence: readonly Evidence[];
  readonly absentNames: readonly string[];
  /** How often it was made, if several remarks were merged. */
  readonly times?: number;
}

/** How many remarks are checked before other work gets a turn; this takes a few milliseconds. */
const AT_A_TIME = 50;

/** Checks a judge's remarks against the book: looks up every quotation and every name. */
export class RemarkCheck {
  readonly #index: QuotationIndex;
  readonly #book: Book;
  readonly #terms: readonly string[];
  readonly #found = new Map<string, Evidence>();
  readonly #checked = new Map<JudgedRemark, CheckedRemark>();
  #names: NameCheck | null = null;

  constructor(book: Book, criteria: readonly Criterion[] = []) {
    this.#book = book;
    this.#terms = criteria.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    this.#index = new QuotationIndex(book.chapters);
  }

  /** Checks many remarks in advance and yields in between, since calls for other books are waiting to be sent. */
  async prepare(remarks: readonly JudgedRemark[]): Promise<void> {
    // A plan has nothing to look up.
    const said = remarks.filter(({ point }) => !isPlaceholderText(point));
    if (said.length > 0) await this.#index.prepare();
    let count = 0;
    for (const remark of said) {
      this.check(remark);
      if (++count % AT_A_TIME === 0) await nextTurn();
    }
  }

  check(remark: JudgedRemark): CheckedRemark {
    const known = this.#checked.get(remark);
    if (known) return known;
    const { point, quotes } = remark;
    const checked: CheckedRemark = {
      text: point,
      evidence: quotes.filter(({ text }) => text.trim() !== "").map((quote) => this.checkQuote(quote)),
      absentNames: isPlaceholderText(point) ? [] : this.#namesOf().absentFrom(point),
    };
    this.#checked.set(remark, checked);
    return checked;
  }

  #namesOf(): NameCheck {
    this.#names ??= new NameCheck(this.#book, this.#terms);
    return this.#names;
  }

  checkQuote({ chapter: claimed, text: quote }: JudgedRemark["quotes"][number]): Evidence {
    const key = `${claimed}\u0000${quote}`;
    const known = this.#found.get(key);
    if (known) return known;
    const found = this.#index.find(quote, claimed);
    const evidence: Evidence = found
      ? { ...found, quote, found: true }
      : { chapter: placeable(claimed), quote, start: null, end: null, found: false, match: null, similarity: 0 };
    this.#found.set(key, evidence);
    return evidence;
  }
}

function placeable(chapter: number): number {
  return Number.isInteger(chapter) && chapter > 0 ? chapter : 1;
}

/** Collects the remarks' evidence in one list, each quotation once. */
export function flattenRemarks(groups: Readonly<Record<"strengths" | "weaknesses", readonly CheckedRemark[]>>): {
  strengths: Remark[];
  weaknesses: Remark[];
  evidence: Evidence[];
} {
  const evidence: Evidence[] = [];
  const place = (item: Evidence) => {
    const at = evidence.indexOf(item);
    return at >= 0 ? at : evidence.push(item) - 1;
  };
  const lay = (remarks: readonly CheckedRemark[]) =>
    remarks.map(
      ({ text, evidence: quotes, absentNames, times = 1 }): Remark => ({
        text,
        evidence: quotes.map(place),
        ...(times > 1 ? { times } : {}),
        ...(absentNames.length > 0 ? { absentNames: [...absentNames] } : {}),
      }),
    );
  return { strengths: lay(groups.strengths), weaknesses: lay(groups.weaknesses), evidence };
}
