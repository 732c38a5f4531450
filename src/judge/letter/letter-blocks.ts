import type { QuotedPassage } from "./quoted-passage.ts";

/** A quotation with where it stands, as offsets and in words. The marks say that it was cut; between them it is the book's own text. */
export interface QuotationView extends Pick<QuotedPassage, "chapter" | "start" | "end"> {
  readonly before: string;
  readonly marked: string;
  readonly after: string;
  readonly where: string;
  readonly note: string | null;
}

/** One thing of the letter, the same for every format: the terminal, Markdown, HTML and Word only lay it out. */
export type LetterBlock =
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "text"; readonly text: string; readonly quiet?: true }
  | { readonly kind: "list"; readonly entries: readonly string[]; readonly numbered: boolean }
  | { readonly kind: "quote"; readonly quote: QuotationView }
  | LetterItemBlock;

interface LetterItemBlock {
  readonly kind: "item";
  /** Of the finding. */
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly text: string;
  readonly quotes: readonly QuotationView[];
  readonly advice: string;
  /** Worth a thought only: a terminal names it and leaves the rest to files. */
  readonly minor?: true;
}

export interface LetterView {
  readonly language: "en" | "zh";
  readonly blocks: readonly LetterBlock[];
}
