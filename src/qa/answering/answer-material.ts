import { FabulaError } from "../../core/errors.ts";
import type { Book } from "../../text/book.ts";
import { readBook } from "../../text/read-book.ts";
import type { AnswerSetting } from "../choices.ts";
import type { BookFiles } from "../dataset/book-files.ts";
import type { QaDocument } from "../dataset/document.ts";
import type { AnswerMaterial } from "./answer-question.ts";
import { openText } from "./open-text.ts";
import { searchPassages } from "./passage-search.ts";
import { passagesOf } from "./passages.ts";

/** What one book offers to each of its questions, or why it offers nothing. Read once per book. */
export type MaterialSource =
  | { readonly kind: "ready"; materialFor(question: string): AnswerMaterial }
  | { readonly kind: "missing"; readonly reason: string };

export interface MaterialOptions {
  readonly setting: AnswerSetting;
  /** Needed for `open` and `retrieval`. */
  readonly files: BookFiles | null;
  /** How many passages are looked up per question. */
  readonly passageCount: number;
}

export async function materialOf(document: QaDocument, options: MaterialOptions): Promise<MaterialSource> {
  const { setting } = options;
  switch (setting) {
    case "closed":
      return { kind: "ready", materialFor: () => ({ setting }) };
    case "summary": {
      const summary = document.summary.trim();
      if (summary === "") return { kind: "missing", reason: "the book has no summary" };
      return { kind: "ready", materialFor: () => ({ setting, summary }) };
    }
    case "open":
    case "retrieval": {
      const file = options.files?.(document) ?? null;
      if (file === null) return { kind: "missing", reason: "the folder of texts has no file for this book" };
      return fromFile(file, setting, options.passageCount);
    }
    default:
      return setting satisfies never;
  }
}

async function fromFile(file: string, setting: "open" | "retrieval", passageCount: number): Promise<MaterialSource> {
  try {
    const book = await readBook(file);
    return setting === "open" ? wholeText(book) : passagesOnly(book, passageCount);
  } catch (error) {
    if (error instanceof FabulaError) return { kind: "missing", reason: error.message };
    throw error;
  }
}

function wholeText(book: Book): MaterialSource {
  const material = { setting: "open", book: openText(book) } as const;
  return { kind: "ready", materialFor: () => material };
}

function passagesOnly(book: Book, count: number): MaterialSource {
  const passages = passagesOf(book);
  const search = searchPassages(passages);
  return {
    kind: "ready",
    materialFor: (question) => {
      const found = search(question, count);
      // A question that shares no word with the book still gets its opening, where people and places are introduced.
      return { setting: "retrieval", passages: found.length > 0 ? found : passages.slice(0, count) };
    },
  };
}
