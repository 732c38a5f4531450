import { setImmediate as nextTurn } from "node:timers/promises";
import type { Criterion } from "../../criteria/rubric.ts";
import type { Book } from "../../text/book.ts";
import type { Evidence, Remark } from "../evaluation.ts";
import type { JudgedRemark } from "../judge-reply.ts";
import { NameCheck } from "./absent-names.ts";
import { QuotationIndex } from "./quotation-index.ts";

export interface CheckedRemark {
  readonly text: string;
  readonly evidence: readonly Evidence[];
  readonly absentNames: readonly string[];
  /** How often it was said, where several remarks were put together. */
  readonly times?: number;
}

/** Remarks checked before other work has its turn: a few milliseconds' worth. */
const AT_A_TIME = 50;

/** Holds what a judge says against the book: every quotation is searched for, every name looked up. */
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

  /** Checks many remarks ahead and lets other work in between: calls of other books are waiting to be sent. */
  async prepare(remarks: Iterable<JudgedRemark>): Promise<void> {
    await this.#index.prepare();
    let count = 0;
    for (const remark of remarks) {
      this.check(remark);
      if (++count % AT_A_TIME === 0) await nextTurn();
    }
  }

  check(remark: JudgedRemark): CheckedRemark {
    const known = this.#checked.get(remark);
    if (known) return known;
    this.#names ??= new NameCheck(this.#book, this.#terms);
    const { point, quotes } = remark;
    const checked: CheckedRemark = {
      text: point,
      evidence: quotes.filter(({ text }) => text.trim() !== "").map((quote) => this.checkQuote(quote)),
      absentNames: this.#names.absentFrom(point),
    };
    this.#checked.set(remark, checked);
    return checked;
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

/** Remarks with their evidence in one list, each quotation once. */
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
